import { randomUUID } from 'node:crypto';
import type { TicketReturn } from '@/lib/contract/sign-in';
import { hashPassword } from '@/lib/server/accounts/passwords';
import { randomIds } from '@/lib/server/base/ids';
import { users } from '@/lib/server/db/schema';
import { SITE, startApi, type TestApi } from '../api/harness/api';
import { startProvider, type TestProvider } from '../support/oidc-provider.mjs';

/** A way to sign in that the whole suite must pass on. */
export type SignInAdapter = {
  name: string;
  variables(): Record<string, string>;
  /** Somebody whose address is this one signs in, from a page that wants them back at `redirectUri`; where they are led. */
  signIn(api: TestApi, email: string, redirectUri: string): Promise<string>;
  stop(): Promise<void>;
};

/** The API with such a way to sign in; calls to elsewhere, as to a provider, leave it. */
export async function startWith(adapter: SignInAdapter): Promise<TestApi> {
  const api = await startApi(adapter.variables());
  const inProcess = api.ctx.fetch;
  api.ctx.fetch = (input, init) =>
    String(input instanceof Request ? input.url : input).startsWith(SITE) ? inProcess(input, init) : fetch(input, init);
  return api;
}

/** Our own pages. Who signs in for the first time has an account made by hand, as a purchase or a registration would. */
export const embeddedAdapter: SignInAdapter = {
  name: 'embedded',
  variables: () => ({}),
  async signIn(api, email, redirectUri) {
    const passwordHash = await hashPassword('correct horse');
    await api.ctx.db
      .insert(users)
      .values({ id: randomIds.row(), email, passwordHash, createdAt: api.ctx.now() })
      .onConflictDoUpdate({ target: users.email, set: { passwordHash } });
    const body = { email, password: 'correct horse', redirectUri };
    const { obj, status } = await api.ask<TicketReturn>('POST', '/sso/password', { body });
    return status === 200 ? obj.url : `refused ${status}`;
  },
  stop: async () => undefined,
};

/** Keeps the cookies of one browser; `localhost` and `127.0.0.1` apart. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  cookiesOf(address: URL): string {
    return [...(this.#cookies.get(address.hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(address: URL, response: Response): void {
    const kept = this.#cookies.get(address.hostname) ?? new Map<string, string>();
    this.#cookies.set(address.hostname, kept);
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      kept.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
  }
}

/** Opens an address as a browser does, by the API where it is ours, until it is led to a page; where that is. */
export async function follow(api: TestApi, browser: Browser, start: string, isEnd = isPage): Promise<string> {
  let at = new URL(start);
  for (let hops = 0; hops < 12; hops += 1) {
    if (isEnd(at)) return at.href;
    const headers = { cookie: browser.cookiesOf(at) };
    const isOurs = at.origin === SITE;
    const response = isOurs
      ? await api.send('GET', `${at.pathname.replace('/api/v1', '')}${at.search}`, { headers })
      : await fetch(at, { headers, redirect: 'manual' });
    browser.keep(at, response);
    const location = response.headers.get('location');
    if (!location) throw new Error(`${at.pathname} led nowhere: ${response.status} ${await response.text()}`);
    at = new URL(location, at);
  }
  throw new Error('It was led in a circle.');
}

function isPage(address: URL): boolean {
  return address.origin === SITE && !address.pathname.startsWith('/api/');
}

/** Where a sign-in begins. */
export async function beginAt(api: TestApi, redirectUri: string): Promise<string> {
  const { obj } = await api.ask<string>('GET', '/sso/auth/url');
  const address = new URL(obj);
  address.searchParams.set('redirect_uri', redirectUri);
  return address.href;
}

/** A real provider of the package registry. */
export async function openIdAdapter(): Promise<SignInAdapter & { provider: TestProvider }> {
  const provider = await startProvider(`${SITE}/api/v1/sso/provider/callback`);
  const subjects = new Map<string, string>();
  return {
    name: 'OpenID Connect',
    provider,
    variables: () => ({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
    }),
    async signIn(api, email, redirectUri) {
      const sub = subjects.get(email) ?? randomUUID();
      subjects.set(email, sub);
      provider.person = { sub, email, email_verified: true };
      return follow(api, new Browser(), await beginAt(api, redirectUri));
    },
    stop: () => provider.stop(),
  };
}
