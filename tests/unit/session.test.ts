import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readCookie, removeCookie, writeCookie } from '@/lib/utils/cookies';
import { useAppState, userInfo } from '@/store/app-state';
import { bootSession, followOtherTabs } from '@/store/session';
import { onInvalidSession, setHomeNavigation } from '@/store/session-state';
import { newSignInState } from '@/store/sign-in-state';
import { useToasts } from '@/store/toasts';

const base = 'http://localhost:3000/api/v1';
const detail = {
  id: 'u1',
  email: 'ann@example.com',
  firstName: '',
  lastName: '',
  address: '',
  country: '',
  hasPassword: true,
  createdAt: '2026-01-01T00:00:00Z',
};
const answer = (obj: unknown) => HttpResponse.json({ success: '1', msg: '', obj });
const calls: string[] = [];
/** What the provider tells of its ticket; `undefined` as another API, which tells nothing. */
let told: string | null | undefined;
const server = setupServer();

/** A server that knows the tokens `good` and `fresh` and the ticket `t-1`. */
function usual() {
  const known = (request: Request) => ['good', 'fresh'].includes(request.headers.get('authorization') ?? '');
  server.use(
    http.get(`${base}/sso/check`, ({ request }) => {
      calls.push(`check ${request.headers.get('authorization')}`);
      return answer(known(request) ? { id: 'u1', email: detail.email } : null);
    }),
    http.get(`${base}/user/info`, ({ request }) => {
      calls.push('info');
      return known(request) ? answer(detail) : HttpResponse.json({ success: '10009', msg: 'Over.', obj: null });
    }),
    http.get(`${base}/sso/login`, ({ request }) => {
      const ticket = new URL(request.url).searchParams.get('ticket');
      calls.push(`login ${ticket}`);
      return ticket === 't-1'
        ? answer({ tokenValue: 'fresh', userDetail: detail, signInState: told })
        : HttpResponse.json({ success: '10410', msg: 'This sign-in link is used up.', obj: null });
    }),
    http.get(`${base}/sso/logout`, ({ request }) => {
      calls.push(`logout ${request.headers.get('authorization')}`);
      return answer(null);
    }),
  );
}

function visitAddress(address: string) {
  window.history.replaceState(null, '', address);
}

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  calls.length = 0;
  told = undefined;
  sessionStorage.clear();
  usual();
});
afterEach(() => {
  server.resetHandlers();
  removeCookie('Authorization');
  removeCookie('userInfo');
  useAppState.setState({ session: { is: 'unknown' } });
  useToasts.setState({ toasts: [] });
  visitAddress('/');
});
afterAll(() => server.close());

describe('the steps of a load', () => {
  it('asks nothing of the server without cookie, ticket and token', async () => {
    await bootSession();
    expect(calls).toEqual([]);
    expect(useAppState.getState().session.is).toBe('signed-out');
  });

  it('1 and 2: checks a cookie, fetches the user and keeps it', async () => {
    writeCookie('Authorization', 'good');
    await bootSession();
    expect(calls).toEqual(['check good', 'info']);
    expect(userInfo(useAppState.getState())).toMatchObject({ Authorization: 'good', id: 'u1', email: detail.email });
    expect(JSON.parse(readCookie('userInfo') ?? '{}')).toMatchObject({ id: 'u1', email: detail.email });
  });

  it('3: a dead cookie with a ticket logs in with the ticket', async () => {
    writeCookie('Authorization', 'dead');
    visitAddress('/faq?ticket=t-1&gclid=7');
    await bootSession();
    expect(calls).toEqual(['check dead', 'login t-1']);
    expect(readCookie('Authorization')).toBe('fresh');
    expect(window.location.search).toBe('?gclid=7');
  });

  it('4: a dead cookie without a ticket is cleared', async () => {
    writeCookie('Authorization', 'dead');
    await bootSession();
    expect(readCookie('Authorization')).toBeUndefined();
    expect(useAppState.getState().session).toEqual({ is: 'signed-out', told: true, isFound: true });
    expect(useToasts.getState().toasts).toEqual([]);
  });

  it('5: a ticket alone logs in; a used one leaves nothing behind and says so', async () => {
    visitAddress('/?ticket=t-1');
    await bootSession();
    expect(useAppState.getState().session.is).toBe('signed-in');
    removeCookie('Authorization');
    useAppState.setState({ session: { is: 'unknown' } });
    visitAddress('/?ticket=used');
    await bootSession();
    expect(readCookie('Authorization')).toBeUndefined();
    expect(useToasts.getState().toasts.at(-1)?.text).toBe('This sign-in link is used up.');
  });

  it('6: a token is stored and checked, and leaves the address', async () => {
    visitAddress('/?token=good&a=1');
    await bootSession();
    expect(readCookie('Authorization')).toBe('good');
    expect(window.location.search).toBe('?a=1');
  });

  it('6: a token that fails is dropped and the earlier session stands', async () => {
    writeCookie('Authorization', 'good');
    visitAddress('/?token=bad');
    await bootSession();
    expect(readCookie('Authorization')).toBe('good');
    expect(useAppState.getState().session.is).toBe('signed-in');
  });

  it('6: a token that replaces a live session says who is signed in now', async () => {
    writeCookie('Authorization', 'fresh');
    visitAddress('/?token=good');
    await bootSession();
    expect(useToasts.getState().toasts.at(-1)?.text).toBe('You are now signed in as ann@example.com.');
  });

  it('keeps the session when the check gets no answer', async () => {
    writeCookie('Authorization', 'good');
    writeCookie('userInfo', JSON.stringify({ ...detail, Authorization: 'good' }));
    server.use(http.get(`${base}/sso/check`, () => HttpResponse.error()));
    await bootSession();
    expect(readCookie('Authorization')).toBe('good');
    expect(userInfo(useAppState.getState())?.email).toBe(detail.email);
  });
});

describe('a sign-in that began here', () => {
  const question = () => useAppState.getState().question;
  /** Comes back with a ticket to `address`; the answer to the question, if one is asked. */
  async function comeBack(address: string, yes: boolean): Promise<'asked' | 'not asked'> {
    visitAddress(address);
    const boot = bootSession().then(() => 'done');
    await vi.waitFor(async () => expect(question() ?? (await Promise.race([boot, null]))).not.toBeNull());
    const asked = question();
    asked?.answer(yes);
    await boot;
    return asked ? 'asked' : 'not asked';
  }

  it.each([
    ['another API, which tells nothing', () => undefined],
    ['our own provider', (state: string) => state],
  ])('comes back with its state unasked, from %s', async (_provider, tell) => {
    const state = newSignInState();
    told = tell(state);
    expect(await comeBack(`/?ticket=t-1&state=${state}`, false)).toBe('not asked');
    expect(readCookie('Authorization')).toBe('fresh');
    expect(window.location.search).toBe('');
  });

  it.each([
    ['no state', ''],
    ['another state', '&state=another'],
  ])('asks before a ticket with %s counts, and no leaves nothing behind, here and there', async (_what, rest) => {
    newSignInState();
    expect(await comeBack(`/?ticket=t-1${rest}`, false)).toBe('asked');
    expect(calls).toEqual(['login t-1', 'logout fresh']);
    expect(readCookie('Authorization')).toBeUndefined();
    expect(useAppState.getState().session.is).toBe('signed-out');
    newSignInState();
    expect(await comeBack(`/?ticket=t-1${rest}`, true)).toBe('asked');
    expect(readCookie('Authorization')).toBe('fresh');
  });

  it('asks for a ticket with a state where nothing was begun', async () => {
    expect(await comeBack('/?ticket=t-1&state=of-somebody-else', false)).toBe('asked');
  });

  it('asks for somebody else’s ticket of our own provider, whatever the address says', async () => {
    told = null;
    expect(await comeBack('/?ticket=t-1', false)).toBe('asked');
    told = 'attacker';
    expect(await comeBack('/?ticket=t-1', false)).toBe('asked');
    expect(await comeBack('/?ticket=t-1&state=attacker', false)).toBe('asked');
    const state = newSignInState();
    expect(await comeBack(`/?ticket=t-1&state=${state}`, false)).toBe('asked');
  });

  it('is good for one return', async () => {
    const state = newSignInState();
    expect(await comeBack(`/?ticket=t-1&state=${state}`, false)).toBe('not asked');
    removeCookie('Authorization');
    expect(await comeBack(`/?ticket=t-1&state=${state}`, false)).toBe('asked');
  });
});

describe('the session-invalid answer', () => {
  it('clears, says it once even when ten calls fail together, and goes home', () => {
    const homes: number[] = [];
    setHomeNavigation(() => homes.push(1));
    writeCookie('Authorization', 'good');
    useAppState.setState({ session: { is: 'signed-in', user: { ...detail, Authorization: 'good' } } });
    for (let call = 0; call < 10; call += 1) onInvalidSession('Your session has ended.');
    expect(readCookie('Authorization')).toBeUndefined();
    expect(useToasts.getState().toasts.map(({ text }) => text)).toEqual(['Your session has ended.']);
    expect(homes).toHaveLength(1);
  });
});

describe('an invalid session that is told while the check of the load runs', () => {
  it('keeps the cookies cleared', async () => {
    writeCookie('Authorization', 'good');
    let answerCheck = () => {};
    const asked = new Promise<void>((resolve) => {
      server.use(
        http.get(`${base}/sso/check`, async () => {
          resolve();
          await new Promise<void>((go) => {
            answerCheck = go;
          });
          return answer({ id: 'u1', email: detail.email });
        }),
      );
    });
    const boot = bootSession();
    await asked;
    onInvalidSession('Your session has ended. Please sign in again.');
    expect(readCookie('Authorization')).toBeUndefined();
    answerCheck();
    await boot;
    expect([readCookie('Authorization'), readCookie('userInfo')]).toEqual([undefined, undefined]);
    expect(useAppState.getState().session).toEqual({ is: 'signed-out', told: true });
    expect(userInfo(useAppState.getState())).toBeNull();
  });
});

describe('another tab changes the session while it is checked', () => {
  /** Another tab keeps `token` while the first check is under way. */
  const replacedBy = (token: string) =>
    server.use(
      http.get(
        `${base}/sso/check`,
        ({ request }) => {
          calls.push(`check ${request.headers.get('authorization')}`);
          writeCookie('Authorization', token);
          return answer(request.headers.get('authorization') === 'dead' ? null : { id: 'u1', email: detail.email });
        },
        { once: true },
      ),
    );

  it('follows to the session that stands at the end, and writes no other back', async () => {
    writeCookie('Authorization', 'good');
    await bootSession();
    calls.length = 0;
    writeCookie('Authorization', 'fresh');
    replacedBy('good');
    await followOtherTabs();
    expect(calls).toEqual(['check fresh', 'info', 'check good', 'info']);
    expect(readCookie('Authorization')).toBe('good');
    expect(userInfo(useAppState.getState())?.Authorization).toBe('good');
  });

  it('does not sign the new session out when the old one was dead', async () => {
    writeCookie('Authorization', 'dead');
    replacedBy('fresh');
    await bootSession();
    expect(readCookie('Authorization')).toBe('fresh');
    expect(userInfo(useAppState.getState())?.Authorization).toBe('fresh');
  });
});
