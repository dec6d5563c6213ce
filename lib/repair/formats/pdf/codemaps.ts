import { Buffer } from '../../host/bytes';

/** Letters from a to z, and how many of them a text must have, also as a share of its signs, to tell a language. */
const letters = 26;
const leastLetters = { count: 40, share: 0.3 };
/** A mapping from character codes to text (ISO 32000-1, 9.10.3): bytes per code, and the text of each code. */
export type CodeMap = { width: number; texts: Map<number, string> };

/**
 * Glyph numbers of the usual TrueType fonts, from which most programs subset without renumbering: after three special glyphs they
 * follow ASCII from the space on.
 */
export const glyphOrder: CodeMap = {
  width: 2,
  texts: new Map(Array.from({ length: 95 }, (_, index) => [index + 3, String.fromCharCode(index + 32)])),
};

/** A ToUnicode stream for a map. */
export function writeCodeMap(map: CodeMap): Buffer {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const digits = map.width * 2;
  const lines = [...map.texts].map(
    ([code, text]) => `<${hex(code, digits)}> <${[...text].map((letter) => hex(letter.charCodeAt(0), 4)).join('')}>`,
  );
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += 100) {
    const block = lines.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return Buffer.from(
    `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Recovered def\n/CMapType 2 def\n1 begincodespacerange\n<${hex(0, digits)}> <${'f'.repeat(digits)}>\nendcodespacerange\n${blocks.join('\n')}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`,
  );
}

/** Reads the single codes and ranges of a ToUnicode stream. */
export function readCodeMap(text: string): CodeMap {
  const map: CodeMap = { width: 1, texts: new Map() };
  const decode = (hex: string) => {
    const padded = hex.length % 4 ? hex.padStart(hex.length + 4 - (hex.length % 4), '0') : hex;
    return Buffer.from(padded, 'hex').swap16().toString('utf16le');
  };
  const space = /begincodespacerange\s*<([0-9a-fA-F]+)>/.exec(text)?.[1];
  map.width = Math.max(1, Math.ceil((space?.length ?? 2) / 2));
  for (const [, body = ''] of text.matchAll(/beginbfchar([\s\S]*?)(?:endbfchar|$)/g)) {
    for (const [, code = '', value = ''] of body.matchAll(/<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>/g))
      map.texts.set(Number.parseInt(code, 16), decode(value));
  }
  for (const [, body = ''] of text.matchAll(/beginbfrange([\s\S]*?)(?:endbfrange|$)/g)) {
    for (const [, low = '', high = '', value, list] of body.matchAll(
      /<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*(?:<([0-9a-fA-F]+)>|\[([^\]]*)\])/g,
    )) {
      const first = Number.parseInt(low, 16);
      const last = Math.min(Number.parseInt(high, 16), first + 65535);
      const items = list?.match(/[0-9a-fA-F]+/g);
      const base = value ? decode(value) : '';
      for (let code = first; code <= last; code++) {
        const item = items?.[code - first];
        const tail = base.charCodeAt(base.length - 1) + (code - first);
        map.texts.set(code, item ? decode(item) : base.slice(0, -1) + String.fromCharCode(tail));
      }
    }
  }
  return map;
}

/** The share of codes that a map knows, lowered when the text they give looks like no writing. */
export function plausibility(map: CodeMap, bytes: Buffer): number {
  if (bytes.length === 0 || map.texts.size === 0) return 0;
  let known = 0;
  let text = '';
  const total = Math.floor(bytes.length / map.width);
  for (let at = 0; at + map.width <= bytes.length; at += map.width) {
    const value = map.texts.get(bytes.readUIntBE(at, Math.min(4, map.width)));
    if (value === undefined) continue;
    known++;
    text += value;
  }
  const letters = text.match(/[\p{L}\p{N}\s.,;:'"()-]/gu)?.length ?? 0;
  return (known / Math.max(1, total)) * (letters / Math.max(1, text.length)) * (0.6 + 0.5 * letterFit(text));
}

/** What a map makes of pieces of text; codes that it does not know are spaces. */
export function textIn(map: CodeMap, pieces: readonly Buffer[]): string {
  const width = Math.min(4, map.width);
  const read = (piece: Buffer) =>
    Array.from(
      { length: Math.floor(piece.length / width) },
      (_, index) => map.texts.get(piece.readUIntBE(index * width, width)) ?? ' ',
    ).join('');
  return pieces.map(read).join(' ');
}

/** Letters of European writing per thousand, a to z, over several languages. */
const usualLetters = [
  81, 15, 31, 43, 140, 15, 18, 32, 76, 4, 6, 44, 27, 76, 68, 25, 6, 68, 68, 74, 34, 11, 13, 4, 12, 4,
];

/** How near the letters of a text come to how often letters are used: 1 near, 0 far or mixed up, 0.75 for short or other scripts. */
function letterFit(text: string): number {
  const counts = new Array<number>(letters).fill(0);
  let total = 0;
  for (const letter of text.toLowerCase()) {
    const index = letter.charCodeAt(0) - 97;
    if (index < 0 || index >= letters) continue;
    counts[index] = (counts[index] ?? 0) + 1;
    total++;
  }
  if (total < leastLetters.count || total < text.length * leastLetters.share) return 0.75;
  let [dot, own, usual] = [0, 0, 0];
  for (const [index, count] of counts.entries()) {
    const wanted = usualLetters[index] ?? 0;
    dot += count * wanted;
    own += count * count;
    usual += wanted * wanted;
  }
  return Math.max(0, (dot / Math.sqrt(own * usual) - 0.5) * 2);
}

/** How near the share of vowels among letters is to that of European writing: 1 near, 0 far. */
function vowelFit(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 20) return 0;
  const vowels = text.match(/[aeiouyäöüáéíóúàèìòù]/giu)?.length ?? 0;
  return Math.max(0, 1 - Math.abs(vowels / letters - 0.4) * 4);
}

/** The share of bytes that are printable in the usual one-byte encoding. */
export function plainness(bytes: Buffer): number {
  if (bytes.length === 0) return 1;
  let printable = 0;
  for (const byte of bytes) if (byte >= 32 && byte < 127) printable++;
  const text = bytes.toString('latin1').replace(/[^\x20-\x7e]/g, '');
  return (printable / bytes.length) * (1 + 0.1 * vowelFit(text));
}

/** The codes of a run of text, each of so many bytes. */
export const codesIn = (run: Buffer, width: 1 | 2): number[] =>
  Array.from({ length: Math.floor(run.length / width) }, (_, index) => run.readUIntBE(index * width, width));

/** Bytes of each code: two where every other byte is next to always the same small one. */
export function widthOf(runs: readonly Buffer[]): 1 | 2 {
  let [even, small, all] = [0, 0, 0];
  for (const run of runs) {
    if (run.length % 2 === 0) even++;
    for (let at = 0; at + 1 < run.length; at += 2) {
      all++;
      if ((run[at] ?? 0) < 4) small++;
    }
  }
  return even > runs.length * 0.95 && small > all * 0.95 ? 2 : 1;
}

/** A map in which every code is a letter that is not known. */
export function signsFor(all: readonly Buffer[]): CodeMap {
  const width = widthOf(all);
  const texts = new Map<number, string>();
  for (const run of all) for (const code of codesIn(run, width)) texts.set(code, '\ufffd');
  return { width, texts };
}
