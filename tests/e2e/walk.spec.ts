import { expect, test } from '@playwright/test';
import { routes } from '../../lib/content/routes';
import { agree } from '../support/browser';
import { auditLayout, layoutShift } from '../support/layout-audit';

for (const { path } of routes) {
  test(`${path} holds together at every width`, async ({ page }) => {
    await agree(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    expect(await layoutShift(page), 'layout shift').toBeLessThan(0.02);
    for (const width of [320, 360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(50);
      expect(await auditLayout(page), `at ${width}`).toEqual([]);
    }
  });
}
