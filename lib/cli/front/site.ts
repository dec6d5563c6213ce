import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UNKNOWN_ORIGIN } from '../../seo/site';
import { type OnePicture, putDrawingsTogether } from './drawings';
import { type HeavyModules, type LatePage, type LateStart, startLate } from './late-start';
import { type OneSheet, putSheetsTogether, withoutIdleHints } from './one-sheet';
import { pageAt, type RuntimeValues } from './public-address';

/** A prerendered page: its text, its entity tag, the hashes of its inline scripts, and what was taken out of it. */
export type SitePage = {
  html: string;
  etag: string;
  hashes: string[];
  late: Omit<LatePage, 'html'> | null;
  sheet: OneSheet | null;
  picture: OnePicture | null;
};

/** CSP hash sources of a page's inline scripts; data blocks such as JSON-LD do not run and need none. */
function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>();
  for (const [, attributes = '', body = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (/\bsrc=/.test(attributes) || /type="application\/(ld\+)?json"/.test(attributes) || body === '') continue;
    hashes.add(`'sha256-${createHash('sha256').update(body).digest('base64')}'`);
  }
  return [...hashes];
}

/** The public address, which pages could not know. */
const originOf = (values: RuntimeValues) =>
  values.find(([builtWith]) => builtWith === UNKNOWN_ORIGIN)?.[1] ?? UNKNOWN_ORIGIN;

/** What was taken out of pages, by its address: late scripts, style sheets put together, and drawings. */
const textsOf = (pages: Iterable<SitePage>): [string, string][] =>
  [...pages].flatMap(({ late, sheet, picture }): [string, string][] => [
    ...(late ? [[late.path, late.script] satisfies [string, string]] : []),
    ...[sheet, picture].flatMap((file): [string, string][] => (file ? [[file.path, file.text]] : [])),
  ]);

/**
 * Keeps late scripts, sheets and drawings beside the build's own files, where the next build finds what pages of this release still ask for. Where the build
 * folder can't be written to, as in a container, there is no next build.
 */
function keepBeside(distDir: string, pages: Iterable<SitePage>): void {
  try {
    for (const [address, text] of textsOf(pages)) {
      const path = join(distDir, address.replace('/_next/', ''));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  } catch {
    // They are served from memory.
  }
}

/** Reads what pages refer to, once however many of them do. */
function readOnce(read: (path: string) => string): (path: string) => string {
  const texts = new Map<string, string>();
  return (path) => {
    const text = texts.get(path) ?? read(path);
    texts.set(path, text);
    return text;
  };
}

/** The entity tag of a page. */
export const tagOf = (html: string): string =>
  `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;

/** What pages refer to: style sheets of the build, files of `public`, and which modules of their scripts take long to start. */
type Readers = { sheet: (path: string) => string; drawing: (path: string) => string; heavy: HeavyModules };

/** A page as it is served at this address; its hashes are made anew, since its scripts name the address too. */
function pageOf(distDir: string, { file, starts }: BuiltPage, values: RuntimeValues, read: Readers): SitePage {
  const whole = pageAt(readFileSync(join(distDir, file), 'utf8'), values);
  const styled = putSheetsTogether(whole, read.sheet);
  const ready = withoutIdleHints(styled?.html ?? whole);
  const late = starts === 'atOnce' ? null : startLate(ready, originOf(values), starts, read.heavy);
  const { html, picture } = late ? putDrawingsTogether(late.html, read.drawing) : { html: ready, picture: null };
  const taken = late && { path: late.path, script: late.script };
  return {
    html,
    etag: tagOf(html),
    hashes: inlineScriptHashes(html),
    late: taken,
    sheet: styled?.sheet ?? null,
    picture,
  };
}

/** A static file; `until`: of the last release, served until then (milliseconds since 1970). `compressed` is the path to which `.br` and `.gz` are added, null where compressing gains nothing. */
export type SiteFile = { file: string; bytes: number; etag: string; compressed: string | null; until?: number };

/** A page as the build left it: its file, and when its scripts come (lib/cli/steps/prepare-site.mjs). */
type BuiltPage = { file: string; starts: 'atOnce' | LateStart };

/** What the build prepared for serving. */
export type Site = {
  distDir: string;
  /** Name of the build. */
  release: string;
  /** What pages could not know when they were built. */
  values: RuntimeValues;
  pages: Map<string, SitePage>;
  files: Map<string, SiteFile>;
  /** What was taken out of pages, by address: late scripts, style sheets, drawings. */
  lateFiles: Map<string, string>;
  /** Prerendered answers that are no pages: sitemap, robots, manifest, icons. */
  metadata: Set<string>;
};

/** Reads the manifest that the build wrote, for the place where the site is served. */
export function readSite(distDir: string, values: RuntimeValues): Site {
  const manifest = JSON.parse(readFileSync(join(distDir, 'site', 'manifest.json'), 'utf8')) as {
    pages: Record<string, BuiltPage>;
    files: Record<string, SiteFile>;
    metadata: string[];
    heavy: HeavyModules;
  };
  const read: Readers = {
    sheet: readOnce((path) => readFileSync(join(distDir, path.replace('/_next/', '')), 'utf8')),
    drawing: readOnce((path) => readFileSync(manifest.files[path]?.file ?? '', 'utf8')),
    heavy: manifest.heavy,
  };
  const pages = new Map(
    Object.entries(manifest.pages).map(([route, page]) => [route, pageOf(distDir, page, values, read)]),
  );
  keepBeside(distDir, pages.values());
  return {
    distDir,
    release: readFileSync(join(distDir, 'BUILD_ID'), 'utf8').trim(),
    values,
    pages,
    files: new Map(Object.entries(manifest.files).filter(([, { until = Infinity }]) => until > Date.now())),
    lateFiles: new Map(textsOf(pages.values())),
    metadata: new Set(manifest.metadata),
  };
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  woff2: 'font/woff2',
  png: 'image/png',
  jpg: 'image/jpeg',
  ico: 'image/x-icon',
  wasm: 'application/wasm',
};

/** Media type of a file by its name's ending. */
export function mediaType(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}
