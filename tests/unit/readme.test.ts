// @vitest-environment node
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync('README.md', 'utf8');
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  scripts: Record<string, string>;
};

/** Sentences of prose, lists and cells of tables; code is none. */
function sentencesOf(markdown: string): string[] {
  return markdown
    .replaceAll(/^```[\s\S]*?^```/gm, '\n')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<=[^|\n])\n(?=[^|\n#\-\d])/g, ' ')
    .split(/\n|\|/)
    .flatMap((line) => line.split(/(?<=[.!?])\s+/))
    .map((sentence) => sentence.replace(/^(?:#+|-|\d+\.)\s*/, '').trim())
    .filter((sentence) => sentence !== '');
}

describe('the first page', () => {
  it('has at most 150 lines, and no sentence over 25 words', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    expect(sentencesOf(text).filter((sentence) => sentence.split(/\s+/).length > 25)).toEqual([]);
  });

  it('finds a sentence that is too long, over the end of a line too', () => {
    const long = `${'word '.repeat(13)}\n${'word '.repeat(13).trim()}.`;
    expect(sentencesOf(`Short.\n${long} Short.`).map((sentence) => sentence.split(/\s+/).length)).toEqual([1, 26, 1]);
  });

  it('shows four pictures of at most 600 kB together', () => {
    const pictures = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(pictures).toHaveLength(4);
    expect(pictures.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(600_000);
  });

  it('names commands that are there', () => {
    const named = [...text.matchAll(/`?npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  it('names ten variables of the whole list', () => {
    const names = (markdown: string) => [...markdown.matchAll(/^\| `([A-Z_0-9]+)` \|/gm)].map(([, name]) => name);
    const whole = names(readFileSync('lib/server/README.md', 'utf8'));
    expect(names(text)).toHaveLength(10);
    expect(names(text).filter((name) => !whole.includes(name))).toEqual([]);
  });
});

describe('the list of changes', () => {
  it('has what is not released yet first, and then this version, with its day', () => {
    const releases = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$/gm)];
    expect(releases.map(([, name]) => name).slice(0, 2)).toEqual(['Unreleased', manifest.version]);
    expect(releases.slice(1).every(([, , day]) => day !== undefined)).toBe(true);
  });
});
