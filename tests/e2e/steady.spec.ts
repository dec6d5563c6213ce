import { expect, test } from '@playwright/test';
import type { contentPages } from '../../lib/content/routes';
import { agree, holdBack } from '../support/browser';
import { layoutShift } from '../support/layout-audit';

/** One page of each kind; the heading of the article nearly fills its line. */
const paths = [
  '/',
  '/win-data-recovery',
  '/data-recovery-store',
  '/faq',
  '/how-to/word-document-corrupt',
  '/privacy-policy',
] as const satisfies readonly (typeof contentPages)[number]['path'][];

for (const path of paths) {
  for (const width of [1440, 412, 390]) {
    test(`${path} at ${width} px stays where it is when its faces come late`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await agree(page);
      const letThrough = await holdBack(page, '**/*.woff2');
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      const hasStandIn = await page.evaluate(() =>
        ['Arial', 'Liberation Sans'].some((name) => {
          const context = document.createElement('canvas').getContext('2d');
          const widthIn = (font: string) => {
            if (context) context.font = font;
            return context?.measureText('The harbour lies at the end of a long road').width;
          };
          return widthIn(`40px "${name}", monospace`) !== widthIn('40px monospace');
        }),
      );
      test.skip(!hasStandIn, 'No Arial, nor what is drawn to its measures, is installed here.');
      letThrough();
      await page.evaluate(() => document.fonts.ready);
      await page.waitForLoadState('networkidle');
      expect(await layoutShift(page)).toBeLessThan(0.002);
    });
  }
}

for (const path of ['/faq', '/data-recovery-store', '/privacy-policy'] as const) {
  test(`${path} stays where it is while the cookie card looks for its place on a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(path);
    const card = page.getByRole('region', { name: 'Cookies' });
    const lowest = 640 - 16;
    const bottom = async () =>
      Math.round(((await card.boundingBox())?.y ?? 0) + ((await card.boundingBox())?.height ?? 0));
    await expect.poll(bottom, 'the card has moved').toBeLessThan(lowest);
    expect(await layoutShift(page)).toBeLessThan(0.002);
  });
}

test('the cookie card is as high before its face has come as after, at any width of a phone', async ({ page }) => {
  const letThrough = await holdBack(page, '**/*.woff2');
  await page.goto('/faq', { waitUntil: 'domcontentloaded' });
  const card = page.getByRole('region', { name: 'Cookies' });
  await expect(card).toBeVisible();
  const heights = async () => {
    const found: (number | undefined)[] = [];
    for (let width = 320; width < 640; width += 10) {
      await page.setViewportSize({ width, height: 844 });
      found.push((await card.boundingBox())?.height);
    }
    return found;
  };
  const before = await heights();
  letThrough();
  await page.evaluate(() => document.fonts.ready);
  expect(await heights()).toEqual(before);
});
