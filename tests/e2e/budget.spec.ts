import { type CDPSession, expect, type Page, test } from '@playwright/test';
import { routes } from '../../lib/content/routes';
import { bought, keepToken, member } from '../support/accounts';
import { agree } from '../support/browser';

/** Script of a page of static server components alone, gzip, as measured for this version of the framework. */
const FLOOR = 137_000;
const interactive =
  /^\/(account|order-lookup|login|register|reset-password|packge-loading|pay-success|pending|.*-online)$/;

/** What crosses the wire to a page, by kind, before and after its load event: bodies in gzip, without headers. */
async function watchWire(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Page.enable');
  const kinds = new Map<string, string>();
  const received: { at: number; kind: string; bytes: number }[] = [];
  const finished: number[] = [];
  let loadedAt = Number.POSITIVE_INFINITY;
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type.toLowerCase()));
  session.on('Network.dataReceived', ({ requestId, encodedDataLength, timestamp }) => {
    received.push({ at: timestamp, kind: kinds.get(requestId) ?? 'other', bytes: encodedDataLength });
  });
  session.on('Network.loadingFinished', ({ timestamp }) => finished.push(timestamp));
  const loaded = new Promise<void>((resolve) => {
    session.on('Page.loadEventFired', ({ timestamp }) => {
      loadedAt = timestamp;
      resolve();
    });
  });
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
  return {
    loaded,
    requests: () => finished.filter((at) => at <= loadedAt).length,
    bytes: (kind: string | null, isLater = false) =>
      received
        .filter((part) => (kind === null || part.kind === kind) && part.at > loadedAt === isLater)
        .reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

for (const { path } of routes) {
  if (!interactive.test(path)) continue;
  test(`${path} keeps its budget`, async ({ page }) => {
    const wire = await watchWire(page);
    await Promise.all([page.goto(path, { waitUntil: 'load' }), wire.loaded]);
    const sizes = Object.fromEntries(
      ['document', 'script', 'stylesheet', 'font'].map((kind) => [kind, wire.bytes(kind)]),
    );
    const report = `${path}: ${JSON.stringify(sizes)} in ${wire.requests()} requests`;
    expect(wire.bytes('script'), report).toBeLessThanOrEqual(FLOOR + 60_000);
    expect(wire.bytes('stylesheet'), report).toBeLessThanOrEqual(15_000);
    await page.waitForLoadState('networkidle');
    expect(wire.bytes('script', true), `${path}: script after the shell`).toBeLessThanOrEqual(150_000);
  });
}

/** Bytes of what a page fetched, as they crossed the wire, by what they are for: its late scripts, its payload among them, and the rest. */
const fetched = (page: Page) =>
  page.evaluate(() => {
    const asked = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const [document] = performance.getEntriesByType('navigation') as PerformanceResourceTiming[];
    const late = JSON.parse(window.document.getElementById('late')?.textContent ?? '') as { src: string[] };
    const [payload, ...chunks] = late.src.map((path) => new URL(path, window.location.href).href);
    const sum = (is: (entry: PerformanceResourceTiming) => boolean) =>
      asked.filter(is).reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
    const isScript = ({ name }: PerformanceResourceTiming) => name.endsWith('.js');
    return {
      first: (document?.encodedBodySize ?? 0) + sum((entry) => !isScript(entry)),
      css: sum(({ name }) => name.endsWith('.css')),
      // Those that a part of the page may want later are fetched without being waited for.
      sheets:
        asked.filter(({ name }) => name.endsWith('.css')).length -
        window.document.querySelectorAll('link[rel=preload][as=style]').length,
      accents: asked.filter(({ name }) => name.includes('/accents.')).length,
      chunks: sum(({ name }) => chunks.includes(name)),
      payload: sum(({ name }) => name === payload),
      idle: sum((entry) => isScript(entry) && entry.name !== payload && !chunks.includes(entry.name)),
    };
  });

for (const { path } of routes) {
  if (interactive.test(path)) continue;
  test(`${path} keeps its budget`, async ({ page }) => {
    await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
    await page.goto(path);
    await page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith('__reactContainer')));
    await page.waitForLoadState('networkidle');
    const sizes = await fetched(page);
    const report = `${path}: ${JSON.stringify(sizes)}`;
    console.log(report);
    expect(sizes.first, report).toBeLessThanOrEqual(60_000);
    expect(sizes.css, report).toBeLessThanOrEqual(8_000);
    // One file, which the framework does not fetch again in parts; and no letters that the page does not write.
    expect([sizes.sheets, sizes.accents], report).toEqual([1, 0]);
    expect(sizes.payload, report).toBeGreaterThan(0);
    expect(sizes.chunks, report).toBeGreaterThan(100_000);
    expect(sizes.chunks, report).toBeLessThanOrEqual(FLOOR + 12_000);
    expect(sizes.first + sizes.payload + sizes.chunks, report).toBeLessThanOrEqual(220_000);
  });
}

test('/account, signed in, keeps its budget with every kind of dialog', async ({ page, context, request }) => {
  const buyer = await member(request, 'budget');
  await bought(request, buyer, 'whatsapp-win-pro');
  await agree(page);
  await keepToken(context, buyer.token);
  const wire = await watchWire(page);
  await Promise.all([page.goto('/account', { waitUntil: 'load' }), wire.loaded]);
  const dialog = page.getByRole('dialog');
  for (const name of ['Cancel', 'Withdraw from contract', 'Erase account']) {
    await page.getByRole('button', { name }).first().click();
    await expect(dialog.getByRole('button', { name: 'Later' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await page.getByRole('combobox', { name: 'Country' }).click();
  await expect(page.getByRole('option', { name: 'Afghanistan' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(wire.bytes('script'), 'script of the shell').toBeLessThanOrEqual(FLOOR + 60_000);
  expect(wire.bytes('script', true), 'script after the shell').toBeLessThanOrEqual(210_000);
});

test('antd comes to no page of marketing, store, payment or repair, nor to the checkout', async ({ page }) => {
  test.setTimeout(180_000);
  await agree(page);
  const carriers: string[] = [];
  page.on('response', async (response) => {
    if (!/script|stylesheet/.test(response.request().resourceType())) return;
    const text = await response.text().catch(() => '');
    if (/\bant-(btn|form|modal)\b|\.ant-input/.test(text)) carriers.push(`${page.url()}: ${response.url()}`);
  });
  const drawnByAntd = /^\/(account|order-lookup|login|register|reset-password)$/;
  for (const { path } of routes) {
    if (drawnByAntd.test(path)) continue;
    await page.goto(path);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.waitForLoadState('networkidle');
  }
  await page.goto('/data-recovery-store');
  await page.getByRole('button', { name: 'Buy Pro' }).first().click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('no-antd@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('dialog').frameLocator('iframe').getByText('Test mode')).toBeVisible();
  expect(carriers).toEqual([]);
  // The same search finds it where it is.
  await page.goto('/login');
  await expect(page.getByRole('textbox', { name: 'E-mail address' })).toBeVisible();
  await expect.poll(() => carriers.length).toBeGreaterThan(0);
});
