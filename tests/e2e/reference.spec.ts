import { expect, test } from '@playwright/test';
import { violations } from '../support/accessible';

type Document = { openapi: string; paths: Record<string, Record<string, { summary: string }>> };

test('the page of the API shows every call of its document, without script, at 360 px and in the dark', async ({
  browser,
  request,
  baseURL,
}) => {
  const served = await request.get('/api/v1/openapi.json');
  expect(served.headers()['content-type']).toMatch(/^application\/json/);
  const document: Document = await served.json();
  expect(document.openapi).toMatch(/^3\.1\./);
  const context = await browser.newContext({
    viewport: { width: 360, height: 800 },
    colorScheme: 'dark',
    javaScriptEnabled: false,
    ...(baseURL ? { baseURL } : {}),
  });
  const page = await context.newPage();
  await page.goto('/api-reference');
  await expect(page.getByRole('heading', { level: 1, name: 'Product API' })).toBeVisible();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { summary }] of Object.entries(methods)) {
      const call = page.locator('main summary', { hasText: `${method.toUpperCase()} ${path}${summary}` });
      await expect(call, `${method} ${path}`).toHaveCount(1);
    }
  }
  for (const summary of await page.locator('main summary').all()) await summary.click();
  const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(overflow).toBe(0);
  await context.close();
});

test('the page of the API is accessible with every call open, and links lead to what they name', async ({ page }) => {
  await page.goto('/api-reference');
  await page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
  expect(await violations(page)).toEqual([]);
  const dead = await page
    .locator('main a[href^="#"]')
    .evaluateAll((links) =>
      links
        .map((link) => link.getAttribute('href') ?? '')
        .filter((href) => !window.document.getElementById(href.slice(1))),
    );
  expect(dead).toEqual([]);
});
