import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';

/** A control whose press is timed; `opens` is what stands there afterwards. */
export type Tap = { what: string; path: string; press: string };

/** Bytes as they crossed the wire: `first` is all that is not script and came before the load event, `all` what came in 10 s. */
export type Weight = { first: number; script: number; all: number; requests: number; longest: number; blocked: number };

const untouchedMs = 10_000;
/** What a finger takes at least from the end of a scroll to a press: what the page does about the scroll is not the press's. */
const restMs = 800;

async function onPhone<T>(
  browser: Browser,
  work: (page: Page, session: CDPSession, context: BrowserContext) => Promise<T>,
) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  });
  await context.addInitScript(() => window.localStorage.setItem('isAgreeCookie', 'true'));
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    return await work(page, session, context);
  } finally {
    await context.close();
  }
}

/** From the press to the next frame painted (Event Timing, in steps of 8 ms; under 16 ms is told as 16), at a quarter of the processor. */
export function timeTap(browser: Browser, url: string, press: string, isEarly: boolean): Promise<number> {
  return onPhone(browser, async (page) => {
    await page.addInitScript(() => {
      const kept = window as unknown as { __taps: number[] };
      kept.__taps = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if (/^(click|pointerup|pointerdown)$/.test(entry.name)) kept.__taps.push(entry.duration);
        }
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    });
    await page.goto(url, { waitUntil: isEarly ? 'commit' : 'networkidle' });
    const control = page.locator(press).first();
    await control.waitFor({ state: 'visible' });
    if (!isEarly) {
      await page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith('__reactContainer')));
      await page.waitForTimeout(1500);
    }
    await control.scrollIntoViewIfNeeded();
    if (!isEarly) await page.waitForTimeout(restMs);
    const at = await control.boundingBox();
    if (!at) throw new Error(`${press} is not to be seen on ${url}.`);
    await page.touchscreen.tap(at.x + at.width / 2, at.y + at.height / 2);
    await page.waitForTimeout(1200);
    const taps = await page.evaluate(() => (window as unknown as { __taps: number[] }).__taps);
    return Math.max(16, ...taps);
  });
}

/** What a page weighs and how long it holds the main thread, untouched for 10 s at a quarter of the processor. */
export function weigh(browser: Browser, url: string): Promise<Weight> {
  return onPhone(browser, async (page, session) => {
    await session.send('Network.enable');
    const kinds = new Map<string, string>();
    const weight = { first: 0, script: 0, all: 0, requests: 0 };
    let isLoaded = false;
    page.once('load', () => {
      isLoaded = true;
    });
    session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const isScript = kinds.get(requestId) === 'Script';
      weight.all += encodedDataLength;
      weight.requests += 1;
      if (isScript) weight.script += encodedDataLength;
      else if (!isLoaded) weight.first += encodedDataLength;
    });
    await page.addInitScript(() => {
      const kept = window as unknown as { __long: number[] };
      kept.__long = [];
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) kept.__long.push(duration);
      }).observe({ type: 'longtask', buffered: true });
    });
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(untouchedMs);
    const long = await page.evaluate(() => (window as unknown as { __long: number[] }).__long);
    return {
      ...weight,
      longest: Math.max(0, ...long),
      blocked: long.reduce((sum, duration) => sum + duration - 50, 0),
    };
  });
}
