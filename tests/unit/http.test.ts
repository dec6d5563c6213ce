import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { removeCookie, writeCookie } from '@/lib/utils/cookies';
import { get, post } from '@/services/http';
import { onSessionInvalid } from '@/services/session-invalid';

const base = 'http://localhost:3000/api/v1';
const server = setupServer();
const anything = z.unknown();

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  server.resetHandlers();
  onSessionInvalid(() => {});
  removeCookie('Authorization');
});
afterAll(() => server.close());

describe('the product API client', () => {
  it('returns obj of a body whose success equals 1, as text or number, whatever the status', async () => {
    server.use(
      http.get(`${base}/a`, () => HttpResponse.json({ success: '1', msg: '', obj: { x: 1 } }, { status: 418 })),
    );
    expect(await get('/a', anything)).toEqual({ ok: true, value: { x: 1 } });
    server.use(http.get(`${base}/a`, () => HttpResponse.json({ success: 1, msg: '', obj: 'y' })));
    expect(await get('/a', anything)).toEqual({ ok: true, value: 'y' });
  });

  it('rejects any other body with its msg', async () => {
    server.use(http.post(`${base}/a`, () => HttpResponse.json({ success: '10400', msg: 'Not so.', obj: null })));
    const answer = await post('/a', anything, {});
    expect(answer).toEqual({ ok: false, error: { kind: 'refusal', code: '10400', msg: 'Not so.', status: 200 } });
  });

  it('tells its one subscriber of 10009, and not when the caller deals with it', async () => {
    const listener = vi.fn();
    onSessionInvalid(listener);
    server.use(http.get(`${base}/a`, () => HttpResponse.json({ success: '10009', msg: 'Over.', obj: null })));
    expect(await get('/a', anything)).toMatchObject({ ok: false, error: { kind: 'session' } });
    expect(listener).toHaveBeenCalledExactlyOnceWith('Over.');
    await get('/a', anything, undefined, { quietSession: true });
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('turns a page from a proxy and a broken connection into plain words', async () => {
    server.use(http.get(`${base}/a`, () => HttpResponse.html('<h1>Bad gateway</h1>', { status: 502 })));
    expect(await get('/a', anything)).toMatchObject({ ok: false, error: { kind: 'protocol', status: 502 } });
    server.use(http.get(`${base}/a`, () => HttpResponse.error()));
    expect(await get('/a', anything)).toMatchObject({ ok: false, error: { kind: 'network' } });
  });

  it('sends every header, and absent ones not at all', async () => {
    let headers = new Headers();
    server.use(
      http.get(`${base}/a`, ({ request }) => {
        headers = request.headers;
        return HttpResponse.json({ success: '1', msg: '', obj: null });
      }),
    );
    await get('/a', anything);
    expect(headers.get('phone_os')).toBe('2');
    expect(headers.get('website')).toBe('recovery');
    expect(headers.get('language')).toBe('en');
    expect(headers.get('version-code')).toBe('100');
    expect(headers.get('track_id')).toMatch(/^[\w-]{36}$/);
    for (const name of ['authorization', 'token', 'uuid', 'channel', 'client-id'])
      expect(headers.has(name)).toBe(false);
    writeCookie('Authorization', 'secret-token');
    window.localStorage.setItem('website', 'whatsapp');
    await get('/a', anything);
    expect(headers.get('authorization')).toBe('secret-token');
    expect(headers.get('website')).toBe('whatsapp');
  });
});
