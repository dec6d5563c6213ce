import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import sharp from 'sharp';
import { scene } from '../repair/support/scene';
import { changed, slicedRecording, videos, withoutIndex } from '../repair/support/videos';
import { violations } from '../support/accessible';
import { agree } from '../support/browser';

const choose = (page: Page, name: string, buffer: Buffer, mimeType: string) =>
  page.getByLabel(/^(?:Choose a|Add a working)/).setInputFiles({ name, mimeType, buffer });

async function download(page: Page): Promise<Buffer> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).and(page.locator('main a')).click(),
  ]);
  return readFile(await file.path());
}

async function frames(bytes: Buffer): Promise<number> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryVideoTrack();
  let count = 0;
  if (track)
    for await (const _packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true }))
      count++;
  input.dispose();
  return count;
}

async function expectNoViolations(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

const pixels = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer();

test.beforeEach(({ page }) => agree(page));

test.describe('photos', () => {
  test.beforeEach(({ page }) => page.goto('/photo-restoration-online'));

  test('a JPEG whose head is gone comes back pixel for pixel; Delete now takes it away', async ({ page }) => {
    const photo = await sharp(scene(320, 240, 3), { raw: { width: 320, height: 240, channels: 3 } })
      .jpeg({ quality: 85, optimiseCoding: false })
      .toBuffer();
    const broken = Buffer.from(photo);
    broken.fill(0, 0, 20);
    await choose(page, 'harbour.jpg', broken, 'image/jpeg');
    await expect(page.getByRole('heading', { name: 'Repaired', exact: true })).toBeVisible({ timeout: 90_000 });
    expect((await pixels(await download(page))).equals(await pixels(photo))).toBe(true);
    await page.getByText('What we found and did').click();
    await expect(page.getByRole('heading', { name: 'Found' })).toBeVisible();
    await expectNoViolations(page);
    const taskId = /#task=([\w-]+)/.exec(page.url())?.[1] ?? '';
    await page.getByRole('button', { name: 'Delete now' }).click();
    await expect(page.getByRole('heading', { name: 'This file is deleted' })).toBeVisible();
    expect((await page.request.get(`/api/v1/repair/tasks/${taskId}/file`)).status()).not.toBe(200);
  });

  test('a file that another tab deleted is told as that when its download is pressed', async ({ page, context }) => {
    const photo = await sharp(scene(120, 90, 5), { raw: { width: 120, height: 90, channels: 3 } })
      .png()
      .toBuffer();
    await choose(page, 'twice.png', photo.subarray(0, photo.length - 12), 'image/png');
    await expect(page.getByRole('heading', { name: 'Repaired', exact: true })).toBeVisible({ timeout: 90_000 });
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Delete now' }).click();
    await expect(other.getByRole('heading', { name: 'This file is deleted' })).toBeVisible();
    await page.locator('main').getByRole('link', { name: 'Download' }).click();
    await expect(page.getByRole('heading', { name: 'This file is deleted' })).toBeVisible();
  });

  test('a PNG with wrong check sums and no end comes back pixel for pixel', async ({ page }) => {
    const photo = await sharp(scene(200, 150, 4), { raw: { width: 200, height: 150, channels: 3 } })
      .png()
      .toBuffer();
    const broken = Buffer.from(photo.subarray(0, photo.length - 12));
    broken.writeUInt32BE(1, 29);
    await choose(page, 'chart.png', broken, 'image/png');
    await expect(page.getByRole('heading', { name: 'Repaired', exact: true })).toBeVisible({ timeout: 90_000 });
    expect((await pixels(await download(page))).equals(await pixels(photo))).toBe(true);
  });
});

test.describe('videos', () => {
  test.beforeEach(({ page }) => page.goto('/video-repair-online'));

  test('a video whose parts have wrong sizes plays again with every frame, and the report can be read', async ({
    page,
  }) => {
    const broken = changed(videos.mp4, (copy) => {
      copy.fill(0, 0, 32);
      return undefined;
    });
    await choose(page, 'holiday.mp4', broken, 'video/mp4');
    await expect(page.getByRole('heading', { name: 'Repaired', exact: true })).toBeVisible({ timeout: 60_000 });
    expect(await frames(await download(page))).toBe(30);
    await page.getByText('What we found and did').click();
    await expect(page.getByText(/^Decoded from beginning to end: 30 frames/)).toBeVisible();
  });

  test('an x264 recording without its index comes back without any help', async ({ page }) => {
    await choose(page, 'holiday.mp4', withoutIndex(videos.mp4), 'video/mp4');
    await expect(page.getByRole('heading', { name: 'Repaired', exact: true })).toBeVisible({ timeout: 60_000 });
    expect(await frames(await download(page))).toBe(30);
  });

  test('one without its index fails honestly, keeps the upload, and comes back with a working video', async ({
    page,
  }) => {
    await choose(page, 'holiday.mov', withoutIndex(slicedRecording), 'video/quicktime');
    await expect(page.getByText('The video is severely damaged and cannot be repaired at this time.')).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByRole('heading', { name: 'A working video can help' })).toBeVisible();
    await expectNoViolations(page);

    // Refused before it is sent: the state stays, with the reason beside the offer.
    await choose(page, 'notes.txt', Buffer.from('no video'), 'text/plain');
    await expect(page.getByRole('alert').getByText(/This tool takes/)).toBeVisible();
    await expect(page.getByText('holiday.mov')).toBeVisible();

    // A lost connection while the sample is sent loses nothing either.
    let isBroken = true;
    await page.route(/\/oss\/upload$/, (route) => (isBroken ? route.abort('connectionreset') : route.continue()));
    await choose(page, 'working.mov', slicedRecording, 'video/quicktime');
    await expect(page.getByRole('alert').getByText(/connection|reach/i)).toBeVisible({ timeout: 90_000 });
    isBroken = false;
    await page.reload();
    await expect(page.getByRole('heading', { name: 'A working video can help' })).toBeVisible({ timeout: 90_000 });

    await choose(page, 'working.mov', slicedRecording, 'video/quicktime');
    await expect(page.getByRole('heading', { name: /^(?:Repaired|Partly repaired)$/ })).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByText('holiday.mov')).toBeVisible();
    expect(await frames(await download(page))).toBe(30);
    await page.getByRole('button', { name: 'Delete now' }).click();
    await expect(page.getByRole('heading', { name: 'This file is deleted' })).toBeVisible();
  });

  test('a healthy video comes back byte for byte', async ({ page }) => {
    await choose(page, 'fine.mkv', videos.mkv, 'video/x-matroska');
    await expect(page.getByRole('heading', { name: 'Nothing to repair' })).toBeVisible({ timeout: 60_000 });
    expect((await download(page)).equals(videos.mkv)).toBe(true);
  });
});
