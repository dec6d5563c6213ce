import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentIndex, writeContentIndex } from '@/lib/cli/steps/content-index.mjs';
import { writeFonts } from '@/lib/cli/steps/fonts.mjs';

const run = promisify(execFile);

/** A product page as somebody would write it: one file, named as its address. */
const page = `import type { PageFile } from '../page';

export default {
  name: 'Audio Repair',
  order: 85,
  menus: [
    { in: 'tools', order: 45, line: 'Recordings that crackle', icon: 't-file' },
    { in: 'hot', order: 55, label: 'Audio' },
  ],
  seo: { title: 'Repair sound files | Mendara', description: 'A page that a test adds, to see it served as every other.' },
  sections: [{ kind: 'pagehead', title: 'Sound that plays again', lead: 'One file, and nothing else.' }],
} as const satisfies PageFile;
`;

/** Pages with a mistake, by the name of their file, and what the type check says of each. */
const mistakes: Record<string, [string, RegExp]> = {
  'mistyped-key': [page.replace('lead:', 'laed:'), /'laed' does not exist/],
  'unknown-section': [page.replace("'pagehead'", "'pagehaed'"), /"pagehaed"' is not assignable/],
  'unknown-menu': [page.replace("in: 'tools'", "in: 'tool'"), /"tool"' is not assignable/],
};

/** The same in the other brand's skin. */
const ferryPage = page
  .replaceAll('Audio Repair', 'Sound Transfer')
  .replace('order: 85,', "order: 86, skin: 'chatferry',")
  .replace(/ {2}menus: \[[\s\S]*?\],\n/, "  menus: [{ in: 'hotFerry', order: 55, label: 'Sound' }],\n");

const guide = page
  .replaceAll('PageFile', 'GuideFile')
  .replace('order: 85,', "order: 5, card: { title: 'Audio', tile: 't-file', text: 'Listen.', label: 'Open it' },");

/** A copy of the tree beside the live one, which never sees the page; its packages are the live tree's. */
let copy: string;
const put = (file: string, text: string) => writeFileSync(path.join(copy, file), text);

beforeAll(() => {
  copy = mkdtempSync(path.resolve('.data-one-page-'));
  for (const folder of ['app', 'components', 'lib', 'public', 'services', 'store', 'styles']) {
    cpSync(folder, path.join(copy, folder), { recursive: true });
  }
  for (const file of ['next.config.ts', 'package.json', 'tsconfig.json']) cpSync(file, path.join(copy, file));
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'), 'junction');
  rmSync(path.join(copy, 'lib/content/generated'), { recursive: true, force: true });
  put('lib/content/products/audio-fixer.ts', page);
  put('lib/content/products/sound-transfer.ts', ferryPage);
  put('lib/content/guides/audio.ts', guide);
  writeContentIndex(copy);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What the type check says of the copy, a line for each error. */
async function complaints(): Promise<string[]> {
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '--noEmit', '-p', '.', '--incremental', 'false'], {
    cwd: copy,
  }).catch((error: { stdout: string }) => error);
  return stdout.split('\n').filter((line) => /^\S.*error TS/.test(line));
}

/** The content of the copy, as the build would read it. */
async function contentOfCopy() {
  const { build } = await import('esbuild');
  const outfile = path.join(copy, 'content.mjs');
  await build({
    stdin: {
      contents: `export { routes } from './lib/content/routes';
        export { navigation } from './lib/content/navigation';
        export { default as sitemap } from './app/sitemap';
        export { page, productSlugs, slugsBelow } from './lib/content';`,
      resolveDir: copy,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'error',
  });
  return (await import(/* @vite-ignore */ outfile)) as typeof import('@/lib/content') &
    typeof import('@/lib/content/routes') &
    typeof import('@/lib/content/navigation') & { sitemap: typeof import('@/app/sitemap').default };
}

describe('a page is one file', () => {
  it('from which routes, sitemap, menus, footer and lists follow', async () => {
    const { routes, navigation, page: pageAt, productSlugs, sitemap, slugsBelow } = await contentOfCopy();
    expect(routes.map((route) => route.path)).toEqual(
      expect.arrayContaining(['/audio-fixer', '/user-guide/audio', '/win-data-recovery', '/account']),
    );
    expect(productSlugs).toEqual(expect.arrayContaining(['audio-fixer', 'sound-transfer']));
    expect(sitemap().filter(({ url }) => /\/audio(-fixer)?$/.test(url))).toHaveLength(2);
    expect(slugsBelow('/user-guide')[0]).toBe('audio');
    const { bar, footer } = navigation('mendara');
    const tools = bar.find(({ label }) => label === 'File Tools');
    const links = tools && 'links' in tools ? tools.links : [];
    expect(links.map(({ href }) => href).slice(3, 5)).toEqual(['/file-fixer', '/audio-fixer']);
    expect(footer[0]?.links).toContainEqual({ href: '/audio-fixer', label: 'Audio' });
    expect(JSON.stringify(pageAt('/user-guide'))).toMatch(/"title":"Audio".*"href":"\/user-guide\/audio"/);
  });

  it('which the type check reads: it finds what is mistyped in a page, and nothing else', async () => {
    const fileOf = (name: string) => `lib/content/products/${name}.ts`;
    for (const [name, [text]] of Object.entries(mistakes)) put(fileOf(name), text);
    const found = await complaints();
    for (const [name, [, complaint]] of Object.entries(mistakes)) {
      expect(found.filter((line) => line.startsWith(fileOf(name))).join('\n'), name).toMatch(complaint);
      rmSync(path.join(copy, fileOf(name)));
    }
    const names = Object.keys(mistakes).map(fileOf);
    expect(found.filter((line) => !names.some((name) => line.startsWith(name)))).toEqual([]);
  });

  it('which no other tree sees', () => {
    expect(Object.values(contentIndex()).join('')).not.toContain('audio');
  });

  it('whose name is an address, and nobody else’s', () => {
    put('lib/content/pages/audio-fixer.ts', page);
    expect(() => writeContentIndex(copy)).toThrow(/products\/audio-fixer\.ts and .*pages\/audio-fixer\.ts are both/);
    rmSync(path.join(copy, 'lib/content/pages/audio-fixer.ts'));
    put('lib/content/pages/Audio Fixer.ts', page);
    expect(() => writeContentIndex(copy)).toThrow(/the name of a page is its address/);
    rmSync(path.join(copy, 'lib/content/pages/Audio Fixer.ts'));
  });

  it('and is built: its HTML with menus and words, and its picture for shared links', async () => {
    const next = path.resolve('node_modules/next/dist/bin/next');
    // Of all routes the one that serves it.
    const route = 'app/(site)/[slug]/page.tsx';
    put('styles/antd.css', '');
    await writeFonts(copy);
    await run(process.execPath, [next, 'build', '--debug-build-paths', route], {
      cwd: copy,
      env: { ...process.env, NODE_ENV: 'production', NEXT_DIST_DIR: '.next', NEXT_TELEMETRY_DISABLED: '1' },
      maxBuffer: 2 ** 26,
    });
    const built = path.join(copy, '.next/server/app');
    const html = readFileSync(path.join(built, 'audio-fixer.html'), 'utf8');
    const ferry = readFileSync(path.join(built, 'sound-transfer.html'), 'utf8');
    expect(ferry).toMatch(/<div data-skin="chatferry"/);
    expect(html).toMatch(/<div data-skin="mendara"/);
    expect(html).toMatch(/<h1[^>]*>Sound that plays again<\/h1>/);
    expect(html).toMatch(/<header[\s\S]*href="\/audio-fixer"[\s\S]*<\/header>/);
    expect(html).toMatch(/<footer[\s\S]*<a[^>]*href="\/audio-fixer"[^>]*>Audio<\/a>[\s\S]*<\/footer>/);
    const { drawSocialPictures } = await import('@/lib/cli/steps/social-pictures.mjs');
    mkdirSync(path.join(copy, 'drawn'));
    await drawSocialPictures([html], path.join(copy, 'drawn'));
    expect(existsSync(path.join(copy, 'drawn/og/audio-fixer.png'))).toBe(true);
  }, 300_000);
});
