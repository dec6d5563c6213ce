import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logError, logInfo } from '@/lib/server/base/log';
import { traced } from '@/lib/server/base/trace';
import { parseProxies } from '@/lib/server/config/proxies';
import { enqueue } from '@/lib/server/jobs/enqueue';
import { type Front, startFront } from '../support/front';
import { keepLog } from '../support/log-lines';
import { startApi, type TestApi } from './harness/api';
import { signedIn } from './harness/people';

let log: ReturnType<typeof keepLog>;
let api: TestApi | undefined;
let front: Front | undefined;
beforeEach(() => {
  log = keepLog();
});
afterEach(async () => {
  log.stop();
  await api?.close();
  await front?.stop();
  api = undefined;
  front = undefined;
});

describe('a line of the log', () => {
  it('is one object, with the request and the job it belongs to', () => {
    traced({ requestId: 'request-1' }, () =>
      traced({ jobId: 'job-1' }, () => logInfo('made', 'Something\nwas made.', { count: 2 })),
    );
    expect(log.text().trimEnd()).not.toContain('\n');
    expect(log.lines()).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        level: 'info',
        event: 'made',
        words: 'Something\nwas made.',
        requestId: 'request-1',
        jobId: 'job-1',
        count: 2,
      },
    ]);
  });

  it('is plain words unless JSON is asked for, and nothing in it starts a line of its own', () => {
    process.env.LOG_FORMAT = 'text';
    traced({ requestId: 'request-1' }, () => logInfo('made', 'Made.\nSecurity: erasure done', { count: 2 }));
    expect(log.text()).toBe('Made. Security: erasure done (count 2, request request-1)\n');
  });

  it('tells a failed query by its cause, and repeats no address, query or key that an error quotes', () => {
    const cause = new Error(
      `550 jane.doe@mail.example unknown; GET /x?ticket=abcdefghijkl; file ${'ab'.repeat(32)} in uploads`,
    );
    logError('mail', 'It failed.', new Error('insert … values jane.doe@mail.example', { cause }));
    const text = log.text();
    for (const secret of ['jane', 'abcdefghijkl', 'abab', 'insert']) expect(text).not.toContain(secret);
    expect(log.lines()[0]).toMatchObject({ level: 'error', stack: expect.stringContaining('550 [e-mail] unknown') });
  });
});

describe('security events', () => {
  it('tell sign-ins, failures and refusals by the network alone, and the first refusal of a window only', async () => {
    api = await startApi({ RATE_LIMITS: 'on' });
    const person = await signedIn(api, 'somebody@mail.example', 'first-secret');
    const credentials = { email: person.email, redirectUri: 'http://localhost:3000/account' };
    const ask = (password: string) =>
      api?.ask('POST', '/sso/password', {
        body: { ...credentials, password },
        client: '198.51.100.23',
        headers: { 'x-request-id': 'request-of-mine' },
      });
    await ask('first-secret');
    for (let tries = 0; tries < 14; tries += 1) await ask('not the one');
    await api.ask('DELETE', '/user', { token: person.token, body: { currentPassword: 'first-secret' } });

    const events = log.lines().filter(({ event }) => event.startsWith('security.'));
    const signIns = events.filter(
      ({ event, network }) => event === 'security.sign-in' && network === '198.51.100.0/24',
    );
    expect(signIns.map(({ result }) => result)).toEqual(['done', ...Array(10).fill('failed')]);
    expect(events.filter(({ limit }) => limit === 'sign-in-pair')).toMatchObject([
      { event: 'security.limit', result: 'refused', level: 'warning', requestId: 'request-of-mine' },
    ]);
    expect(events).toContainEqual(expect.objectContaining({ event: 'security.erasure', result: 'done' }));
    for (const secret of ['somebody', 'mail.example', '198.51.100.23', 'first-secret', person.token])
      expect(log.text()).not.toContain(secret);
  });
});

describe('the id of a request', () => {
  it('is made in front, goes to the routes and back, and is taken over from a trusted proxy alone', async () => {
    const seen: unknown[] = [];
    front = await startFront((request, response) => {
      seen.push(request.headers['x-request-id']);
      response.end();
    });
    const ask = async (port: number, sent: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/health`, { headers: { 'x-request-id': sent } });
      return answer.headers.get('x-request-id');
    };
    const made = await ask(front.port, 'from-outside');
    expect(made).toMatch(/^[\w-]{16}$/);
    expect(seen).toEqual([made]);
    await front.stop();
    front = await startFront((_request, response) => void response.end(), {}, parseProxies('127.0.0.1') ?? undefined);
    expect(await ask(front.port, 'from-the-proxy')).toBe('from-the-proxy');
    expect(await ask(front.port, 'no id {"level":1}')).toMatch(/^[\w-]{16}$/);
  });

  it('goes on to the jobs that the request made, and into their lines', async () => {
    api = await startApi({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const { ctx } = api;
    await api.ask('POST', '/contact', {
      body: { name: 'Jane', email: 'jane@mail.example', subject: 'A question', message: 'How?' },
      headers: { 'x-request-id': 'request-of-mine' },
    });
    await api.jobs(['light']);
    const [line] = log.lines().filter(({ event }) => event === 'job.failed');
    expect(line).toMatchObject({
      requestId: 'request-of-mine',
      kind: 'mail.send',
      jobId: expect.stringMatching(/^\w{26}$/),
    });
    expect(log.text()).not.toContain('jane@');
    await enqueue(ctx, ctx.db, { kind: 'sweep.leftovers', payload: {} });
    await vi.waitFor(async () => expect(await api?.jobs(['light'])).toBe(0));
  });
});
