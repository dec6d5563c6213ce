import { readFile } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, type Page, test } from '@playwright/test';
import { unzipSync } from 'fflate';
import { violations } from '../support/accessible';
import { agree } from '../support/browser';
import { makeDocx, makeDocxWithoutDirectory, makePdf, makePdfWithoutTable } from '../support/documents';

const tool = '/corrupted-file-recovery-online';

async function upload(page: Page, name: string, buffer: Buffer, mimeType = 'application/octet-stream'): Promise<void> {
  await page.locator('main input[type=file]').setInputFiles({ name, mimeType, buffer });
}

async function download(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).and(page.locator('main a')).click(),
  ]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test.beforeEach(async ({ page }) => {
  await agree(page);
  await page.goto(tool);
});

test('a PDF without its cross-reference table comes back with every page', async ({ page }) => {
  await upload(page, 'report.pdf', await makePdfWithoutTable(), 'application/pdf');
  await expect(page.getByRole('heading', { name: /^Repaired/ })).toBeVisible({ timeout: 90_000 });
  expect(await violations(page)).toEqual([]);
  const { name, bytes } = await download(page);
  expect(name).toMatch(/report.*\.pdf$/);
  expect((await PDFDocument.load(bytes)).getPageCount()).toBe(3);
  await page.getByText('What we found and did').click();
  await expect(page.getByRole('heading', { name: 'Found' })).toBeVisible();
});

test('a DOCX without its central directory comes back; a reload finds the result', async ({ page }) => {
  await upload(page, 'log.docx', makeDocxWithoutDirectory());
  await expect(page.getByRole('heading', { name: /^(Repaired|Partly repaired)/ })).toBeVisible({ timeout: 90_000 });
  expect(page.url()).toMatch(/#task=/);
  await page.reload();
  await expect(page.getByRole('heading', { name: /^(Repaired|Partly repaired)/ })).toBeVisible();
  const { bytes } = await download(page);
  const text = new TextDecoder().decode(unzipSync(bytes)['word/document.xml']);
  expect(text).toContain('Paragraph 40 of the harbour log.');
});

test('healthy files come back byte for byte and are called healthy', async ({ page }) => {
  for (const [name, buffer] of [
    ['fine.pdf', await makePdf()],
    ['fine.docx', makeDocx()],
  ] as const) {
    await upload(page, name, buffer);
    await expect(page.getByRole('heading', { name: 'Nothing to repair' })).toBeVisible({ timeout: 90_000 });
    expect((await download(page)).bytes.equals(buffer)).toBe(true);
    await page.getByRole('button', { name: 'Fix another' }).click();
    await expect(page.getByRole('heading', { name: 'Drop a file here' })).toBeVisible();
  }
});

test('a file beyond repair is an honest failure with its sentence', async ({ page }) => {
  await upload(page, 'noise.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4000, 0x91)]));
  await expect(page.getByText('The file is severely damaged and cannot be repaired at this time.')).toBeVisible({
    timeout: 90_000,
  });
  await expect(page.getByRole('link', { name: 'Try desktop' })).toBeVisible();
  await page.getByRole('button', { name: 'Fix another' }).click();
  await expect(page.getByRole('heading', { name: 'Drop a file here' })).toBeVisible();
});

test('wrong ending, empty, too large and a renamed executable are refused with a sentence', async ({ page }) => {
  await upload(page, 'photo.jpg', Buffer.from('x'));
  await expect(page.getByText(/This tool takes PDF, DOCX, PPTX, XLSX, DOC, PPT or XLS/)).toBeVisible();
  await upload(page, 'empty.pdf', Buffer.alloc(0));
  await expect(page.getByText(/is empty/)).toBeVisible();
  await upload(page, 'large.pdf', Buffer.alloc(5 * 2 ** 20));
  await expect(page.getByText(/must be under 5 MB/)).toBeVisible();
  await upload(page, 'program.pdf', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(2000, 1)]));
  await expect(page.getByRole('alert').getByText(/program|executable/i)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Drop a file here' })).toBeVisible();
});

test('Delete now removes the file from the server', async ({ page }) => {
  await upload(page, 'fine.pdf', await makePdf());
  await expect(page.getByRole('heading', { name: 'Nothing to repair' })).toBeVisible({ timeout: 90_000 });
  const taskId = /#task=([\w-]+)/.exec(page.url())?.[1] ?? '';
  await page.getByRole('button', { name: 'Delete now' }).click();
  await expect(page.getByRole('heading', { name: 'This file is deleted' })).toBeVisible();
  const file = await page.request.get(`/api/v1/repair/tasks/${taskId}/file`);
  expect(file.status()).not.toBe(200);
});

test('an upload can be cancelled, and a lost connection can be tried again', async ({ page }) => {
  let isBroken = true;
  await page.route(/\/oss\/upload$/, (route) => (isBroken ? route.abort('connectionreset') : route.continue()));
  await upload(page, 'fine.pdf', await makePdf());
  await expect(page.getByRole('heading', { name: 'The upload stopped' })).toBeVisible({ timeout: 90_000 });
  isBroken = false;
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing to repair' })).toBeVisible({ timeout: 90_000 });
});

test('what lies on the server is listed for this visitor alone, and deleted from there', async ({ page, browser }) => {
  await upload(page, 'mine.pdf', await makePdfWithoutTable(), 'application/pdf');
  await expect(page.getByRole('heading', { name: /^Repaired/ })).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Fix another' }).click();
  await page.getByText('Your files on our server').click();
  await expect(page.getByText('1 of at most')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'mine.pdf' })).toContainText('repaired');
  expect(await violations(page)).toEqual([]);
  const stranger = await browser.newPage();
  await agree(stranger);
  await stranger.goto(tool);
  await stranger.getByText('Your files on our server').click();
  await expect(stranger.getByText('Nothing of yours lies there.')).toBeVisible();
  await stranger.close();
  await page.getByRole('button', { name: 'Delete mine.pdf' }).click();
  await expect(page.getByText('Nothing of yours lies there.')).toBeVisible();
});

test('pictures may be shown by other sites, nothing else may', async ({ request }) => {
  const policyOf = async (path: string) => (await request.get(path)).headers()['cross-origin-resource-policy'];
  expect(await policyOf('/')).toBe('same-origin');
  expect(await policyOf('/api/v1/health')).toBe('same-origin');
  expect(await policyOf('/nothing-here')).toBe('same-origin');
  expect(await policyOf('/tools/Banner')).toBe('cross-origin');
  const page = await (await request.get('/')).text();
  const picture = /<meta property="og:image" content="([^"]+)"/.exec(page)?.[1] ?? '';
  expect(await policyOf(new URL(picture).pathname)).toBe('cross-origin');
});

for (const [width, height] of [
  [360, 640],
  [320, 568],
] as const) {
  test(`a refused file is told where it is seen, each time, at ${width} by ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const said = page.getByRole('alert').filter({ hasText: 'can’t be repaired here' });
    for (let times = 0; times < 2; times += 1) {
      await page.evaluate(() => window.scrollTo(0, 0));
      await upload(page, 'notes.txt', Buffer.from('notes'));
      await expect(said).toBeInViewport({ ratio: 1 });
    }
    // What leads on from it, too.
    await page.evaluate(() => window.scrollTo(0, 0));
    await upload(page, 'photo.jpg', Buffer.from('photo'));
    await expect(page.getByRole('button', { name: 'Repair it as a photo' })).toBeInViewport({ ratio: 1 });
    await expect(said).toBeInViewport({ ratio: 1 });
  });
}
