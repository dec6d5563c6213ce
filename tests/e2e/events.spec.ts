import { expect, type FrameLocator, type Page, test } from '@playwright/test';
import { agree, alive, freshAddress } from '../support/browser';

type Sent = { eventCode: string; currDocument: string; prevDocument: string; extend: string };

/** Keeps what a page and its frames log, in order: a beacon can't be read from outside, so each is sent by a request that can. */
async function keepEvents(page: Page): Promise<Sent[]> {
  const kept: Sent[] = [];
  await agree(page);
  await page.addInitScript(() => {
    Navigator.prototype.sendBeacon = (address, body) => {
      const send = (text: string) => void fetch(address, { method: 'POST', body: text, keepalive: true });
      if (body instanceof Blob) void body.text().then(send);
      else send(String(body));
      return true;
    };
  });
  await page.route('**/event/track/log', async (route) => {
    kept.push(JSON.parse(route.request().postData() ?? '{}'));
    await route.fulfill({ json: { success: '1', msg: '', obj: null } });
  });
  return kept;
}

const pathOf = (address: string) => address.replace(/\?.*/, '');
const lines = (kept: Sent[]) =>
  kept.map(({ eventCode, currDocument, prevDocument, extend }) =>
    [eventCode, JSON.parse(extend).status, pathOf(currDocument), '<-', pathOf(prevDocument)].filter(Boolean).join(' '),
  );

const product = '/win-data-recovery';
const store = '/data-recovery-store';
const before = [`page_view ${product} <-`, `page_view ${store} <- ${product}`, `buy ${store} <- ${product}`];

/** Comes to the store from a product page and opens the payment page of a plan. */
async function payFrom(page: Page): Promise<FrameLocator> {
  await page.goto(product);
  await alive(page);
  await page.getByRole('main').getByRole('link', { name: 'Buy now' }).first().click();
  await page.waitForURL(`${store}?ufrom=win`);
  await page.getByRole('button', { name: 'Buy Pro' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(freshAddress('events'));
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  return dialog.frameLocator('iframe');
}

const outcomes: Record<string, { end: (frame: FrameLocator, page: Page) => Promise<void>; logged: string[] }> = {
  success: {
    end: (frame) => frame.getByRole('button', { name: /^Pay/ }).click(),
    logged: [
      `page_view /packge-loading <- ${store}`,
      `order_result success /packge-loading <- ${store}`,
      'page_view /pay-success <- /packge-loading',
    ],
  },
  pending: {
    end: async (frame) => {
      await frame.getByRole('button', { name: /stays pending/ }).click();
      await frame.getByRole('button', { name: /^Pay/ }).click();
    },
    logged: [`page_view /pending <- ${store}`, `order_result pending /pending <- ${store}`],
  },
  cancelled: {
    end: (frame) => frame.getByRole('button', { name: 'Cancel' }).click(),
    logged: [`order_result cancelled ${store} <- ${product}`],
  },
  'cancelled by closing the overlay': {
    end: async (frame, page) => {
      await expect(frame.getByText('Test mode')).toBeVisible();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    },
    logged: [`order_result cancelled ${store} <- ${product}`],
  },
};

for (const [outcome, { end, logged }] of Object.entries(outcomes)) {
  test(`a payment that is ${outcome}: each page and the result are logged once, after the page before`, async ({
    page,
  }) => {
    const kept = await keepEvents(page);
    await end(await payFrom(page), page);
    await expect.poll(() => lines(kept).at(-1), { timeout: 90_000 }).toBe(logged.at(-1));
    await page.waitForLoadState('networkidle');
    expect(lines(kept)).toEqual([...before, ...logged]);
    if (outcome !== 'pending') return;
    await page.reload();
    await expect(page.getByText(/Order MD/)).toBeVisible();
    await expect.poll(() => lines(kept).length).toBe(before.length + logged.length + 1);
    await page.waitForTimeout(1000);
    expect(lines(kept).slice(before.length + logged.length)).toEqual(['page_view /pending <-']);
  });
}
