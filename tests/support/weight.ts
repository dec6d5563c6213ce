import type { CDPSession, Page } from '@playwright/test';

/** Script of a page of static server components alone, gzip, as measured for this version of the framework. */
export const FLOOR = 137_000;

/** What crosses the wire to a page, by kind, before and after its load event: bodies in gzip, without headers. */
export async function watchWire(page: Page) {
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

/** Bytes of what a page fetched, as they crossed the wire, by what they are for: its late scripts, its payload among them, and the rest. */
export const fetched = (page: Page) =>
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

/** Addresses of scripts and styles that a browser fetched before and that hold nothing of antd; their names change with their content. */
const clean = new Set<string>();

/** Scripts and styles with parts of antd in them, of all that the page fetches from now on. */
export function watchAntd(page: Page): { carriers: () => Promise<string[]> } {
  const reading: Promise<string | null>[] = [];
  page.on('response', (response) => {
    const address = response.url();
    if (!/script|stylesheet/.test(response.request().resourceType()) || clean.has(address)) return;
    const read = async () => {
      const text = await response.text().catch(() => null);
      if (text === null) return null;
      if (/\bant-(btn|form|modal)\b|\.ant-input/.test(text)) return `${page.url()}: ${address}`;
      clean.add(address);
      return null;
    };
    reading.push(read());
  });
  return { carriers: async () => (await Promise.all(reading)).filter((carrier) => carrier !== null) };
}
