// @vitest-environment node
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { guaranteeDays } from '@/lib/catalog/facts';
import { allPages, productSlugs } from '@/lib/content';
import { navigation } from '@/lib/content/navigation';
import { drawings } from '@/lib/content/pictures';
import { isBuilt, routes } from '@/lib/content/routes';
import { toolPages, toolSections } from '@/lib/content/screens/tools';

const root = path.resolve(import.meta.dirname, '../..');

/** Every string below a value, with the path that leads to it. */
function* strings(value: unknown, at = ''): Generator<[string, string]> {
  if (typeof value === 'string') yield [at, value];
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* strings(item, `${at}[${index}]`);
  else if (value && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) yield* strings(item, `${at}.${key}`);
  }
}

const tools = (['video', 'photo', 'file'] as const).map((kind) => ({
  path: toolPages[kind].path,
  sections: toolSections(kind),
}));
const all = [...allPages, ...tools];

/** Route files that the pages of a path come from. */
function routeFiles(address: string): string[] {
  const segments = address === '/' ? '' : address;
  const parent = segments.slice(0, segments.lastIndexOf('/'));
  const groups = ['(mendara)', '(duplicate)', '(chatferry)', '(guide)', '(bare)', '(framed)'].map(
    (name) => `(site)/${name}`,
  );
  const places = ['(site)', ...groups, '(app)', '(app)/(bar)', '(app)/(provider)'];
  return places.flatMap((place) => [`app/${place}${segments}/page.tsx`, `app/${place}${parent}/[slug]/page.tsx`]);
}

describe('routes', () => {
  it('has a route file for each page', () => {
    const missing = routes
      .filter(({ path: address }) => !routeFiles(address).some((file) => existsSync(path.join(root, file))))
      .map(({ path: address }) => address);
    expect(missing).toEqual([]);
  });

  it('has content for each slug of the shared product route, and no path twice', () => {
    expect(new Set(allPages.map(({ path: address }) => address)).size).toBe(allPages.length);
    for (const slug of productSlugs) expect(allPages.some(({ path: address }) => address === `/${slug}`)).toBe(true);
  });

  it('lists every page of content', () => {
    for (const { path: address } of all) expect(routes.map((route) => route.path)).toContain(address);
  });

  it('ignores queries, fragments and a trailing slash when it looks for a page', () => {
    expect(isBuilt('/data-recovery-store?ufrom=mac')).toBe(true);
    expect(isBuilt('/video-repair-online/')).toBe(true);
    expect(isBuilt('/whatsapp-transfer#moves')).toBe(true);
    expect(isBuilt('/nowhere')).toBe(false);
  });
});

describe('menus', () => {
  it.each(['mendara', 'chatferry'] as const)('of %s lead to pages that exist', (skin) => {
    for (const [at, text] of strings(navigation(skin))) {
      if (at.endsWith('.href')) expect(isBuilt(text), `${at} ${text}`).toBe(true);
    }
  });

  it('carry their settled names', () => {
    const { bar, footer } = navigation('mendara');
    expect(bar.map(({ label }) => label)).toEqual(['Data Recover&Transfer', 'File Tools', 'Store', 'Support']);
    expect(footer.map(({ title }) => title)).toEqual(['Hot Products', 'Online Tools', 'Sources', 'Company']);
  });
});

describe.each(all.map((page) => [page.path, page] as const))('%s', (address, page) => {
  it('links to pages that exist', () => {
    for (const [at, text] of strings(page.sections)) {
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? '');
      if (at.endsWith('.href')) links.push(text);
      for (const link of links) {
        if (/^https?:|^mailto:/.test(link)) continue;
        expect(isBuilt(link), `${at} ${link}`).toBe(true);
      }
    }
  });

  it('has drawings that exist, and words for those that say something', () => {
    for (const [at, text] of strings(page.sections)) {
      if (!at.endsWith('.drawing')) continue;
      const { src } = drawings[text as keyof typeof drawings];
      const [file = '', id = ''] = src.split('#');
      expect(readFileSync(path.join(root, 'public', file), 'utf8'), src).toContain(`id="${id}"`);
    }
  });

  it('begins with the one section that holds its heading', () => {
    const heads = page.sections.filter(({ kind }) => ['hero', 'banner', 'pagehead'].includes(kind));
    const isTool = tools.some((tool) => tool.path === address);
    expect(heads).toHaveLength(isTool ? 0 : 1);
    if (!isTool) expect(heads[0]).toBe(page.sections[0]);
  });

  it('keeps to the voice', () => {
    for (const [at, text] of strings(page.sections)) {
      expect(text, at).not.toMatch(/revolutionary|powerful|seamless|\b100%|!(?=\s|$)/i);
    }
  });

  it('never shows both numbers of users', () => {
    const text = [...strings(page.sections)].map(([, value]) => value).join('\n');
    expect(text.includes('60M+') && /1M\+?(?!\w)/.test(text.replaceAll('60M+', ''))).toBe(false);
  });
});

describe('guarantees', () => {
  it('name 30 days only for Windows or beside the 7 days', () => {
    for (const { path: address, sections } of allPages) {
      for (const [at, text] of strings(sections)) {
        if (!text.includes(`${guaranteeDays.recoveryWindows} days`)) continue;
        const isWindowsPage = address === '/win-data-recovery';
        expect(isWindowsPage || text.includes(`${guaranteeDays.everythingElse}`), `${address} ${at}`).toBe(true);
      }
    }
  });
});

describe('what search engines see', () => {
  it('is unique on every page', () => {
    const seen = [...allPages.map(({ seo }) => seo), ...Object.values(toolPages).map(({ seo }) => seo)];
    expect(new Set(seen.map(({ title }) => title)).size).toBe(seen.length);
    expect(new Set(seen.map(({ description }) => description)).size).toBe(seen.length);
    for (const { title, description } of seen) {
      expect(title.length, title).toBeLessThanOrEqual(75);
      expect(description.length, title).toBeGreaterThanOrEqual(40);
    }
  });
});
