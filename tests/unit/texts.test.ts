// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { requirements } from '@/lib/catalog/facts';
import { allPages } from '@/lib/content';
import { extensionsList, macRate, windowsRate } from '@/lib/content/phrases';
import { drawings } from '@/lib/content/pictures';
import { isBuilt } from '@/lib/content/routes';
import { toolPages, toolSections } from '@/lib/content/screens/tools';
import type { ProseBlock } from '@/lib/content/sections';
import { changedOf, textSections } from '@/lib/content/text-page';
import { plainText } from '@/lib/seo/plain-text';
import { pageGraph } from '@/lib/seo/structured-data';

const texts = allPages.filter((page) => page.text);
const tools = (['video', 'photo', 'file'] as const).map((kind) => ({
  path: toolPages[kind].path,
  sections: toolSections(kind),
}));

function blocksOf(page: (typeof texts)[number]): readonly ProseBlock[] {
  return page.sections.flatMap((section) => (section.kind === 'prose' ? section.blocks : []));
}

/** What a reader reads of a block, sentence by sentence: list items and cells are sentences of their own. */
function sentencesOf(block: ProseBlock): string[] {
  if ('title' in block) return [block.title];
  if ('text' in block) return [block.text];
  if ('note' in block) return [block.note];
  if ('list' in block) return [...block.list];
  if ('table' in block) return block.table.rows.flat();
  return [];
}

const wordsIn = (text: string) => plainText(text).match(/[\p{L}\p{N}][\p{L}\p{N}’'./:-]*/gu) ?? [];

function proseOf(page: (typeof texts)[number]): string[] {
  const [head] = page.sections;
  const lead = head?.kind === 'pagehead' && head.lead ? [head.lead] : [];
  return [...lead, ...blocksOf(page).flatMap(sentencesOf)].map(plainText);
}

/** Syllables of an English word, counted by its groups of vowels; a silent e at the end does not count. */
function syllables(word: string): number {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '');
  return Math.max(1, letters.replace(/(?:[^laeiouy]es|[^laeiouy]e|ed)$/, '').match(/[aeiouy]{1,2}/g)?.length ?? 1);
}

/** Reading ease after Flesch (1948): 60 to 70 is plain English, below 50 is hard. */
function readingEase(parts: readonly string[]): number {
  const sentences = parts.flatMap((part) => part.split(/(?<=[.:?!])\s+/)).filter((part) => /\p{L}/u.test(part));
  const words = sentences.flatMap(wordsIn).filter((word) => /^\p{L}+$/u.test(word));
  const sounds = words.reduce((sum, word) => sum + syllables(word), 0);
  return 206.835 - 1.015 * (words.length / sentences.length) - 84.6 * (sounds / words.length);
}

describe.each(texts.map((page) => [page.path, page] as const))('%s', (_, page) => {
  const blocks = blocksOf(page);
  const [head] = page.sections;

  it('has 600 to 1,200 words, plainly written', () => {
    const parts = proseOf(page);
    const count = parts.flatMap(wordsIn).length;
    expect(count).toBeGreaterThanOrEqual(600);
    expect(count).toBeLessThanOrEqual(1200);
    expect(readingEase(parts)).toBeGreaterThanOrEqual(65);
  });

  it('answers in its first three sentences', () => {
    const lead = head?.kind === 'pagehead' ? (head.lead ?? '') : '';
    const sentences = lead.split(/(?<=[.?!])\s+/);
    expect(sentences.length).toBeGreaterThanOrEqual(2);
    expect(sentences.length).toBeLessThanOrEqual(4);
  });

  it('has its headings in order, each once', () => {
    let level = 1;
    const seen: string[] = [];
    for (const block of blocks) {
      if (!('title' in block)) continue;
      const own = block.level ?? 2;
      expect(own - level, block.title).toBeLessThanOrEqual(1);
      level = own;
      seen.push(block.title);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(page.sections.some((section) => section.kind === 'prose' && section.contents)).toBe(true);
  });

  it('has three drawings or more, each with words for those who can’t see it', () => {
    const pictures = blocks.flatMap((block) => ('picture' in block ? [block.picture] : []));
    expect(pictures.length).toBeGreaterThanOrEqual(3);
    for (const { drawing, label } of pictures) {
      expect(drawings[drawing]).toBeDefined();
      expect(wordsIn(label).length, label).toBeGreaterThanOrEqual(6);
    }
    expect(new Set(pictures.map(({ drawing }) => drawing)).size).toBe(pictures.length);
  });

  it('names pages that exist, and is named by those that are texts themselves', () => {
    for (const path of page.text?.related ?? []) {
      expect(isBuilt(path), path).toBe(true);
      const other = texts.find((candidate) => candidate.path === path);
      if (other) expect(JSON.stringify(textSections(other)), `${path} leads back`).toContain(`](${page.path})`);
    }
  });

  it('tells search engines who wrote it and when', () => {
    const article = pageGraph(page).find((node) => node['@type'] === 'Article');
    expect(article).toMatchObject({
      datePublished: page.text?.published,
      dateModified: changedOf(page),
      author: { '@type': 'Organization' },
    });
    expect(String(article?.dateModified) >= String(article?.datePublished)).toBe(true);
  });
});

describe('tools and products', () => {
  it.each([...allPages.filter(({ product }) => product), ...tools].map((page) => [page.path, page] as const))(
    '%s is named by a text only if it leads to one',
    (path, page) => {
      const naming = texts.filter(({ text }) => text?.related.includes(path));
      if (naming.length > 0) expect(JSON.stringify(page.sections)).toMatch(/\/(?:how-to|user-guide)\//);
    },
  );
});

/** Facts of the catalogue read the same wherever they stand. */
const facts = [
  windowsRate,
  macRate,
  ...(['video', 'photo', 'file'] as const).flatMap((kind) => [extensionsList(kind), extensionsList(kind, 'or')]),
  ...Object.values(requirements.whatsapp),
];
const withoutFacts = (text: string) => facts.reduce((left, fact) => left.replaceAll(fact, ' § '), text);

/** Runs of so many words that stand on two pages are a repetition. */
const run = 12;

it('no two pages have twelve words in a row in common', () => {
  const seen = new Map<string, string>();
  const repeated: string[] = [];
  for (const page of allPages) {
    const isText = page.text !== undefined;
    const parts = isText ? proseOf(page) : [...strings(page.sections)];
    for (const part of parts) {
      const words = wordsIn(withoutFacts(part)).map((word) => word.toLowerCase());
      for (let at = 0; at + run <= words.length; at += 1) {
        const key = words.slice(at, at + run).join(' ');
        const other = seen.get(key);
        const otherIsText = texts.some(({ path }) => path === other);
        if (other && other !== page.path && (isText || otherIsText)) repeated.push(`${page.path} and ${other}: ${key}`);
        seen.set(key, page.path);
      }
    }
  }
  expect(repeated).toEqual([]);
});

function* strings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield plainText(value);
  else if (value && typeof value === 'object') for (const item of Object.values(value)) yield* strings(item);
}
