import { describe, expect, it } from 'vitest';
import { Crowded, Turns } from '@/lib/server/base/turns';
import { withBody } from '@/lib/server/http/answer';
import { route } from '@/lib/server/http/route';
import { startApi } from './harness/api';

/** Work that ends when it is told to. */
function held() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end: () => end() };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('heavy work', () => {
  it('is done a few at a time, the others in their order', async () => {
    const turns = new Turns(2, 10);
    const parts = Array.from({ length: 5 }, held);
    const began: number[] = [];
    const all = parts.map(({ work }, index) =>
      turns.take(() => {
        began.push(index);
        return work();
      }),
    );
    await soon();
    expect(began).toEqual([0, 1]);
    parts[1]?.end();
    await soon();
    expect(began).toEqual([0, 1, 2]);
    for (const { end } of parts) end();
    await Promise.all(all);
    expect(began).toEqual([0, 1, 2, 3, 4]);
  });

  it('is refused where too many wait, but for what can’t come again', async () => {
    const turns = new Turns(1, 1);
    const [running, waiting, patient] = [held(), held(), held()];
    const all = [turns.take(running.work), turns.take(waiting.work)];
    let isDone = false;
    await expect(turns.take(async () => undefined)).rejects.toBeInstanceOf(Crowded);
    const last = turns.take(patient.work, true).then(() => {
      isDone = true;
    });
    running.end();
    waiting.end();
    await Promise.all(all);
    expect(isDone).toBe(false);
    patient.end();
    await last;
    expect(await turns.take(async () => 'free again')).toBe('free again');
  });

  it('leaves its place when it fails', async () => {
    const turns = new Turns(1, 0);
    await expect(turns.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.take(async () => 1)).toBe(1);
  });

  it('that is refused is answered 503, with when to come again', async () => {
    const api = await startApi();
    await api.send('GET', '/pay/provider');
    const crowded = route({}, async () => {
      throw new Crowded('full');
    });
    const response = withBody(await crowded(new Request('http://localhost/api/v1/sso/password')));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toMatchObject({ success: '10503', obj: null });
    await api.close();
  });
});
