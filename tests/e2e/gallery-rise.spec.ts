import { expect, type Page, test } from '@playwright/test';
import { agree, alive } from '../support/browser';
import { layoutShift } from '../support/layout-audit';

const PAGE = '/win-data-recovery';
const row = (page: Page) => page.getByRole('region', { name: /^Screens of/ });
const place = (page: Page) => page.getByText(/^\d of \d$/);
const hidden = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('[data-rise]')].filter((block) => getComputedStyle(block).opacity !== '1').length,
  );

test('the gallery is moved by its buttons, by keys and by scrolling, and nothing shifts when Swiper comes', async ({
  page,
}) => {
  await agree(page);
  const scripts: string[] = [];
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script' && (await response.text()).includes('swiper-notification')) {
      scripts.push(response.url());
    }
  });
  await page.goto(PAGE);
  await page.waitForLoadState('networkidle');
  expect(scripts).toEqual([]);
  const before = await row(page).boundingBox();
  await row(page).scrollIntoViewIfNeeded();
  const next = page.getByRole('button', { name: 'Next screen' });
  await expect(next).toBeVisible();
  // What a script holds is read after it has come.
  await expect.poll(() => scripts.length).toBeGreaterThan(0);
  const after = await row(page).boundingBox();
  expect([after?.width, after?.height]).toEqual([before?.width, before?.height]);
  expect(await layoutShift(page)).toBeLessThan(0.02);
  await expect(page.getByRole('group', { name: /^Screen 1 of/ })).toBeVisible();

  await expect(place(page)).toHaveText(/^1 of/);
  await next.click();
  await expect(place(page)).toHaveText(/^2 of/);
  await page.keyboard.press('ArrowLeft');
  await expect(place(page)).toHaveText(/^1 of/);
  await row(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(place(page)).toHaveText(/^2 of/);
  await row(page).evaluate((element) => element.scrollTo({ left: element.scrollWidth, behavior: 'instant' }));
  const count = await row(page).locator('figure').count();
  await expect(place(page)).toHaveText(`${count} of ${count}`);
  await expect(next).toHaveAttribute('aria-disabled', 'true');

  // Arrow keys that are meant for another part of the page leave the gallery alone.
  await page.getByRole('tab', { name: 'FAQs' }).focus();
  await row(page).evaluate((element) => element.scrollIntoView({ block: 'end' }));
  await page.keyboard.press('ArrowLeft');
  await page.waitForTimeout(400);
  await expect(place(page)).toHaveText(`${count} of ${count}`);
});

/** Scrolls a little, to and fro, until blocks below the fold are marked: the first scroll that the page hears counts, which is a moment after it is alive. */
async function scrollUntilMarked(page: Page, atLeast: number): Promise<void> {
  await alive(page);
  const scrolled = async () => {
    await page.evaluate(() => window.scrollTo(0, window.scrollY === 300 ? 320 : 300));
    return hidden(page);
  };
  await expect.poll(scrolled).toBeGreaterThanOrEqual(atLeast);
}

test('blocks below the fold rise once, after the first scroll; before it all is visible', async ({ page }) => {
  await agree(page);
  await page.goto(PAGE);
  await page.waitForLoadState('networkidle');
  expect(await hidden(page)).toBe(0);
  await scrollUntilMarked(page, 3);
  await page.emulateMedia({ media: 'print' });
  expect(await hidden(page)).toBe(0);
  await page.emulateMedia({ media: 'screen' });
  const last = page.locator('[data-rise]').last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toHaveCSS('opacity', '1');
  await expect(last).toHaveCSS('transition-duration', '1s, 1s');
  // Once: out of sight and back, it stays.
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForTimeout(300);
  await expect(last).toHaveCSS('opacity', '1');
});

test('on a page reached by a link, too', async ({ page }) => {
  await agree(page);
  await page.goto('/');
  await scrollUntilMarked(page, 1);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.locator('header').getByRole('link', { name: 'Store', exact: true }).click();
  await expect(page).toHaveURL(/\/product-center$/);
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 300);
  await page.locator('[data-rise]').last().scrollIntoViewIfNeeded();
  await expect.poll(() => hidden(page)).toBe(0);
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test('nothing is ever hidden', async ({ page }) => {
    await agree(page);
    await page.goto(PAGE);
    await page.evaluate(() => window.scrollTo(0, 300));
    await page.waitForTimeout(500);
    expect(await hidden(page)).toBe(0);
    await expect(page.locator('[data-aos]')).toHaveCount(0);
  });
});
