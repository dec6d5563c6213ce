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
    await session.send('Page.enable');
    const kinds = new Map<string, string>();
    const received: { at: number; kind: string; bytes: number }[] = [];
    let loadedAt = Number.POSITIVE_INFINITY;
    session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type.toLowerCase()));
    // Bodies as they cross the wire; headers are not counted.
    session.on('Network.dataReceived', ({ requestId, encodedDataLength, timestamp }) => {
      received.push({ at: timestamp, kind: kinds.get(requestId) ?? 'other', bytes: encodedDataLength });
    });
    session.on('Network.loadingFinished', ({ timestamp }) => {
      if (timestamp <= loadedAt) requests += 1;
    });
    const loaded = new Promise<void>((resolve) => {
      session.on('Page.loadEventFired', ({ timestamp }) => {
        loadedAt = timestamp;
        resolve();
      });
    });
    // Budgets are counted in gzip, up to the load event; what arrives idle has a cap of its own.
    await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
    await Promise.all([page.goto(path, { waitUntil: 'load' }), loaded]);
    for (const { at, kind, bytes } of received) {
      if (at > loadedAt) continue;
      sizes[kind in sizes ? (kind as keyof typeof sizes) : 'other'] += bytes;
    }
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    const isShell = interactive.test(path);
    const report = `${path}: ${JSON.stringify(sizes)} in ${requests} requests`;
    expect(sizes.script, report).toBeLessThanOrEqual(FLOOR + (isShell ? 60_000 : 12_000));
    expect(sizes.stylesheet, report).toBeLessThanOrEqual(isShell ? 15_000 : 10_000);
    if (!isShell) {
      expect(total, report).toBeLessThanOrEqual(230_000);
      return;
    }
    await page.waitForLoadState('networkidle');
    const later = received.filter(({ at, kind }) => at > loadedAt && kind === 'script');
    const laterBytes = later.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(laterBytes, `${path}: script after the shell`).toBeLessThanOrEqual(150_000);
  });
}
