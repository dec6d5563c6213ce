/** Numbers that code depends on (lib/contract/README.md, 9). Times in the unit that the name says. */
export const limits = {
  httpTimeoutMs: 60_000,
  /** How long an order waits for the price list, which it need not have. */
  priceListMs: 2000,
  backToTopPx: 900,
  localeCookieDays: 365,
  helperCookieDays: 2,
  generalCookieDays: 90,
  animationMs: 1000,
  loadingDelayMs: 200,
  passwordMin: 6,
  passwordMax: 32,
  chunkReloadEveryMs: 60_000,
  minimumAge: 16,
  extendMaxBytes: 2048,
} as const;

/** Marketing channel of orders and events, the event's `os`, and the `phone_os` values (lib/contract/README.md, 9). */
export const marketingChannel = 'SEO';
export const eventOs = '2';
export const phoneOs = { windowsAndOther: '2', mac: '3' } as const;
export const locale = 'en-US';
