import { expect, type Page, test } from '@playwright/test';
import { bought, freshTicket, freshToken, isAlive, keepToken, type Member, member, siteUrl } from '../support/accounts';
import { agree, withoutBeacons } from '../support/browser';
import { newFolder, removeFolder, startSite, untilUp } from '../support/process';

const DAY_SECONDS = 86_400;
let ann: Member;
let ben: Member;

test.beforeAll(async ({ request }) => {
  ann = await member(request, 'ann');
  ben = await member(request, 'ben');
});
test.beforeEach(({ page }) => agree(page));

const header = (page: Page) => page.locator('header');
const signedInAs = (page: Page, { email }: Member) =>
  expect(header(page).getByRole('link', { name: `Account, signed in as ${email}` })).toBeVisible();
const signedOut = (page: Page) => expect(header(page).getByRole('link', { name: 'Sign in' })).toBeVisible();

/** Says yes to a ticket that this browser did not ask for. */
const acceptTicket = (page: Page, { email }: Member) =>
  page
    .getByRole('dialog', { name: `Sign in as ${email}?` })
    .getByRole('button', { name: 'Sign in', exact: true })
    .click();

/** Where errors are said; Next has an alert region of its own for route changes. */
const toasts = (page: Page) => page.locator('[role=alert]:not(#__next-route-announcer__)');

/** The value of the Authorization cookie, if there is one. */
async function keptToken(page: Page): Promise<string | undefined> {
  return (await page.context().cookies()).find(({ name }) => name === 'Authorization')?.value;
}

/** Paths of the API that the page asks from now on, with the token that it sends. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/api\/v1\/(sso|user)\//.test(pathname)) calls.push(pathname.replace('/api/v1', ''));
  });
  return calls;
}

test('nothing kept, nothing in the address: the server is asked nothing', async ({ page }) => {
  const calls = callsOf(page);
  await page.goto('/');
  await signedOut(page);
  await page.waitForLoadState('networkidle');
  expect(calls).toEqual([]);
});

test('steps 1 and 2: a cookie is checked, the user fetched and kept for 90 days', async ({ page, context }) => {
  await keepToken(context, ann.token);
  const calls = callsOf(page);
  await page.goto('/');
  await signedInAs(page, ann);
  expect(calls).toEqual(['/sso/check', '/user/info']);
  const cookies = new Map((await context.cookies()).map((cookie) => [cookie.name, cookie]));
  const days = { Authorization: 90, userInfo: 90, lang: 90, locale: 365 };
  for (const [name, count] of Object.entries(days)) {
    const cookie = cookies.get(name);
    expect(cookie, name).toMatchObject({ path: '/', sameSite: 'Lax', secure: false, domain: 'localhost' });
    const life = ((cookie?.expires ?? 0) - Date.now() / 1000) / DAY_SECONDS;
    expect(life, name).toBeGreaterThan(count - 0.1);
    expect(life, name).toBeLessThan(count + 0.1);
  }
  expect(JSON.parse(decodeURIComponent(cookies.get('userInfo')?.value ?? ''))).toMatchObject({
    email: ann.email,
    Authorization: ann.token,
  });
  const stored = await page.evaluate(() => Object.keys(window.localStorage).sort());
  expect(stored).toEqual(['isAgreeCookie', 'phone_os', 'uuid', 'website']);
});

test('step 3: a dead cookie with a ticket signs in by the ticket', async ({ page, context, request }) => {
  await keepToken(context, 'dead-token');
  await page.goto(`/?ticket=${await freshTicket(request, ann)}&gclid=7`);
  await acceptTicket(page, ann);
  await signedInAs(page, ann);
  await expect(page).toHaveURL('/?gclid=7');
  expect(await keptToken(page)).not.toBe('dead-token');
});

test('step 4: a dead cookie alone is cleared, without a word', async ({ page, context }) => {
  await keepToken(context, 'dead-token');
  await context.addCookies([
    { name: 'userInfo', value: encodeURIComponent('{"id":"x","email":"x@y.z"}'), url: siteUrl },
  ]);
  await page.goto('/');
  await expect.poll(() => keptToken(page)).toBeUndefined();
  await signedOut(page);
  const names = (await context.cookies()).map(({ name }) => name);
  expect(names).not.toContain('userInfo');
  await expect(toasts(page)).toHaveText('');
});

test('step 5: a ticket alone signs in, once, and asks when it is not of a sign-in that began here', async ({
  page,
  request,
  context,
}) => {
  await page.goto(`/?ticket=${await freshTicket(request, ben)}`);
  const question = page.getByRole('dialog', { name: `Sign in as ${ben.email}?` });
  await expect(question).toContainText('This sign-in was not begun in this window.');
  const ended = page.waitForResponse(/\/sso\/logout/);
  await page.keyboard.press('Escape');
  await signedOut(page);
  expect((await (await ended).json()).success).toBe('1');
  expect(await keptToken(page)).toBeUndefined();

  const ticket = await freshTicket(request, ann);
  await page.goto(`/?ticket=${ticket}`);
  await acceptTicket(page, ann);
  await signedInAs(page, ann);
  await context.clearCookies();
  await page.goto(`/?ticket=${ticket}`);
  await expect(toasts(page)).not.toHaveText('');
  await signedOut(page);
  await expect.poll(() => keptToken(page)).toBeUndefined();
});

test('a ticket beside a live cookie changes nothing and stays unused', async ({ page, request, context }) => {
  await keepToken(context, ann.token);
  const ticket = await freshTicket(request, ben);
  await page.goto(`/?ticket=${ticket}`);
  await signedInAs(page, ann);
  await expect(page).toHaveURL('/');
  const login = await request.get(`/api/v1/sso/login?ticket=${ticket}`);
  expect((await login.json()).success).toBe('1');
});

test('step 6: a token is kept and checked; a bad one gives way to the session or the ticket', async ({
  page,
  request,
}) => {
  await page.goto(`/?token=${await freshToken(request, ann)}`);
  await signedInAs(page, ann);
  await expect(page).toHaveURL('/');
  const before = await keptToken(page);

  await page.goto('/?token=not-a-token');
  await signedInAs(page, ann);
  await expect.poll(() => keptToken(page)).toBe(before);

  const benToken = await freshToken(request, ben);
  await page.goto(`/?token=${benToken}`);
  const question = page.getByRole('dialog', { name: `Sign in as ${ben.email}?` });
  await expect(question).toContainText(ann.email);
  await page.keyboard.press('Escape');
  await signedInAs(page, ann);
  expect(await keptToken(page)).toBe(before);
  await page.goto(`/?token=${benToken}`);
  await question.getByRole('button', { name: 'Switch account' }).click();
  await expect(page.getByText(`You are now signed in as ${ben.email}.`)).toBeVisible();
  await expect.poll(() => keptToken(page)).toBe(benToken);

  await page.context().clearCookies();
  const ticket = await freshTicket(request, ann);
  await page.goto(`/?token=not-a-token&ticket=${ticket}`);
  await acceptTicket(page, ann);
  await signedInAs(page, ann);
  await page.goto(`/?token=${benToken}&ticket=${await freshTicket(request, ann)}`);
  await question.getByRole('button', { name: 'Switch account' }).click();
  await signedInAs(page, ben);
});

test('a token without anything else that fails leaves nobody signed in', async ({ page }) => {
  await page.goto('/?token=not-a-token');
  await signedOut(page);
  await expect.poll(() => keptToken(page)).toBeUndefined();
});

test.describe('the check is', () => {
  const check = '**/api/v1/sso/check';

  test('slow: the page works meanwhile, the account waits', async ({ page, context }) => {
    await keepToken(context, ann.token);
    await page.route(check, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await route.continue();
    });
    await page.goto('/account');
    await expect(page.getByText('Your account is loading.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'My products' })).toBeVisible();
  });

  test('lost: nobody is signed out, and the account asks again', async ({ page, context }) => {
    await keepToken(context, ann.token);
    await page.route(check, (route) => route.abort('connectionfailed'));
    await page.goto('/account');
    await expect(page.getByRole('heading', { name: 'Your account didn’t load' })).toBeVisible();
    expect(await keptToken(page)).toBe(ann.token);
    await page.unroute(check);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'My products' })).toBeVisible();
    await page.route(check, (route) => route.abort('connectionfailed'));
    await page.reload();
    await signedInAs(page, ann);
  });

  test('answered by a server in trouble: nobody is signed out', async ({ page, context }) => {
    await keepToken(context, ann.token);
    const trouble = { success: '10503', msg: 'Down for a minute.', obj: null };
    await page.route(check, (route) => route.fulfill({ status: 503, json: trouble }));
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    expect(await keptToken(page)).toBe(ann.token);
  });

  test('refused: the session is over, and a ticket takes its place', async ({ page, context, request }) => {
    const refused = { success: '10403', msg: 'No.', obj: null };
    await page.route(check, (route) => route.fulfill({ status: 403, json: refused }));
    await keepToken(context, ann.token);
    await page.goto('/');
    await signedOut(page);
    await expect.poll(() => keptToken(page)).toBeUndefined();
    await keepToken(context, ann.token);
    await page.goto(`/?ticket=${await freshTicket(request, ben)}`);
    await acceptTicket(page, ben);
    await signedInAs(page, ben);
  });
});

test('step 8: ten calls that end together make one toast, clear the cookies and lead home', async ({
  page,
  context,
  request,
}) => {
  const buyer = await member(request, 'ten');
  for (let count = 0; count < 4; count += 1) await bought(request, buyer, 'duplicate-mac-ultimate');
  await keepToken(context, buyer.token);
  await page.goto('/account');
  await expect(page.getByRole('button', { name: /Download receipt/ })).toHaveCount(4);
  let held = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/{user,orders}/**', async (route) => {
    held += 1;
    await released;
    await route.continue();
  });
  await request.get('/api/v1/sso/logout', { headers: { authorization: buyer.token } });
  for (const button of await page.getByRole('button', { name: /Download receipt/ }).all()) await button.click();
  await page.getByRole('button', { name: 'Save profile' }).click();
  await page.getByRole('button', { name: 'Export my data' }).click();
  for (let count = 0; count < 4; count += 1) {
    await page
      .getByRole('button', { name: /Withdraw from contract/ })
      .nth(count)
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Later' }).click();
  }
  await expect.poll(() => held).toBe(10);
  release();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('alert').getByText('Your session has ended. Please sign in again.')).toHaveCount(1);
  await signedOut(page);
  const names = (await context.cookies()).map(({ name }) => name);
  expect(names).not.toContain('Authorization');
  expect(names).not.toContain('userInfo');
  await page.waitForTimeout(1500);
  await expect(page).toHaveURL('/');
});

test('two tabs: what one does to the session, the other follows', async ({ page, context, request }) => {
  await keepToken(context, await freshToken(request, ann));
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'My products' })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/');
  await signedInAs(other, ann);
  await other.goto(`/?token=${await freshToken(request, ben)}`);
  await other.getByRole('button', { name: 'Switch account' }).click();
  await signedInAs(other, ben);
  await signedInAs(page, ben);
  await expect(page.getByText(`You are now signed in as ${ben.email}.`)).toBeVisible();
  const token = (await keptToken(page)) ?? '';
  await other.goto('/account');
  await other.getByRole('button', { name: 'Sign out', exact: true }).click();
  await signedOut(other);
  await expect(page.getByText('this was done in another tab')).toBeVisible();
  await signedOut(page);
  await expect(page).toHaveURL('/');
  expect(await isAlive(request, token)).toBe(false);
});

test('ticket and token reach no event, no referrer and no later address', async ({ page, request }) => {
  const ticket = await freshTicket(request, ann);
  const token = await freshToken(request, ann);
  await withoutBeacons(page);
  const told: string[] = [];
  page.on('request', (sent) => {
    const address = sent.url().includes('/sso/login') || sent.isNavigationRequest() ? '' : sent.url();
    told.push(`${address} ${sent.headers().referer ?? ''} ${sent.postData() ?? ''}`);
  });
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  for (const secret of [`ticket=${ticket}`, `token=${token}`]) {
    await page.goto(`/?${secret}&gclid=5`);
    if (secret.startsWith('ticket')) await acceptTicket(page, ann);
    await signedInAs(page, ann);
    await page.locator('footer').getByRole('link', { name: 'About Us' }).click();
    await page.waitForURL(/about-us/);
    addresses.length = 0;
    await page.goBack();
    await page.waitForURL('/?gclid=5');
    await page.reload();
    await signedInAs(page, ann);
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(address).not.toMatch(/ticket|token/);
  }
  expect(told.some((line) => line.includes('"eventCode":"page_view"'))).toBe(true);
  for (const line of told) {
    expect(line).not.toContain(ticket);
    expect(line).not.toContain(token);
  }
});

test('ticket and token are not in the server’s log', async () => {
  const folder = newFolder();
  const site = startSite(3407, folder);
  try {
    await untilUp(site);
    for (const path of ['/', '/account', '/api/v1/sso/login', '/api/v1/sso/check']) {
      await fetch(`${site.url}${path}?ticket=secret-ticket&token=secret-token`, {
        headers: { authorization: 'secret-token', referer: `${site.url}/?ticket=secret-ticket` },
      });
    }
  } finally {
    site.process.kill('SIGTERM');
    await site.exited;
    removeFolder(folder);
  }
  expect(site.output()).toContain(site.url);
  expect(site.output()).not.toMatch(/secret-(ticket|token)/);
});

test('events go out only after Agree, with all their fields, and never hold anything up', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: siteUrl });
  const page = await context.newPage();
  await withoutBeacons(page);
  const sent: string[] = [];
  await page.route('**/event/track/log', async (route) => {
    sent.push(route.request().postData() ?? '');
    await route.abort('connectionrefused');
  });
  await page.goto('/faq?gclid=1');
  await page.locator('footer').getByRole('link', { name: 'About Us' }).click();
  await page.waitForURL(/about-us/);
  await page.waitForLoadState('networkidle');
  expect(sent).toEqual([]);
  expect(await page.evaluate(() => window.localStorage.getItem('uuid'))).toBeNull();
  await page.getByRole('button', { name: 'Agree' }).click();
  await expect.poll(() => sent.length).toBe(1);
  const uuid = await page.evaluate(() => window.localStorage.getItem('uuid'));
  expect(JSON.parse(sent[0] ?? '')).toEqual({
    apkChannel: '',
    currDocument: '/about-us?gclid=1',
    domain: 'localhost',
    eventCode: 'page_view',
    eventType: 'view',
    extend: '{"path":"/about-us"}',
    ip: '',
    ipCountryCode: '',
    marketingChannel: 'SEO',
    os: '2',
    prevDocument: '',
    trackId: uuid,
    userId: '',
    version: '100',
  });
  await page.locator('footer').getByRole('link', { name: 'Contact Us' }).click();
  await page.waitForURL(/contact-us/);
  await expect.poll(() => sent.length).toBe(2);
  expect(JSON.parse(sent[1] ?? '').prevDocument).toBe('/about-us?gclid=1');
  await context.close();
});
