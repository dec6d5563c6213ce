import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './fingerprint.mjs';

const faces = {
  display: '@fontsource-variable/funnel-display/files/funnel-display-latin-wght-normal.woff2',
  text: '@fontsource-variable/funnel-sans/files/funnel-sans-latin-wght-normal.woff2',
};

/** Where the root layout finds them (app/fonts.ts); ignored by git, like all that is generated. */
const FONTS = join('lib', 'content', 'generated', 'fonts');

/** Every character that the site's own words are written with: those of the keyboard, and what stands in the sources of pages. */
function written(base) {
  const letters = new Set(Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)));
  for (const root of ['app', 'components', join('lib', 'content'), join('lib', 'catalog'), join('public', 'art')]) {
    for (const path of filesBelow(join(base, root))) {
      if (!/\.(tsx?|svg)$/.test(path) || path.startsWith(join(base, 'lib', 'content', 'generated'))) continue;
      for (const letter of readFileSync(path, 'utf8')) if (letter > '\u007f') letters.add(letter);
    }
  }
  return [...letters].sort().join('');
}

/** Accented letters of western Europe, for the names that visitors type. */
const accented = Array.from({ length: 64 }, (_, index) => String.fromCharCode(0xc0 + index)).join('');

/**
 * What of the faces' layout rules is kept: kerning, ligatures, and figures of one width (`tabular-nums`). Every other rule brings the
 * glyphs that it sets along, such as those of fractions, which nothing here asks for.
 */
const keepFeatures = ['kern', 'liga', 'tnum'];

/**
 * Writes the faces with the letters and weights alone that they are needed for: they are fetched before anything is read. Headings are the
 * site's own words, in one weight; names of visitors stand in running text, and their accents in a file that is fetched where they occur.
 */
export async function writeFonts(base = '.') {
  const { default: subsetFont } = await import('subset-font');
  const folder = join(base, FONTS);
  mkdirSync(folder, { recursive: true });
  const own = written(base);
  const running = { min: 400, max: 600, default: 400 };
  const files = [
    { name: 'display.woff2', face: faces.display, letters: own, wght: 620 },
    { name: 'text.woff2', face: faces.text, letters: own, wght: running },
    { name: 'accents.woff2', face: faces.text, letters: accented, wght: running },
  ];
  for (const { name, face, letters, wght } of files) {
    const source = readFileSync(join('node_modules', face));
    const bytes = await subsetFont(source, letters, { targetFormat: 'woff2', keepFeatures, variationAxes: { wght } });
    const half = join(folder, `.${name}.${process.pid}`);
    writeFileSync(half, bytes);
    renameSync(half, join(folder, name));
  }
}
