import { expect, type Page, type Route, test } from '@playwright/test';
import { keepToken } from '../support/accounts';
import { agree } from '../support/browser';
import { makePdfWithoutTable } from '../support/documents';

/*
 * Another product API, which sends what is certain (lib/contract/README.md, 47) and nothing more, or answers that nobody
 * asked for. It stands in for ours at the same address.
 */
type Answers = Record<string, unknown>;

/** Answers each call with `obj`, or with a whole body where one is given as a function; calls that are not named have a page of a proxy. */
async function standIn(page: Page, answers: Answers): Promise<void> {
  await page.route('**/api/v1/**', (route: Route) => {
    const call = new URL(route.request().url()).pathname.replace('/api/v1', '');
    const key = `${route.request().method()} ${call}`;
    if (!(key in answers)) return route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Not found</h1>' });
    const answer = answers[key];
    return route.fulfill({ json: typeof answer === 'function' ? answer() : { success: '1', obj: answer } });
  });
}

const user = { id: 7, email: 'ann@example.com' };
const plan = {
  id: 31,
  product: 'Mendara Data Recovery for Windows',
  currentPlan: 'Pro',
  expirationDate: '2031-11-02T08:15:00.000Z',
  status: 'normal',
};
const session: Answers = { 'GET /sso/check': {}, 'GET /user/info': user, 'GET /user/products/list': [plan] };
const unusable = 'The server gave no usable answer. Please try again in a moment.';

test.beforeEach(({ page }) => agree(page));

/** What the page itself got wrong; that our stand-in has no such address is its own doing. */
function mistakes(page: Page): string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text());
  });
  return found;
}

test('sign-in with a ticket, from an API that tells id and e-mail only', async ({ page }) => {
  const errors = mistakes(page);
  await standIn(page, { ...session, 'GET /sso/login': { tokenValue: 'abc', userDetail: user } });
  await page.goto('/faq?ticket=one');
  await expect(page.locator('header').getByRole('link', { name: `Account, signed in as ${user.email}` })).toBeVisible();
  expect(errors).toEqual([]);
});

test('the account of such an API: a password is there, a plan is cancelled, the profile saved', async ({
  page,
  context,
}) => {
  await keepToken(context, 'abc');
  await standIn(page, {
    ...session,
    'PUT /user/info': () => ({ success: 1 }),
    'PUT /user/cancel/subscription/31': () => ({ success: 1, msg: 'ok', obj: true }),
    'PUT /user/password/reset': () => ({ success: '1', msg: '', obj: { changed: 1 } }),
    'GET /sso/logout': () => ({ success: '1' }),
  });
  await page.goto('/account');
  const products = page.locator('#products');
  await expect(products.getByText(plan.product)).toBeVisible();
  await expect(products.getByText('Renewal is on, charged then')).toBeVisible();
  await expect(products.getByRole('button', { name: 'Copy the licence code' })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Current password' })).toBeVisible();
  await products.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(products.getByText('Cancelled, still active')).toBeVisible();
  await page.getByLabel('First name').fill('Ann');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('Your profile is saved.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Current password' }).fill('correct horse');
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('battery staple');
  await page.getByRole('textbox', { name: 'Retype new password' }).fill('battery staple');
  await page.getByRole('button', { name: /Change password/ }).click();
  await expect(page.getByText('The password has been changed successfully, you will be logged out.')).toBeVisible();
});

const buying: Answers = { 'POST /products/list': [], 'POST /pay/create': { orderId: 42 } };

async function buyPro(page: Page): Promise<void> {
  await page.goto('/data-recovery-store');
  await page.getByRole('button', { name: 'Buy Pro' }).first().click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('guest@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue to payment' }).click();
}

test('a checkout: the address is framed, and closing it asks how the order stands', async ({ page }) => {
  await standIn(page, {
    ...buying,
    'POST /pay': { redirectUrl: '/tools/Banner?pay=42' },
    'GET /pay/info/42': { status: 'pending' },
  });
  await buyPro(page);
  await expect(page.getByRole('dialog').locator('iframe')).toHaveAttribute('src', /\/tools\/Banner\?pay=42$/);
  await page.getByRole('dialog').getByRole('button', { name: /Close/ }).first().click();
  await page.waitForURL(/\/pending\?orderId=42/);
  await expect(page.getByText(/e-mail/i).first()).toBeVisible();
});

for (const redirectUrl of ['javascript:alert(1)', 'data:text/html,x', 'mendara:pay', 7, undefined]) {
  test(`a payment page at ${redirectUrl} is refused, and Buy works again`, async ({ page }) => {
    const errors = mistakes(page);
    await standIn(page, { ...buying, 'POST /pay': () => ({ success: '1', msg: 'ok', obj: { redirectUrl } }) });
    await buyPro(page);
    await expect(page.getByRole('alert').getByText(unusable)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Buy Pro' }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(errors).toEqual([]);
  });
}

test('a repair: what is not certain may be missing', async ({ page }) => {
  const task = { taskId: 'a'.repeat(32), type: 18, fileName: 'a.pdf', fileSize: 9, expiresAt: '2031-11-02T08:15:00Z' };
  const report = {
    ...{ engineVersion: '9', verdict: 'repaired', format: 'pdf', summary: 'All of it is back.', durationMs: 5 },
    ...{ notes: [], found: [], steps: [], kept: [{ unit: 'pages', count: 3 }], rebuilt: [], lost: [] },
    ...{ input: { bytes: 9, sha256: '' }, output: null },
  };
  const address = `/repair/tasks/${task.taskId}`;
  await standIn(page, {
    'GET /oss/signature': { taskId: task.taskId, upload: { url: '/api/v1/put' } },
    'POST /put': null,
    [`POST ${address}`]: { ...task, status: 'waiting' },
    [`GET ${address}`]: { ...task, status: 'success', report, downloadUrl: '/api/v1/file' },
  });
  await page.goto('/corrupted-file-recovery-online');
  const buffer = await makePdfWithoutTable();
  await page.locator('main input[type=file]').setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer });
  await expect(page.getByRole('heading', { name: /^Repaired/ })).toBeVisible();
  await expect(page.getByText('All of it is back.')).toBeVisible();
});

test('a signature that is none is said in words', async ({ page }) => {
  const errors = mistakes(page);
  await standIn(page, { 'GET /oss/signature': { taskId: 'a'.repeat(32), upload: { url: 'javascript:1' } } });
  await page.goto('/corrupted-file-recovery-online');
  const buffer = await makePdfWithoutTable();
  await page.locator('main input[type=file]').setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer });
  await expect(page.getByText(unusable)).toBeVisible();
  expect(errors).toEqual([]);
});

test('odd answers about a session and its plans are said in words, and nobody is signed out', async ({
  page,
  context,
}) => {
  await keepToken(context, 'abc');
  await standIn(page, { ...session, 'GET /user/products/list': [{ ...plan, status: 'gone', expirationDate: 'soon' }] });
  await page.goto('/account');
  await expect(page.locator('#products').getByText(unusable)).toBeVisible();
  await expect(page.getByLabel('First name')).toBeVisible();
  await standIn(page, { ...session, 'GET /user/info': { id: {}, email: 1 } });
  await page.reload();
  await expect.poll(async () => (await context.cookies()).some(({ name }) => name === 'Authorization')).toBe(true);
});

test('a file that is no document says what matters to it, and a page and a drawing say all', async ({ request }) => {
  const page = await (await request.get('/')).text();
  const parts = [...page.matchAll(/\/_next\/static\/[^"]+\.(?:js|css|woff2)(?=")/g)].map(([path]) => path);
  const kinds = new Set(parts.map((path) => path.slice(path.lastIndexOf('.'))));
  expect([...kinds].sort()).toEqual(['.css', '.js', '.woff2']);
  for (const path of new Set(parts)) {
    const headers = (await request.get(path)).headers();
    expect(headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    expect(headers['permissions-policy'], path).toBeUndefined();
    expect(headers['cross-origin-opener-policy'], path).toBeUndefined();
  }
  for (const path of ['/', '/art/icons.svg', '/robots.txt']) {
    const headers = (await request.get(path)).headers();
    expect(headers['permissions-policy'], path).toBeDefined();
    expect(headers['cross-origin-opener-policy'], path).toBe('same-origin');
  }
});
