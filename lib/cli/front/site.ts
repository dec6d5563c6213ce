import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A prerendered page: its file below the build folder, its entity tag, and the hashes of its inline scripts. */
export type SitePage = { file: string; etag: string; hashes: string[] };

/** A static file: `compressed` is the path to which `.br` and `.gz` are added, null where compressing gains nothing. */
export type SiteFile = { file: string; bytes: number; etag: string; compressed: string | null };

/** What the build prepared for serving. */
export type Site = {
  distDir: string;
  pages: Map<string, SitePage>;
  files: Map<string, SiteFile>;
  /** Prerendered answers that are no pages: sitemap, robots, manifest, icons. */
  metadata: Set<string>;
};

/** Reads the manifest that the build wrote. */
export function readSite(distDir: string): Site {
  const manifest = JSON.parse(readFileSync(join(distDir, 'site', 'manifest.json'), 'utf8')) as {
    pages: Record<string, SitePage>;
    files: Record<string, SiteFile>;
    metadata: string[];
  };
  return {
    distDir,
    pages: new Map(Object.entries(manifest.pages)),
    files: new Map(Object.entries(manifest.files)),
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
