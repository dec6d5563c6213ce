import type { Buffer } from '../../host/bytes';
import { likeliestLanguage } from './cipher/sense';
import { type CodeMap, glyphOrder, textIn } from './codemaps';

/** The first glyph behind those of ASCII, in the usual order of glyphs. */
const behindAscii = 98;

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index)).join('');

/**
 * What stands behind ASCII in fonts that begin alike: the order of the Macintosh (OpenType, `post` format 1), which Arial and Times New Roman
 * keep, and the order of Unicode with and without the space and hyphen that are not seen, as in DejaVu and in Liberation.
 */
const orders: readonly string[] = [
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ',
  range(0xa0, 0x17f),
  range(0xa1, 0xac) + range(0xae, 0x17f),
];

/**
 * The letters with marks, and others beyond ASCII, of languages, about from the most usual one down; those by whose tables text is told come
 * with their names.
 */
const alphabets: readonly (readonly [string | null, string])[] = [
  ['German', 'äüöß'],
  ['French', 'éàèêçîôûùâïœëüæ'],
  ['Spanish', 'óíáéñúü'],
  ['Italian', 'àèùòéì'],
  ['Dutch', 'ëéïèöüê'],
  ['Portuguese', 'ãçáéíóõêúâôàü'],
  ...['łęąóżśćńź', 'äåöé', 'åøæé', 'íáéěýščřžůúťďňó', 'áéöóőüíúű', 'ăîșțâşţ', 'ışüçğö', 'čšžćđ', 'àèéòíóçúïü'].map(
    (letters): [null, string] => [null, letters],
  ),
];

/**
 * Places of such letters inside words that tell an order, the part of them that must be letters of one language, how much likelier
 * than by any other order, and the part of the most that such numbers of places can weigh.
 */
const telling = { least: 8, share: 0.9, ahead: 1.3, fit: 0.6 };

/**
 * The usual order of glyphs for text, with what stands behind ASCII in its font as far as the language tells: there must be a language that
 * uses nearly all letters which come out, and no other order with one. Codes of which nothing is known are signs for unknown letters.
 */
export function orderFor(runs: readonly Buffer[]): CodeMap {
  const counts = new Map<number, number>();
  const texts = new Map(glyphOrder.texts);
  for (const run of runs) {
    const codes = Array.from({ length: run.length >> 1 }, (_, index) => run.readUInt16BE(index * 2));
    for (const [at, code] of codes.entries()) {
      if (!texts.has(code)) texts.set(code, '\ufffd');
      if (code < behindAscii || code >= behindAscii + mostBehind) continue;
      if ([codes[at - 1], codes[at + 1]].every(isSmallLetter)) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  const order = likeliestOrder(counts, textIn(glyphOrder, runs));
  if (order)
    for (const [index, text] of [...order].entries())
      if (texts.has(behindAscii + index)) texts.set(behindAscii + index, text);
  return { width: 2, texts };
}

const mostBehind = Math.max(...orders.map(({ length }) => length));
const isSmallLetter = (code: number | undefined) => /^[a-z]$/.test(glyphOrder.texts.get(code ?? -1) ?? '');

function likeliestOrder(counts: ReadonlyMap<number, number>, text: string): string | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (all < telling.least) return null;
  const language = likeliestLanguage(text);
  const own = alphabets.filter(([name]) => name !== null && name === language);
  const [best, next] = orders
    .map((order) => ({ order, ...fitOf(order, counts, own.length > 0 ? own : alphabets) }))
    .sort((left, right) => right.weight - left.weight);
  const most = [...counts.values()]
    .sort((left, right) => right - left)
    .reduce((sum, count, rank) => sum + count / (rank + 1), 0);
  const isAhead = best && best.weight > (next?.weight ?? 0) * telling.ahead;
  const isSure = isAhead && best.weight > most * telling.fit;
  return isSure && best.share >= all * telling.share ? best.order : null;
}

/** How many places hold letters of one language, and their weights, which are less for its rarer letters (Zipf's law): of the one that fits best. */
function fitOf(
  order: string,
  counts: ReadonlyMap<number, number>,
  languages: typeof alphabets,
): { share: number; weight: number } {
  const fits = languages.map(([, letters]) => {
    const fit = { share: 0, weight: 0 };
    for (const [code, count] of counts) {
      const rank = letters.indexOf((order[code - behindAscii] ?? ' ').toLowerCase());
      if (rank < 0) continue;
      fit.share += count;
      fit.weight += count / (rank + 1);
    }
    return fit;
  });
  return fits.reduce((best, fit) => (fit.weight > best.weight ? fit : best));
}
