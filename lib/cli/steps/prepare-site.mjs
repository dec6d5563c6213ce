import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { billOfMaterials } from './bill-of-materials.mjs';
import { prepareChunks } from './chunks.mjs';
import { filesBelow } from './fingerprint.mjs';
import { lastReleases } from './last-release.mjs';
import { thirdPartyNotices } from './notices.mjs';
import { drawSocialPictures } from './social-pictures.mjs';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const compressible = /\.(html|js|mjs|css|svg|json|txt|xml|webmanifest|ico)$/;

/** `index.html` is `/`, `about-us.html` is `/about-us`. */
function routeOf(appFolder, path) {
  const name = relative(appFolder, path)
    .split(sep)
    .join('/')
    .replace(/\.html$/, '');
  return name === 'index' ? '/' : `/${name}`;
}

/**
 * When the framework's scripts of a page come: `idle` after its first paint on those of marketing, stores, guides and law, which stand in
 * the group `(site)` of `app` and are complete without them; right after it, `painted`, on screens, which stand in groups of `(app)`;
 * and `atOnce` on what has no bars and no presses to keep, such as the payment page in its frame.
 * To have all pages alive at once, let this say `atOnce`.
 */
function lateRoutes(distDir) {
  const folders = JSON.parse(readFileSync(join(distDir, 'app-path-routes-manifest.json'), 'utf8'));
  const startOf = (folder) =>
    folder.startsWith('/(site)/') ? 'idle' : folder.startsWith('/(app)/(') ? 'painted' : 'atOnce';
  const groups = new Map(Object.entries(folders).map(([folder, route]) => [route, startOf(folder)]));
  // A page of a shared route, such as `/[slug]`, stands beside those that have a route of their own.
  return (route) => groups.get(route) ?? groups.get(route.replace(/[^/]+$/, '[slug]')) ?? 'atOnce';
}

async function compressTo(target, bytes) {
  mkdirSync(dirname(target), { recursive: true });
  const [br, gz] = await Promise.all([
    brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    zip(bytes, { level: 9 }),
  ]);
  writeFileSync(`${target}.br`, br);
  writeFileSync(`${target}.gz`, gz);
}

/**
 * After the build: every static file is compressed once, and what there is to serve is written down. The server in
 * front reads `site/manifest.json` at its start, when it knows the address under which the pages are served.
 */
export async function prepareSite(distDir) {
  const site = join(distDir, 'site');
  rmSync(site, { recursive: true, force: true });
  const appFolder = join(distDir, 'server', 'app');
  const pages = {};
  const startsLate = lateRoutes(distDir);
  const documents = [];
  const metadata = [];
  for (const path of filesBelow(appFolder)) {
    if (path.endsWith('.body')) metadata.push(routeOf(appFolder, path.replace(/\.body$/, '.html')));
    if (!path.endsWith('.html')) continue;
    documents.push(readFileSync(path, 'utf8'));
    const route = routeOf(appFolder, path);
    pages[route] = { file: relative(distDir, path).split(sep).join('/'), starts: startsLate(route) };
  }
  const heavy = prepareChunks(join(distDir, 'static', 'chunks'));
  const files = {};
  const extra = join(site, 'extra');
  mkdirSync(extra, { recursive: true });
  writeFileSync(join(extra, 'third-party-notices.txt'), thirdPartyNotices());
  writeFileSync(join(distDir, 'bill-of-materials.cdx.json'), await billOfMaterials());
  await drawSocialPictures(documents, extra);
  const roots = [
    { folder: extra, prefix: '/' },
    { folder: join(distDir, 'static'), prefix: '/_next/static/' },
    { folder: 'public', prefix: '/' },
    // Pages of the last release that somebody has open, or a cache keeps, go on working for a day.
    ...lastReleases(distDir, Date.now()).map(({ folder, until }) => ({ folder, prefix: '/_next/static/', until })),
  ];
  for (const { folder, prefix, until } of roots) {
    for (const path of filesBelow(folder)) {
      const name = relative(folder, path).split(sep).join('/');
      if (files[`${prefix}${name}`]) continue;
      const bytes = readFileSync(path);
      const isCompressible = compressible.test(name) && bytes.length > 256;
      files[`${prefix}${name}`] = {
        file: path.split(sep).join('/'),
        bytes: bytes.length,
        etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
        compressed: isCompressible ? join(site, 'files', prefix, name).split(sep).join('/') : null,
        ...(until === undefined ? {} : { until }),
      };
      if (isCompressible) await compressTo(join(site, 'files', prefix, name), bytes);
    }
  }
  writeFileSync(join(site, 'manifest.json'), JSON.stringify({ pages, files, metadata, heavy }));
}
