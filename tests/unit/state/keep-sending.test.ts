// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { UploadSignature } from '@/lib/contract/repair';
import { fail, ok } from '@/lib/contract/result';
import { type ApiError, unansweredError } from '@/services/api-error';
import { type AttemptEnd, type KeepSending, keepSending } from '@/services/keep-sending';

const place = (ticket: string): UploadSignature => ({
  taskId: '0'.repeat(32),
  upload: { url: 'http://localhost:3000/api/v1/oss/resumable/1', method: 'TUS', fields: { 'upload-ticket': ticket } },
  statusUrl: '',
  expiresAt: '2030-01-01T00:00:00Z',
});
const refusal: ApiError = { kind: 'refusal', code: '10415', msg: 'This file is a program.', status: 415 };

/** An attempt of the story: what has been sent by its end, and how it ends. */
type Attempt = { sent?: number; end: AttemptEnd; afterMs?: number };

/** Plays attempts one after the other; tells what happened meanwhile. */
async function play(attempts: Attempt[], more: Partial<KeepSending> = {}) {
  const said: string[] = [];
  const cancel = new AbortController();
  let time = 0;
  let renewals = 0;
  const left = [...attempts];
  const result = await keepSending(place('first'), {
    async attempt(signature, { onProgress }) {
      const next = left.length > 1 ? left.shift() : left[0];
      if (!next) throw new Error('no attempt is left');
      said.push(`attempt with ${signature.upload.fields['upload-ticket']}`);
      if (next.sent !== undefined) onProgress(next.sent);
      time += next.afterMs ?? 0;
      return next.end;
    },
    async renew() {
      renewals += 1;
      return ok(place(`renewed ${renewals}`));
    },
    onProgress: (sent) => said.push(`sent ${sent}`),
    onCutOff: (isCutOff) => said.push(isCutOff ? 'cut off' : 'on again'),
    signal: cancel.signal,
    async pause(ms) {
      said.push(`pause ${ms}`);
      time += ms;
    },
    now: () => time,
    ...more,
  });
  return { result, said };
}

describe('an upload in pieces', () => {
  it('that nothing disturbs is sent once', async () => {
    const { result, said } = await play([{ sent: 100, end: { is: 'done' } }]);
    expect(result.ok).toBe(true);
    expect(said).toEqual(['attempt with first', 'on again', 'sent 100']);
  });

  it.each([50, 99])('goes on after the network was gone at %d %%', async (percent) => {
    const { result, said } = await play([
      { sent: percent, end: { is: 'later' } },
      { end: { is: 'later' } },
      { sent: 100, end: { is: 'done' } },
    ]);
    expect(result.ok).toBe(true);
    expect(said).toEqual([
      'attempt with first',
      'on again',
      `sent ${percent}`,
      'cut off',
      'pause 500',
      'attempt with first',
      'cut off',
      'pause 1000',
      'attempt with first',
      'on again',
      'sent 100',
    ]);
  });

  it('asks for a new ticket without a word when the old one is over', async () => {
    const { result, said } = await play([
      { sent: 40, end: { is: 'renew' } },
      { sent: 80, end: { is: 'renew' } },
      { sent: 100, end: { is: 'done' } },
    ]);
    expect(result.ok).toBe(true);
    expect(said.filter((line) => line.startsWith('attempt'))).toEqual([
      'attempt with first',
      'attempt with renewed 1',
      'attempt with renewed 2',
    ]);
    expect(said).not.toContain('cut off');
  });

  it('does not ask for tickets without end', async () => {
    const { result, said } = await play([{ end: { is: 'renew' } }]);
    expect(result).toMatchObject({ ok: false, error: { kind: 'network' } });
    expect(said.length).toBeLessThan(300);
    expect(said).toContain('pause 15000');
  });

  it('ends with the words of a refusal, of the file or of the place', async () => {
    const ofFile = await play([{ sent: 10, end: { is: 'refused', error: refusal } }]);
    expect(ofFile.result).toEqual(fail(refusal));
    const gone: ApiError = { ...refusal, msg: 'This upload can’t go on.', status: 410 };
    const ofPlace = await play([{ end: { is: 'renew' } }], { renew: async () => fail(gone) });
    expect(ofPlace.result).toEqual(fail(gone));
  });

  it.each([429, 503])('waits where a new ticket is refused for now, with %d', async (status) => {
    let asked = 0;
    const { result } = await play(
      [{ end: { is: 'renew' } }, { end: { is: 'renew' } }, { sent: 100, end: { is: 'done' } }],
      {
        async renew() {
          asked += 1;
          return asked === 1 ? fail({ ...refusal, status }) : ok(place('late'));
        },
      },
    );
    expect(result.ok).toBe(true);
  });

  it('waits for a server that starts anew, also where it can’t give a ticket yet', async () => {
    let asked = 0;
    const { result } = await play(
      [{ sent: 50, end: { is: 'renew' } }, { end: { is: 'renew' } }, { sent: 100, end: { is: 'done' } }],
      {
        async renew() {
          asked += 1;
          return asked === 1 ? fail(unansweredError('network', 0)) : ok(place('late'));
        },
      },
    );
    expect(result.ok).toBe(true);
  });

  it('is left to the visitor when nothing moved for a quarter of an hour', async () => {
    const { result, said } = await play([{ sent: 50, end: { is: 'later' } }, { end: { is: 'later' } }]);
    expect(result).toMatchObject({ ok: false, error: { kind: 'network' } });
    expect(said.filter((line) => line === 'pause 15000').length).toBeGreaterThan(50);
  });

  it('is not given up while the machine sleeps, for what counts is time without a byte', async () => {
    const { result } = await play([
      { sent: 50, end: { is: 'later' }, afterMs: 60_000 },
      { sent: 60, end: { is: 'later' }, afterMs: 10 * 60_000 },
      { sent: 70, end: { is: 'later' }, afterMs: 10 * 60_000 },
      { sent: 100, end: { is: 'done' } },
    ]);
    expect(result.ok).toBe(true);
  });

  it('ends at once when it is cancelled', async () => {
    const cancel = new AbortController();
    const { result, said } = await play([{ sent: 50, end: { is: 'later' } }], {
      signal: cancel.signal,
      pause: async () => cancel.abort(),
    });
    expect(result).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    expect(said.filter((line) => line.startsWith('attempt'))).toHaveLength(1);
  });
});
