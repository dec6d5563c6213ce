import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Size that shared links show (Open Graph: 1200 × 630). */
const size = { width: 1200, height: 630 };
/** The text's left edge and its longest line. */
const left = 80;
const longestLine = 820;
/** Largest first: the first size at which a heading fits into its lines is taken. */
const headingSizes = [72, 64, 56, 48];
const headingLines = 3;
const lineHeight = 1.1;
const smallSize = 28;
/** The grid of blocks (components/README.md, 1). */
const grid = { block: 34, pitch: 40, left: 6, top: 2 };
/** Blocks keep to the edges and the right, away from words. */
const wordsEnd = { column: 22, firstRow: 2, lastRow: 13 };

const require = createRequire(import.meta.url);

/** A font of ours at one weight; text is set by its outlines, so that the machine needs no fonts. */
export async function openFont(name, weight) {
  const [fontkit, { default: decompress }] = await Promise.all([import('fontkit'), import('woff2-encoder/decompress')]);
  const file = require.resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`);
  // fontkit varies the weight of plain fonts only.
  return fontkit.create(Buffer.from(await decompress(readFileSync(file)))).getVariation({ wght: weight });
}

/** A line of text as one outline, and its width in pixels. */
function outline(font, text, pixels, tracking) {
  const scale = pixels / font.unitsPerEm;
  const { glyphs, positions } = font.layout(text);
  let x = 0;
  const parts = glyphs.map((glyph, index) => {
    const at = x;
    x += (positions[index]?.xAdvance ?? glyph.advanceWidth) * scale + tracking * pixels;
    return glyph.path.scale(scale, -scale).translate(at, 0).toSVG();
  });
  return { d: parts.join(''), width: x };
}

function wrapWithin(font, text, pixels, tracking, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && outline(font, longer, pixels, tracking).width > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** As few lines as fit, and those about as long as each other (as CSS `text-wrap: balance`). */
function wrap(font, text, pixels, tracking) {
  let lines = wrapWithin(font, text, pixels, tracking, longestLine);
  for (let width = longestLine - 20; lines.length > 1 && width > longestLine / 3; width -= 20) {
    const narrower = wrapWithin(font, text, pixels, tracking, width);
    if (narrower.length > lines.length) break;
    lines = narrower;
  }
  return lines;
}

/** Blocks of the texture, the same for the same page. */
function texture(path, colours) {
  const bytes = createHash('sha512').update(path).digest();
  let asked = 0;
  const next = () => bytes[asked++ % bytes.length] ^ ((asked * 37) % 256);
  const rects = [];
  let found = 0;
  for (let row = 0; row < 16; row += 1) {
    for (let column = 0; column < 30; column += 1) {
      const isEdge = row < wordsEnd.firstRow || row > wordsEnd.lastRow;
      const isLogo = row < 3 && column > 0 && column < 9;
      if (isLogo || (!isEdge && column <= wordsEnd.column) || next() > 72) continue;
      const isFound = column > wordsEnd.column && found < 3 && next() < 60;
      if (isFound) found += 1;
      const x = grid.left + column * grid.pitch;
      const y = grid.top + row * grid.pitch;
      const fill = isFound ? colours.found : colours['field-2'];
      rects.push(`<rect x="${x}" y="${y}" width="${grid.block}" height="${grid.block}" rx="2" fill="${fill}"/>`);
    }
  }
  return rects.join('');
}

function setLine(font, text, pixels, tracking, y, fill) {
  return `<path transform="translate(${left} ${y})" fill="${fill}" d="${outline(font, text, pixels, tracking).d}"/>`;
}

/**
 * The picture of a page as SVG: the brand's field, its mark and name, the page's heading and one line below it.
 * `fonts` are the display and the text face, `brand` has the name, the mark's shapes on a 30 × 30 box, and colours.
 */
export function socialPicture({ path, heading, line }, brand, fonts) {
  const { colours } = brand;
  const tracking = -0.028;
  const pixels =
    headingSizes.find((candidate) => wrap(fonts.display, heading, candidate, tracking).length <= headingLines) ??
    headingSizes.at(-1);
  const lines = wrap(fonts.display, heading, pixels, tracking).slice(0, headingLines);
  const small = wrap(fonts.text, line, smallSize, 0).slice(0, 2);
  const step = pixels * lineHeight;
  const first = 262 + (headingLines - lines.length) * step * 0.28;
  const words = lines.map((text, index) =>
    setLine(fonts.display, text, pixels, tracking, first + index * step, colours['on-field']),
  );
  const below = first + (lines.length - 1) * step + 62;
  const more = small.map((text, index) =>
    setLine(fonts.text, text, smallSize, 0, below + index * smallSize * 1.4, colours['on-field-2']),
  );
  const name = `<path transform="translate(142 94)" fill="${colours['on-field']}" d="${outline(fonts.display, brand.name, 38, -0.02).d}"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">`,
    `<rect width="${size.width}" height="${size.height}" fill="${colours.field}"/>`,
    texture(path, colours),
    `<g transform="translate(80 56) scale(1.533)">${brand.mark}</g>`,
    name,
    ...words,
    ...more,
    '</svg>',
  ].join('');
}
