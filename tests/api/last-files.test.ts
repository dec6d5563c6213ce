import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fileCaching, pageCaching } from '@/lib/cli/front/caching';
import { KEPT_MS, lastReleases, putLastReleaseAside } from '@/lib/cli/steps/last-release.mjs';

const distDir = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-release-'));
afterAll(() => fs.rmSync(distDir, { recursive: true, force: true }));

/** As a build leaves it. */
function build(chunk: string, isWhole = true) {
  const chunks = path.join(distDir, 'static', 'chunks');
  fs.rmSync(path.join(distDir, 'static'), { recursive: true, force: true });
  fs.mkdirSync(chunks, { recursive: true });
  fs.writeFileSync(path.join(chunks, chunk), chunk);
  if (isWhole) fs.writeFileSync(path.join(distDir, 'mendara-build'), chunk);
}

const kept = (now: number) =>
  lastReleases(distDir, now).map(({ folder }) => fs.readdirSync(path.join(folder, 'chunks')).join());

it('keeps the files of a replaced release for a day, the newest first, and no longer', () => {
  const start = 1_800_000_000_000;
  expect(lastReleases(distDir, start)).toEqual([]);
  putLastReleaseAside(distDir, start);
  expect(lastReleases(distDir, start)).toEqual([]);
  build('a.js');
  putLastReleaseAside(distDir, start);
  build('b.js');
  putLastReleaseAside(distDir, start + 1000);
  expect(kept(start + 2000)).toEqual(['b.js', 'a.js']);
  expect(kept(start + KEPT_MS)).toEqual(['b.js']);
  expect(kept(start + KEPT_MS + 1000)).toEqual([]);
  expect(fs.readdirSync(path.join(distDir, 'cache', 'mendara-releases'))).toEqual([]);
});

it('keeps nothing of a build that was cut off', () => {
  fs.rmSync(path.join(distDir, 'mendara-build'));
  build('half.js', false);
  putLastReleaseAside(distDir, 1_800_000_000_000);
  expect(lastReleases(distDir, 1_800_000_000_000)).toEqual([]);
});

it('lets no cache show a page longer than the files of its release are there', () => {
  const { 'cdn-cache-control': told = '', 'surrogate-key': key, 'cache-tag': tag } = pageCaching('r1');
  const seconds = Object.fromEntries(
    [...told.matchAll(/([\w-]+)=(\d+)/g)].map(([, name, value]) => [name, Number(value)]),
  );
  const longest =
    (seconds['max-age'] ?? 0) + Math.max(seconds['stale-while-revalidate'] ?? 0, seconds['stale-if-error'] ?? 0);
  expect(longest).toBeGreaterThan(0);
  expect(longest * 1000).toBeLessThan(KEPT_MS);
  expect([key, tag]).toEqual(['pages release-r1', 'pages,release-r1']);
});

it('has files kept for good only under names that hold a hash', () => {
  expect(fileCaching('/_next/static/chunks/a.js', 'r1')['cache-control']).toContain('immutable');
  expect(fileCaching('/art/a.svg', 'r1')['cache-control']).not.toContain('immutable');
});
