import { type APIRequestContext, expect, type Page } from '@playwright/test';

type Row = { id: string; to: string; subject: string };

/** Agrees to the cookie banner, so that it covers nothing. */
export async function agree(page: Page): Promise<void> {
  await page.addInitScript(() => window.localStorage.setItem('isAgreeCookie', 'true'));
}

/** Waits until the framework has taken the page over, which it does after the first paint. */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith('__reactContainer')));
}

/** Waits for a mail to an address and returns its text. */
export async function mailTo(request: APIRequestContext, to: string, subject: RegExp): Promise<string> {
  let text = '';
  await expect
    .poll(
      async () => {
        const list = await (await request.get('/api/v1/outbox')).json();
        const row = (list.obj as Row[]).find((mail) => mail.to === to && subject.test(mail.subject));
        if (!row) return false;
        text = (await (await request.get(`/api/v1/outbox/${row.id}`)).json()).obj.text;
        return true;
      },
      { message: `a mail to ${to} about ${subject}`, timeout: 60_000 },
    )
    .toBe(true);
  return text;
}

/** An address that no other test uses. */
export function freshAddress(name: string): string {
  return `${name}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}@example.com`;
}

/** Registers, confirms by the mailed code and returns signed in, at the account. */
export async function registerAccount(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Retype password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
  const code = /\b(\d{6})\b/.exec(await mailTo(page.request, email, /./))?.[1] ?? '';
  await page.getByLabel('Code from the mail').fill(code);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await page.waitForURL(/\/account\/?$/);
  await expect(page.getByRole('heading', { name: 'My products' })).toBeVisible();
}

/** Everything the page wrote to its console as an error, and every uncaught error. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
}

/** What a beacon carries can't be read from outside, so the log takes its other way. */
export const withoutBeacons = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'sendBeacon', { value: undefined }));

/** Holds back what is fetched from such addresses until it is let through, as a slow network does. */
export async function holdBack(page: Page, addresses: string): Promise<() => void> {
  let letThrough = () => {};
  const open = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(addresses, async (route) => {
    await open;
    await route.continue();
  });
  return letThrough;
}
