import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { nothingSchema } from '@/lib/contract/fields';
import { readCookie, writeCookie } from '@/lib/utils/cookies';

const left = vi.hoisted(() => [] as string[]);
vi.mock('@/lib/utils/going', async (original) => ({
  ...(await original<typeof import('@/lib/utils/going')>()),
  leaveFor: (target: string) => left.push(target),
}));

const server = setupServer(
  http.get('http://localhost:3000/api/v1/a', () =>
    HttpResponse.json({ success: '10009', msg: 'Your session has ended.', obj: null }),
  ),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
// Each test loads the program anew: what one has loaded must not be there for the next.
beforeEach(() => vi.resetModules());
afterAll(() => server.close());

/** What a page has from the start; the code of the session check is no part of it. */
async function startPage() {
  const [{ bootSession }, { useAppState }, { useToasts }, { setHomeNavigation }] = await Promise.all([
    import('@/store/session'),
    import('@/store/app-state'),
    import('@/store/toasts'),
    import('@/store/session-state'),
  ]);
  let homes = 0;
  setHomeNavigation(() => {
    homes += 1;
  });
  return {
    bootSession,
    seen: () => ({
      cookies: [readCookie('Authorization'), readCookie('userInfo')],
      session: useAppState.getState().session,
      toasts: useToasts.getState().toasts.map(({ text, tone }) => `${tone}: ${text}`),
      homes,
    }),
  };
}

/** Cookies cleared, user emptied, an error toast, the home page (lib/contract/README.md, 61). */
const heard = {
  cookies: [undefined, undefined],
  session: { is: 'signed-out', told: true },
  toasts: ['error: Your session has ended.'],
  homes: 1,
};

async function call(): Promise<void> {
  const { get } = await import('@/services/http');
  await get('/a', nothingSchema);
}

describe('the session-invalid answer is heard', () => {
  it('by a page that never loaded the session check', async () => {
    const page = await startPage();
    await page.bootSession();
    // Somebody signed in in another tab, and the session was ended on the server.
    writeCookie('Authorization', 'ended');
    writeCookie('userInfo', '{}');
    await call();
    expect(page.seen()).toEqual(heard);
  });

  it('before the page was started at all', async () => {
    const page = await startPage();
    writeCookie('Authorization', 'ended');
    await call();
    expect(page.seen()).toEqual(heard);
  });

  it('even when it came before anybody listened', async () => {
    writeCookie('Authorization', 'ended');
    await call();
    const page = await startPage();
    expect(page.seen()).toEqual({ ...heard, homes: 0 });
    expect(left).toEqual(['/']);
  });

  it('by a visitor of whom no session was known, once', async () => {
    const page = await startPage();
    await page.bootSession();
    await Promise.all([call(), call(), call()]);
    await call();
    expect(page.seen()).toEqual(heard);
  });
});
