import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/*
 * Makes a table of which letters follow each other in a language, as lib/repair/formats/pdf/cipher reads it, from a list of words or any
 * text: node lib/cli/trigrams.mjs words.txt [stand-ins]. Stand-ins are pairs of a letter that the language hardly uses and the marked one
 * that takes its place, such as qüxä for German.
 */

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Letters and the border of a word. */
const size = 27;
/** Parts of a natural unit in a digit, so that 63 of them stand for a share of one in 22,000. */
const unit = 6.3;
const dearest = digits.length - 1;

/** Different words of a text, in letters from a to z: those with marks by their stand-ins, or without the mark. */
function wordsOf(text, standIns) {
  const letters = [...standIns];
  const plain = new Map(letters.flatMap((letter, index) => (index % 2 === 0 ? [[letters[index + 1], letter]] : [])));
  const spelt = (word) =>
    [...word].map((letter) => plain.get(letter) ?? letter.normalize('NFD').replace(/\p{M}/gu, '')).join('');
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return [...new Set(words.map(spelt))].filter((word) => /^[a-z]+$/.test(word));
}

/** How often a pair of letters must be met until what stands behind it counts as much as what stands behind its second letter in any pair. */
const backing = 5;

/** Shares of what stands behind a pair, leaning on those behind its second letter as far as the pair is rare. */
function sharesBehind(pair, single) {
  const sum = (counts) => counts.reduce((all, count) => all + count, 0);
  const [seen, known] = [sum(pair), Math.max(1, sum(single))];
  return pair.map((count, third) => (count + (backing * single[third]) / known) / (seen + backing));
}

/** The table of a text: for each two letters (0 for the border of a word) what each third one costs, in digits of base 64. */
export function trigramTable(text, standIns = '') {
  const counts = Array.from({ length: size * size }, () => new Float64Array(size));
  const singles = Array.from({ length: size }, () => new Float64Array(size));
  for (const word of wordsOf(text, standIns)) {
    const codes = [0, 0, ...[...word].map((letter) => letter.charCodeAt(0) - 96), 0];
    for (let at = 2; at < codes.length; at++) {
      counts[codes[at - 2] * size + codes[at - 1]][codes[at]]++;
      singles[codes[at - 1]][codes[at]]++;
    }
  }
  // Nothing before the border of a word tells of what comes behind it.
  const rows = counts.map((row, pair) => sharesBehind(pair % size === 0 ? counts[0] : row, singles[pair % size]));
  const digitOf = (share) => digits[share === 0 ? dearest : Math.min(dearest, Math.round(-Math.log(share) * unit))];
  return rows.map((row) => Array.from(row, digitOf).join('')).join('');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , file, standIns] = process.argv;
  if (!file) throw new Error('Name a file of words, and the stand-ins of the language where it has any.');
  console.log(trigramTable(readFileSync(file, 'utf8'), standIns));
}
