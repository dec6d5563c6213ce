import type { Page } from '@playwright/test';

/** Script of a page of static server components alone, gzip, as measured for this version of the framework. */
export const FLOOR = 137_000;

/** Has everything sent in gzip, in which bytes are counted, as browsers ask for it over plain HTTP. */
export const askForGzip = (page: Page) => page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });

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
      // The page's own, without those of parts that a screen fetches then.
      ownCss: sum(({ name }) => name.endsWith('.css') && name.includes('/late/')),
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
