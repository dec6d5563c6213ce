import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { routes } from '../../lib/content/routes';
import { violations } from '../support/accessible';
import { alive, collectErrors } from '../support/browser';
import { auditLayout, layoutShift } from '../support/layout-audit';
import { askForGzip, FLOOR, fetched, watchAntd } from '../support/weight';

/*
 * Each page is loaded once, and everything that holds for every page is asked of that one. A fault does not end the
 * test, so that one run names them all.
 */
const check = expect.configure({ soft: true });

/** Screens, which have their framework once they are painted: what they begin with counts, and what they fetch by themselves then. */
const interactive =
  /^\/(account|order-lookup|login|register|reset-password|packge-loading|pay-success|pending|.*-online)$/;
const drawnByAntd = /^\/(account|order-lookup|login|register|reset-password)$/;

async function answers(request: APIRequestContext, path: string): Promise<void> {
  const response = await request.get(path);
  check(response.status()).toBe(200);
  const withSlash = await request.get(path === '/' ? '/?' : `${path}/`, { maxRedirects: 0 });
  check(withSlash.status()).toBe(200);
  const policy = response.headers()['content-security-policy'] ?? '';
  check(policy).toContain("frame-ancestors 'self'");
  check(policy).not.toContain('unsafe-inline');
  check(await response.text()).not.toMatch(/<[^>]+\sstyle="/);
}

/** A page is painted before any script is asked for. */
async function isPaintedFirst(page: Page): Promise<void> {
  const { painted, asked } = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    asked: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ startTime }) => startTime),
  }));
  check(asked.length).toBeGreaterThan(0);
  check(Math.min(...asked)).toBeGreaterThan(painted);
}

/** Bytes of a screen: the scripts that it begins with, those that it fetches by itself, and its own styles. */
async function keepsScreenBudget(page: Page, path: string): Promise<void> {
  const sizes = await fetched(page);
  const report = `${path}: ${JSON.stringify(sizes)}`;
  console.log(report);
  check(sizes.chunks, report).toBeGreaterThan(100_000);
  check(sizes.chunks + sizes.payload, report).toBeLessThanOrEqual(FLOOR + 60_000);
  check(sizes.idle, report).toBeLessThanOrEqual(150_000);
  check(sizes.ownCss, report).toBeGreaterThan(1000);
  check(sizes.ownCss, report).toBeLessThanOrEqual(9_000);
}

/** Bytes of a page whose framework comes after the first paint. */
async function keepsPageBudget(page: Page, path: string): Promise<void> {
  const sizes = await fetched(page);
  const report = `${path}: ${JSON.stringify(sizes)}`;
  console.log(report);
  check(sizes.first, report).toBeLessThanOrEqual(60_000);
  check(sizes.css, report).toBeLessThanOrEqual(8_000);
  // One file, which the framework does not fetch again in parts; and no letters that the page does not write.
  check([sizes.sheets, sizes.accents], report).toEqual([1, 0]);
  check(sizes.payload, report).toBeGreaterThan(0);
  check(sizes.chunks, report).toBeGreaterThan(100_000);
  check(sizes.chunks, report).toBeLessThanOrEqual(FLOOR + 12_000);
  check(sizes.first + sizes.payload + sizes.chunks, report).toBeLessThanOrEqual(220_000);
}

async function isAccessible(page: Page): Promise<void> {
  check(await violations(page)).toEqual([]);
}

async function holdsTogether(page: Page): Promise<void> {
  for (const width of [320, 360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(50);
    check(await auditLayout(page), `at ${width}`).toEqual([]);
  }
}

// One page in each of the browsers at hand, as no page waits for another.
test.describe.configure({ mode: 'parallel' });

for (const { path } of routes) {
  test(`${path} answers, keeps its budget, is accessible and holds together`, async ({ page, request }) => {
    await answers(request, path);

    const errors = collectErrors(page);
    const antd = watchAntd(page);
    await askForGzip(page);
    await page.goto(path);
    await alive(page);
    // Who is not signed in is led on from there, on a busy machine after the network was quiet for a while.
    if (path === '/account') await page.waitForURL(/\/login/);
    await page.waitForLoadState('networkidle');
    check(await layoutShift(page), 'layout shift').toBeLessThan(0.02);
    if (interactive.test(path)) await keepsScreenBudget(page, path);
    else await keepsPageBudget(page, path);
    await isPaintedFirst(page);

    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await check(page.locator('main')).toHaveCount(1);
    await check(page.locator('h1')).toHaveCount(1);
    await isAccessible(page);
    await holdsTogether(page);
    if (!drawnByAntd.test(path)) check(await antd.carriers(), 'antd').toEqual([]);
    check(errors).toEqual([]);
  });
}

for (const path of ['/outbox', '/checkout', '/api-reference']) {
  test(`${path} answers, is policed and is accessible`, async ({ page, request }) => {
    await answers(request, path);
    const errors = collectErrors(page);
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    // The checkout stands in a frame of another page, which has both.
    if (path !== '/checkout') {
      await check(page.locator('main')).toHaveCount(1);
      await check(page.locator('h1')).toHaveCount(1);
    }
    await isAccessible(page);
    check(errors).toEqual([]);
  });
}
