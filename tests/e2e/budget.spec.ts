import { expect, test } from '@playwright/test';
import { routes } from '../../lib/content/routes';

/** Script of a page of static server components alone, gzip, as measured for this version of the framework. */
const FLOOR = 137_000;
const interactive =
  /^\/(account|order-lookup|login|register|reset-password|packge-loading|pay-success|pending|.*-online)$/;

for (const { path, built } of routes) {
  if (!built) continue;
  test(`${path} keeps its budget`, async ({ page }) => {
    const sizes = { document: 0, script: 0, stylesheet: 0, font: 0, other: 0 };
    let requests = 0;
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const kinds = new Map<string, string>();
    let isLoaded = false;
    session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type.toLowerCase()));
    // Bodies as they cross the wire; headers are not counted.
    session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      if (isLoaded) return;
      const kind = kinds.get(requestId) ?? 'other';
      const key = kind in sizes ? (kind as keyof typeof sizes) : 'other';
      sizes[key] += encodedDataLength;
    });
    session.on('Network.loadingFinished', () => {
      if (!isLoaded) requests += 1;
    });
    // Budgets are counted in gzip.
    await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
    await page.goto(path, { waitUntil: 'load' });
    isLoaded = true;
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    const isShell = interactive.test(path);
    const report = `${path}: ${JSON.stringify(sizes)} in ${requests} requests`;
    expect(sizes.script, report).toBeLessThanOrEqual(FLOOR + (isShell ? 60_000 : 12_000));
    expect(sizes.stylesheet, report).toBeLessThanOrEqual(isShell ? 15_000 : 10_000);
    if (!isShell) expect(total, report).toBeLessThanOrEqual(230_000);
  });
}
