import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './steps/run.mjs';
import { trigramTable } from './trigrams.mjs';

/*
 * Makes the tables of lib/repair/formats/pdf/cipher anew, from handbooks that Debian has in all seven languages: node
 * lib/cli/letter-tables.mjs, on a machine with apt-get and dpkg-deb. Which releases they were made from says the README.md there.
 */

/** A word counts that stands there this often; of them, the more usual ones. Chosen on 42 other texts, see the README.md. */
const atLeast = 2;
const most = 15_000;

/** Letters that stand for marked ones are those of `standIns` in index.ts. */
const languages = [
  { name: 'english', help: 'en-us', manual: 'en', book: 'en-US', standIns: '' },
  { name: 'german', help: 'de', manual: 'de', book: 'de-DE', standIns: 'qüxä' },
  { name: 'french', help: 'fr', manual: 'fr', book: 'fr-FR', standIns: 'wékà' },
  { name: 'spanish', help: 'es', manual: 'es', book: 'es-ES', standIns: 'kówá' },
  { name: 'italian', help: 'it', manual: 'it', book: 'it-IT', standIns: 'jèkàwò' },
  { name: 'dutch', help: 'nl', manual: 'nl', book: 'nl-NL', standIns: '' },
  { name: 'portuguese', help: 'pt', manual: 'pt', book: 'pt-BR', standIns: 'kãwçyá' },
];

const packages = [
  'debian-handbook',
  'installation-guide-amd64',
  ...languages.flatMap(({ help, manual }) => [`libreoffice-help-${help}`, `gimp-help-${manual}`]),
];

/** What is no prose, and what prose stands in. */
const noProse = /<(script|style|pre|code|tt|kbd)\b[\s\S]*?<\/\1>/gi;
const prose = /<(p|li|dd|td)\b[^>]*>([\s\S]*?)<\/\1>/gi;
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', apos: '’' };

const unescaped = (text) =>
  text.replace(/&(#x?)?(\w+);/g, (_, number, name) =>
    number ? String.fromCodePoint(Number.parseInt(name, number === '#x' ? 16 : 10)) : (entities[name] ?? ' '),
  );

/** The paragraphs of a page. */
export function paragraphsOf(html) {
  return [...html.replace(noProse, ' ').matchAll(prose)].map(([, , text]) =>
    unescaped(text.replace(/<[^>]+>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

/** Different paragraphs of all pages below some folders. */
function paragraphsBelow(folders) {
  const found = new Set();
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.html?$/.test(entry.name)) continue;
      for (const paragraph of paragraphsOf(readFileSync(join(entry.parentPath, entry.name), 'utf8')))
        found.add(paragraph);
    }
  }
  return found;
}

/** The words of paragraphs that are met often enough, the more usual ones first; abbreviations do not count. */
export function usualWords(paragraphs, least = atLeast, longest = most) {
  const counts = new Map();
  for (const paragraph of paragraphs) {
    for (const word of paragraph.normalize('NFC').match(/\p{L}+/gu) ?? []) {
      if (/\p{Lu}.*\p{Lu}/u.test(word)) continue;
      const small = word.toLowerCase();
      counts.set(small, (counts.get(small) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([, count]) => count >= least)
    .sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    .slice(0, longest)
    .map(([word]) => word);
}

/** A table as a file of the program. */
function moduleOf(name, words, table) {
  const title = name.replace(/^./, (first) => first.toUpperCase());
  const lines = table.match(/.{1,140}/g).map((line) => `  '${line}',`);
  return `/** How likely letters follow each other in ${title}, counted over ${words.length.toLocaleString('en-US')} words; see \`TrigramTable\`. */
export const ${name} = [
${lines.join('\n')}
].join('');
`;
}

/** Runs a program that has to end well. */
async function must(program, args, cwd) {
  if ((await run(program, args, { cwd })) !== 0) throw new Error(`${program} failed.`);
}

async function makeTables() {
  const folder = mkdtempSync(join(tmpdir(), 'letter-tables-'));
  try {
    await must('apt-get', ['download', '-qq', ...packages], folder);
    for (const file of readdirSync(folder)) {
      const target = join(folder, file.replace(/_.*/, ''));
      mkdirSync(target);
      await must('dpkg-deb', ['-x', join(folder, file), target]);
      console.log(file.replace(/_[^_]*$/, ''));
    }
    const read = ({ help, manual, book }) =>
      paragraphsBelow([
        join(folder, `libreoffice-help-${help}`),
        join(folder, `gimp-help-${manual}`),
        join(folder, 'installation-guide-amd64/usr/share/doc/installation-guide-amd64', manual),
        join(folder, 'debian-handbook/usr/share/doc/debian-handbook/html', book),
      ]);
    const english = read(languages[0]);
    for (const language of languages) {
      // What was not translated stands in the others in English.
      const own = language.name === 'english' ? english : [...read(language)].filter((text) => !english.has(text));
      const words = usualWords(own);
      const table = trigramTable(words.join(' '), language.standIns);
      writeFileSync(`lib/repair/formats/pdf/cipher/${language.name}.ts`, moduleOf(language.name, words, table));
      console.log(`${language.name}: ${words.length} words`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await makeTables();
