import { expect, test } from '@playwright/test';
import { agree, freshAddress } from '../support/browser';
import { newFolder, removeFolder, type Site, startSite, untilUp } from '../support/process';
import { type StripeStub, startStripeStub } from '../support/stripe-stub';

const PORT = 3405;
let stub: StripeStub;
let site: Site;
const folder = newFolder();

test.beforeAll(async () => {
  stub = await startStripeStub();
  site = startSite(PORT, folder, {
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: stub.secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_stub',
    STRIPE_WEBHOOK_SECRET: stub.webhookSecret,
    STRIPE_API_URL: stub.url,
  });
  await untilUp(site);
});
test.afterAll(async () => {
  site.process.kill('SIGTERM');
  await site.exited;
  await stub.stop();
  removeFolder(folder);
});

/** Stands for Stripe.js: asks for the secret as the real one does, and leads to the return address when it is paid. */
function scriptFor(returnUrl: string): string {
  return `window.Stripe = (key) => ({
    initEmbeddedCheckout: async ({ fetchClientSecret }) => {
      const secret = await fetchClientSecret();
      return {
        mount(place) {
          const button = document.createElement('button');
          button.textContent = 'Pay with ' + key + ' ' + secret;
          button.onclick = () => window.location.replace(${JSON.stringify(returnUrl)});
          place.append(button);
        },
        destroy() {},
      };
    },
  });`;
}

test('a purchase by Stripe: its form in our frame, under a policy of its own, paid when the webhook says so', async ({
  page,
}) => {
  await agree(page);
  await page.route('https://js.stripe.com/**', (route) => {
    const returnUrl = stub.sessions.at(-1)?.fields.get('return_url') ?? '';
    return route.fulfill({ contentType: 'text/javascript', body: scriptFor(returnUrl) });
  });
  const blocked: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) blocked.push(message.text());
  });
  await page.goto(`${site.url}/data-recovery-store`);
  await page.getByRole('button', { name: 'Buy Ultimate' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(freshAddress('stripe'));
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  const pay = dialog.frameLocator('iframe').getByRole('button', { name: /^Pay with pk_test_stub cs_\w+_secret_x$/ });
  await expect(pay).toBeVisible();
  const session = stub.sessions.at(-1);
  if (!session) throw new Error('No page was asked for.');
  const { body, header } = stub.event('checkout.session.completed', stub.sessionObject(session));
  const told = await fetch(`${site.url}/api/v1/pay/webhook/stripe`, {
    method: 'POST',
    body,
    headers: { 'stripe-signature': header },
  });
  expect(told.status).toBe(200);
  await pay.click();
  await page.waitForURL(/\/pay-success\?.*orderId=/, { timeout: 90_000 });
  await expect(page.getByText('Paid. Your receipt and licence code')).toBeVisible();
  expect(blocked).toEqual([]);
  expect(site.output()).not.toContain(`${session.id}_secret_x`);
  expect(site.output()).not.toContain(stub.secretKey);
});

test('Stripe’s form that does not load says that nothing was charged, and loads again', async ({ page }) => {
  await agree(page);
  let isDown = true;
  await page.route('https://js.stripe.com/**', (route) =>
    isDown ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: scriptFor('/') }),
  );
  await page.goto(`${site.url}/whatsapp-store`);
  await page.getByRole('button', { name: 'Buy Pro' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(freshAddress('down'));
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  const frame = dialog.frameLocator('iframe');
  await expect(frame.getByText('Nothing was charged.')).toBeVisible();
  isDown = false;
  await frame.getByRole('button', { name: 'Try again' }).click();
  await expect(frame.getByRole('button', { name: /^Pay with/ })).toBeVisible();
});
