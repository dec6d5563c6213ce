import type { Mended } from '../../core/deflate/mended';
import { alphaBytes } from './alpha';
import { type PngHeader, rowSizes } from './header';
import type { PassRows } from './place';
import type { Given } from './restore';
import type { PngRows } from './rows';
import { eachTree, type Runs, settleTrees, type Traced, trace } from './trees';

/**
 * Pixels of a picture up to which its opacity is traced, and how often; the share of pixels that must be seen whole or not at all, and from which on next to
 * none is half seen; rows above all damage that it takes to tell.
 */
const traced = { most: 4 << 20, passes: 3, ends: 0.8, sharp: 0.9, rows: 4 };
/**
 * How many of a tree's most frequent values are tried as pixels seen whole or not at all, in log likelihood how much better the best must be, and how many
 * levels, of at most so many, tell as much as one of that.
 */
const tried = { values: 6, margin: 12, far: 64, levels: 8 };
/** How far from one that is seen whole, or not at all, a pixel is taken for one. */
const nearEnd = 24;

/** The two likeliest bases of each tree of opacities, and how likely they make those. */
type Bases = { first: Int16Array; second: Int16Array; score: Float64Array; other: Float64Array };

/** What is known of the opacity of a picture with holes; how likely the rest of it is, and whether next to no pixel is half seen. */
export type Opacity = { found: Traced; bases: Bases; isSharp: boolean };

/**
 * Finds the opacity of a picture of which things are seen whole or not at all, but for few pixels at edges: the amounts that filters add
 * (ISO/IEC 15948, 9.2) tell which pixels have the same and where it turns, and of what builds on lost amounts only one value makes most pixels
 * one or the other. `damaged` is the first row in which any byte is lost. Null where opacity is of another kind in those above it.
 */
export function settleOpacity(header: PngHeader, model: PngRows, mended: Mended, damaged: number): Opacity | null {
  const { width, height } = header;
  if (alphaBytes(header) !== 1 || header.interlaced || width * height > traced.most) return null;
  const last = rowSizes(header).pixel - 1;
  let found = trace(header, model, mended, last, null);
  const above = damaged * width;
  const counts = new Float64Array(256);
  for (let at = 0; at < above; at++) (counts[found.value[at] as number] as number)++;
  const ends = ((counts[0] as number) + (counts[255] as number)) / Math.max(1, above);
  if (damaged < traced.rows || ends < traced.ends) return null;
  const likely = logs(counts);
  let bases = likeliest(found, likely);
  for (let pass = 1; pass < traced.passes; pass++) {
    settleTrees(found, sureOf(bases));
    found = trace(header, model, mended, last, found);
    bases = likeliest(found, likely);
  }
  return { found, bases, isSharp: ends >= traced.sharp };
}

/** Log likelihood of each opacity; few pixels are half seen where nothing tells how many. */
function logs(counts: Float64Array): Float64Array {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const usual = (value: number) => (value === 0 ? 0.5 : value === 255 ? 0.4 : 0.1 / 254);
  return Float64Array.from({ length: 256 }, (_, value) =>
    Math.log(((counts[value] as number) + 64 * usual(value)) / (all + 64)),
  );
}

/** The two likeliest bases of every tree. */
function likeliest(found: Traced, likely: Float64Array): Bases {
  const bases: Bases = {
    first: new Int16Array(found.trees + 1),
    second: new Int16Array(found.trees + 1),
    score: new Float64Array(found.trees + 1),
    other: new Float64Array(found.trees + 1),
  };
  const rank = (number: number, runs: Runs) => {
    const often = runs.toSorted((one, other) => other[1] - one[1]).slice(0, tried.values);
    const candidates = new Set(often.flatMap(([value]) => [(256 - value) & 255, (255 - value) & 255]));
    let [first, second, score, other] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const base of candidates) {
      let sum = 0;
      for (const [value, count] of runs) sum += count * (likely[(value + base) & 255] as number);
      if (sum > score) [first, second, score, other] = [base, first, sum, score];
      else if (sum > other) [second, other] = [base, sum];
    }
    bases.first[number] = first;
    bases.second[number] = second;
    bases.score[number] = score;
    bases.other[number] = other;
  };
  eachTree(found, (at) => found.value[at] as number, rank);
  return bases;
}

/** The bases of trees of which one is far likelier than any other. */
const sureOf = ({ first, score, other }: Bases): Int16Array =>
  first.map((base, number) => ((score[number] as number) - (other[number] as number) >= tried.margin ? base : -1));

/** What is certain of it, for rows to be restored by. */
export const givenBy =
  ({ found: { tree, value } }: Opacity): Given =>
  (pixel) =>
    tree[pixel] === 0 ? (value[pixel] as number) : -1;

/**
 * Settles the opacity of what is in doubt by what the rows restored show there, and lays it over them; nothing is left of
 * the colours of pixels that nothing is seen of.
 */
export function layOpacity(
  header: PngHeader,
  { data, row, lost, tainted }: PassRows & { tainted: Uint8Array },
  { found, bases, isSharp }: Opacity,
): void {
  const { width, height } = header;
  const { pixel } = rowSizes(header);
  const place = (at: number) => Math.floor(at / width) * row + ((at % width) + 1) * pixel - 1;
  settleByShown(found, bases, (at) => (lost[Math.floor(at / width)] === 1 ? -1 : (data[place(at)] ?? 0)));
  const least = isSharp ? 128 : nearEnd;
  for (let at = 0; at < width * height; at++) {
    const line = Math.floor(at / width);
    if (tainted[line] === 0 || lost[line] === 1) continue;
    const byte = place(at);
    const shown = data[byte] ?? 0;
    const value =
      found.tree[at] === 0 ? (found.value[at] ?? 0) : shown < least ? 0 : shown >= 256 - least ? 255 : shown;
    if (value === 0) data.fill(0, byte - pixel + 1, byte + 1);
    else data[byte] = value;
  }
}

/** Makes all other trees certain, by which of their two likeliest values is nearer to what is shown at their pixels (-1 where nothing is). */
function settleByShown(found: Traced, { first, second, score, other }: Bases, shown: (pixel: number) => number): void {
  const { value, tree } = found;
  for (let at = 0; at < tree.length; at++) {
    const number = tree[at] as number;
    const seen = number > 0 ? shown(at) : -1;
    if (seen < 0) continue;
    const away = (base: number) =>
      Math.min(tried.far, Math.abs((((value[at] as number) + base) & 255) - seen)) / tried.levels;
    score[number] = (score[number] as number) - away(first[number] as number);
    other[number] = (other[number] as number) - away(second[number] as number);
  }
  settleTrees(
    found,
    first.map((base, number) =>
      (other[number] as number) > (score[number] as number) ? (second[number] ?? base) : base,
    ),
  );
}
