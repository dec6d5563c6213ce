// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folders = ['.ci', '.github', 'app', 'components', 'lib', 'public', 'services', 'store', 'styles', 'tests'];
const skipped = /(^|\/)(node_modules|generated|meta|release-[\d.]+)$/;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.test(path) ? [] : filesBelow(path);
    return [path];
  });
}

const atTheTop = readdirSync('.', { withFileTypes: true })
  .filter((entry) => entry.isFile() && !/^(package-lock\.json|next-env\.d\.ts)$/.test(entry.name))
  .map(({ name }) => name);
const files = [...atTheTop, ...folders.flatMap(filesBelow)];
const guides = files.filter((path) => path.endsWith('.md'));
const sources = files.filter((path) => /\.(tsx?|mts|mjs|scss|css)$/.test(path));
const scripts = files.filter((path) => /(^\.ci\/|^lib\/deploy\/(?!.*\.md)|\.(yaml|yml|sh|sql)$)/.test(path));

/** The comments of a file, each as one line; line comments that follow each other are one. */
function commentsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  if (scripts.includes(path)) return [...text.matchAll(/(?:^[ \t]*#.*\n?)+/gm)].map(([comment]) => oneLine(comment));
  const found = text.matchAll(/\/\*[\s\S]*?\*\/|(?:(?:^|[ \t])\/\/[^\n]*(?:\n(?=[ \t]*\/\/))?)+/gm);
  return [...found].map(([comment]) => oneLine(comment));
}

const oneLine = (comment: string) => comment.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|#)?/g, ' ').replaceAll(/\s+/g, ' ');

/** Numbers of a guide's rules: its headings that begin with one. */
function rulesOf(guide: string): number[] {
  return [...readFileSync(guide, 'utf8').matchAll(/^#{2,4} (\d+)\. /gm)].map(([, number]) => Number(number));
}

const headingsOf = (guide: string) =>
  [...readFileSync(guide, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, words]) => words);

/** A path as a file says it: from the root, or from the folder of the file or one above it. */
function resolved(path: string, from: string): string | undefined {
  const above = dirname(from)
    .split('/')
    .map((_, index, parts) => join(...parts.slice(0, parts.length - index), path));
  return [path, ...above].find((candidate) => existsSync(candidate));
}

const citation =
  /((?:[\w.@-]+\/)*README\.md)`?(?:, (?:"([^"]+)"|(\d+(?:, \d+)*(?: (?:and|to) \d+)?(?!\s*(?:kB|MB|ms|px)))))?/g;

type Citation = { from: string; guide: string; heading: string | undefined; numbers: number[] };

function citationsOf(from: string, text: string): Citation[] {
  return [...text.matchAll(citation)].map(([, guide = '', heading, numbers = '']) => ({
    from,
    guide: guide.replace(/^\(/, ''),
    heading,
    numbers: (numbers.match(/\d+/g) ?? []).map(Number),
  }));
}

/** What is wrong with a citation; nothing of a good one. */
function faultOf({ from, guide, heading, numbers }: Citation): string[] {
  const file = resolved(guide, from);
  if (!file) return [`${from}: there is no ${guide}`];
  const rules = rulesOf(file);
  const dangling = numbers
    .filter((number) => !rules.includes(number))
    .map((number) => `${from}: ${guide} has no rule ${number}`);
  return heading && !headingsOf(file).includes(heading)
    ? [...dangling, `${from}: ${guide} has no “${heading}”`]
    : dangling;
}

/** A text that nobody outside can open. */
const unopenable =
  /\b(?:the|our|customer.s) specification\b|\bspecification(?:'s|’s)? sections?\b|\b(?:spec|contract|architecture|look|engine)\.md\b|\((?:contract|look|architecture|spec)[,)]|\bhouse style\b/i;
/** A section of what? Whoever made the standard has to be named. */
const section = /\bsections? \d/i;
const standard = /\b(?:RFC|ISO|ITU|TIFF|PNG|OpenID|URL Standard|Unicode|SMPTE|Matroska|WCAG|ASVS|PDF|APPNOTE)\b/;

describe('comments', () => {
  const comments = [...sources, ...scripts].flatMap((path) => commentsOf(path).map((comment) => ({ path, comment })));

  it('are found, and cite rules', () => {
    const cited = comments.flatMap(({ path, comment }) => citationsOf(path, comment));
    expect(cited.filter(({ numbers }) => numbers.length > 0).length).toBeGreaterThan(120);
  });

  it('cite rules and guides that are there', () => {
    expect(comments.flatMap(({ path, comment }) => citationsOf(path, comment).flatMap(faultOf))).toEqual([]);
  });

  it('cite no text that a reader of the repository cannot open', () => {
    expect(comments.filter(({ comment }) => unopenable.test(comment))).toEqual([]);
    expect(comments.filter(({ comment }) => section.test(comment) && !standard.test(comment))).toEqual([]);
  });

  it('would be found out', () => {
    const here = 'tests/unit/citations.test.ts';
    const faults = (text: string) => citationsOf(here, text).flatMap(faultOf);
    expect(faults('(lib/contract/README.md, 60)')).toEqual([]);
    expect(faults('(lib/contract/README.md, 60 and 9999)')).toEqual([
      `${here}: lib/contract/README.md has no rule 9999`,
    ]);
    expect(faults('(lib/nowhere/README.md, 1)')).toEqual([`${here}: there is no lib/nowhere/README.md`]);
    expect(faults('lib/repair/README.md, "1. Effort"')).toEqual([]);
    expect(faults('lib/repair/README.md, "How to fly"')).toEqual([`${here}: lib/repair/README.md has no “How to fly”`]);
    expect(unopenable.test(['as the', 'specification says'].join(' '))).toBe(true);
    const nobodys = ['as section', '9 says'].join(' ');
    expect(section.test(nobodys) && !standard.test(nobodys)).toBe(true);
  });
});

describe('names of tests', () => {
  it('speak of no text that a reader of the repository cannot open', () => {
    const names = sources
      .filter((path) => /\.(test|spec)\.tsx?$/.test(path))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\b(?:describe|it|test)(?:\.\w+)*\(\s*'([^']+)'/g)].map(
          ([, name = '']) => ({ path, name }),
        ),
      );
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter(({ name }) => unopenable.test(name) || (section.test(name) && !standard.test(name)))).toEqual(
      [],
    );
  });
});

/** Words in backticks that are a path: from one of our folders, or with an ending of our files. Packages begin with an @. */
const pathLike =
  /^(?:\.ci|\.github|app|components|lib|public|services|store|styles|tests)\/[\w.@()[\]/-]*$|^(?!@)[\w.@()[\]/-]*\w\.(?:tsx?|mts|mjs|scss|md|json|yaml|sql|conf|svg)$/;
/** Files that a build, a run or the machine makes, and addresses that look like a path. */
const made =
  /^(?:\.data|\.next|node_modules|test-results|DATA_DIR)\/|^styles\/antd\.css$|^(?:secrets|operators|bill-of-materials\.cdx)\.json$|^lib\/content\/generated|^\//;

describe('guides', () => {
  it.each(guides)('%s gives a number to one rule only', (guide) => {
    const rules = rulesOf(guide);
    expect(rules).toEqual([...new Set(rules)]);
  });

  it.each(guides)('%s names files that are there', (guide) => {
    const text = readFileSync(guide, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    const named = [...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words);
    const linked = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path = '']) => path);
    const paths = [
      ...named.filter((words) => pathLike.test(words) && !made.test(words)),
      ...linked.filter((path) => !/^(https?:|mailto:|\/)/.test(path)),
    ];
    const missing = paths.filter((path) => !resolved(path, guide) && !isName(path));
    expect(missing).toEqual([]);
  });

  it.each(guides)('%s cites rules that are there', (guide) => {
    expect(citationsOf(guide, readFileSync(guide, 'utf8')).flatMap(faultOf)).toEqual([]);
    expect(readFileSync(guide, 'utf8').match(unopenable)?.[0]).toBeUndefined();
  });
});

/** A file's name alone may stand for a file anywhere. */
const names = new Set(files.map((path) => basename(path)));
const isName = (path: string) => !path.includes('/') && names.has(path);
