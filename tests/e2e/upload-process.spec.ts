import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { makePdfWithoutTable } from '../support/documents';
import { type Line, openLine } from '../support/line';
import { newFolder, removeFolder, type Site, startSite, stopAllSites, untilUp } from '../support/process';
import { startTestStore } from '../support/s3/server';

const MB = 2 ** 20;
const SIZE = 24 * MB;
const [LINE_PORT, SITE_PORT] = [3421, 3422];
const CUT_OFF = 'The connection is gone. What has arrived is kept, and the upload goes on by itself when it is back.';

test.describe.configure({ mode: 'serial' });
let folder: string;
let film: string;
let site: Site;
let line: Line;

const start = () =>
  startSite(SITE_PORT, folder, { SITE_URL: `http://localhost:${LINE_PORT}`, UPLOAD_RESUMABLE_MB: '1' });

async function open(page: Page): Promise<void> {
  await page.goto(`http://localhost:${LINE_PORT}/video-repair-online`);
}

/** A file that is chosen before the page's program is there is not seen by it. */
async function choose(page: Page, file: Parameters<Locator['setInputFiles']>[0] = film): Promise<void> {
  const input = page.locator('main input[type=file]');
  const isHeard = () => input.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps')));
  await expect.poll(isHeard, { timeout: 90_000 }).toBe(true);
  await input.setInputFiles(file);
}

/** Upload, result of nothing, or whatever lies there. */
const stored = () => readdirSync(join(folder, 'uploads'));
const heading = (page: Page, name: RegExp | string) => page.getByRole('heading', { name });
/** The repair has the file, whatever it makes of such a one. */
const arrived = (page: Page) =>
  heading(page, /^(Repairing|The video|This video|Your video|It)/i)
    .or(page.getByText(/cannot be repaired|queue|being repaired/i))
    .first();

/** What lies on the server is the file, bit by bit. */
function expectWhole(): void {
  const [name, ...more] = stored();
  expect(more).toEqual([]);
  expect(readFileSync(join(folder, 'uploads', name ?? '')).equals(readFileSync(film))).toBe(true);
}

test.describe('over a line that fails', () => {
  test.beforeEach(async () => {
    test.setTimeout(420_000);
    folder = newFolder();
    film = join(newFolder(), 'holiday.mp4');
    const bytes = Buffer.alloc(SIZE);
    for (let index = 0; index < SIZE; index += 1) bytes[index] = (index * 31 + (index >> 8) * 17) & 0xff;
    writeFileSync(film, bytes);
    site = start();
    await untilUp(site);
    line = await openLine(LINE_PORT, SITE_PORT);
  });
  test.afterEach(async () => {
    stopAllSites();
    await line?.close();
    await site.exited;
    removeFolder(folder);
    removeFolder(join(film, '..'));
  });

  for (const percent of [50, 99]) {
    test(`a large upload goes on by itself after the network was gone at ${percent} %`, async ({ page }) => {
      await open(page);
      line.cutAfter((SIZE * percent) / 100);
      await choose(page);
      await expect(page.getByText(CUT_OFF).first()).toBeVisible({ timeout: 90_000 });
      expect(line.isCut()).toBe(true);
      line.cutAfter(Number.POSITIVE_INFINITY);
      line.mend();
      await expect(arrived(page)).toBeVisible({ timeout: 60_000 });
      // Only what was still on the line is sent twice.
      expect(line.carried()).toBeLessThan(SIZE * (1 - percent / 100) + 6 * MB);
      expectWhole();
    });
  }

  test('a large upload goes on after a reload, when the same file is chosen again', async ({ page }) => {
    await open(page);
    line.cutAfter(SIZE / 2);
    await choose(page);
    await expect(page.getByText(CUT_OFF).first()).toBeVisible({ timeout: 90_000 });
    line.cutAfter(Number.POSITIVE_INFINITY);
    await page.evaluate(() => window.stop());
    line.mend();
    await page.reload();
    await expect(page.getByText(/Choose the same file again, and it goes on where it stopped/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Choose the same file' }).first()).toBeVisible();
    line.cutAfter(Number.POSITIVE_INFINITY);
    await choose(page);
    await expect(arrived(page)).toBeVisible({ timeout: 60_000 });
    expect(line.carried()).toBeLessThan(SIZE / 2 + 6 * MB);
    expectWhole();
    expect(await page.evaluate(() => localStorage.getItem('unfinishedUploads'))).toBeNull();
  });

  test('a large upload goes on by itself when the server was killed and started anew', async ({ page }) => {
    await open(page);
    line.cutAfter(SIZE / 2);
    await choose(page);
    await expect(page.getByText(CUT_OFF).first()).toBeVisible({ timeout: 90_000 });
    site.process.kill('SIGKILL');
    await site.exited;
    line.cutAfter(Number.POSITIVE_INFINITY);
    line.mend();
    site = start();
    await untilUp(site);
    await expect(arrived(page)).toBeVisible({ timeout: 60_000 });
    expect(line.carried()).toBeLessThan(SIZE / 2 + 6 * MB);
    expectWhole();
  });

  test('a large upload that is cancelled leaves nothing on the server at once', async ({ page }) => {
    await open(page);
    line.cutAfter(SIZE / 2);
    await choose(page);
    await expect(page.getByText(CUT_OFF).first()).toBeVisible({ timeout: 90_000 });
    line.cutAfter(Number.POSITIVE_INFINITY);
    line.mend();
    expect(stored().length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(stored).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('unfinishedUploads'))).toBeNull();
  });

  test('a large upload goes on by itself after the machine slept and its connection only seems to be open', async ({
    page,
  }) => {
    await open(page);
    line.silenceAfter(SIZE / 2);
    await choose(page);
    // Nobody says that the connection is gone: the silence does.
    await expect(page.getByText(CUT_OFF).first()).toBeVisible({ timeout: 60_000 });
    await expect(arrived(page)).toBeVisible({ timeout: 60_000 });
    expect(line.carried()).toBeLessThan(SIZE + 6 * MB);
    expectWhole();
  });
});

test('on an S3 store the browser sends to it and fetches from it', async ({ page }) => {
  const store = await startTestStore();
  const port = 3423;
  const env = { ...store.variables, SITE_URL: `http://localhost:${port}` };
  const own = startSite(port, newFolder(), env);
  try {
    await untilUp(own);
    expect(own.output()).toContain('takes no uploads from pages of this site yet');
    expect(own.output()).toMatch(/^Files: bucket mendara-test at 127\.0\.0\.1:\d+$/m);
    const dataDir = /Database: embedded, in (.+)\/database/.exec(own.output())?.[1] ?? '';
    const rules = await promisify(execFile)(process.execPath, ['lib/cli/admin.mjs', 'objects', 'rules'], {
      env: { ...process.env, ...env, PORT: String(port), DATA_DIR: dataDir },
    });
    expect(JSON.parse(rules.stdout)).toEqual({ expiry: true, forms: true });
    await page.goto(`${own.url}/corrupted-file-recovery-online`);
    const file = { name: 'report.pdf', mimeType: 'application/pdf', buffer: await makePdfWithoutTable() };
    await choose(page, file);
    const link = page.getByRole('main').getByRole('link', { name: /^Download/ });
    await expect(link).toBeVisible({ timeout: 60_000 });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('report-repaired.pdf');
    expect(new URL(download.url()).origin).toBe(new URL(store.endpoint).origin);
    expect(store.seen.some((line) => line.startsWith('POST '))).toBe(true);
    expect(readdirSync(dataDir)).not.toContain('uploads');
  } finally {
    own.process.kill('SIGTERM');
    await own.exited;
    await store.close();
  }
});
