import { Buffer } from '../../host/bytes';

/** The quality at which the IJG library takes the tables of Annex K as they are. */
const plainQuality = 50;
/** A Huffman table as DHT carries it (ISO/IEC 10918-1, B.2.4.2): codes per length from 1 to 16, and the symbols. */
export type HuffmanSpec = { counts: readonly number[]; symbols: readonly number[] };

/** Order of coefficients in the file: place in the zigzag to place in the block (figure A.6). */
export const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
] as const;

const luminance = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
];
const chrominance = [
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99,
];

/** The best quality of the IJG library. */
export const bestQuality = 100;

/** Annex K's quantisation tables scaled to a quality from 1 to 100 as the IJG library does, in zigzag order. */
export function standardQuantisation(quality: number, chroma: boolean): Uint16Array {
  const scale = quality < plainQuality ? Math.floor(5000 / quality) : 200 - quality * 2;
  const base = chroma ? chrominance : luminance;
  return Uint16Array.from(zigzag, (place) =>
    Math.min(255, Math.max(1, Math.floor(((base[place] ?? 1) * scale + 50) / 100))),
  );
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const dcSymbols = range(0, 11);
const lumaAc =
  '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa';
const chromaAc =
  '0001020311040521310612415107617113223281081442 91a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa';

function symbols(hex: string): number[] {
  return [...Buffer.from(hex.replace(/\s/g, ''), 'hex')];
}

/** The tables of annex K.3, which most cameras and programs use, by class (0 DC, 1 AC) and number (0 luminance, 1 chrominance). */
export const standardHuffman: readonly (readonly [HuffmanSpec, HuffmanSpec])[] = [
  [
    { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: dcSymbols },
    { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: dcSymbols },
  ],
  [
    { counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d], symbols: symbols(lumaAc) },
    { counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77], symbols: symbols(chromaAc) },
  ],
];

/** Codes for encoding: for each symbol its bits and their number. */
export function encoderTable(spec: HuffmanSpec): { code: Uint16Array; length: Uint8Array } {
  const table = { code: new Uint16Array(256), length: new Uint8Array(256) };
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    for (let count = 0; count < (spec.counts[length - 1] ?? 0); count++) {
      const symbol = spec.symbols[index++] ?? 0;
      table.code[symbol] = code++;
      table.length[symbol] = length;
    }
    code <<= 1;
  }
  return table;
}

/** Bits that the short lookup goes by: most codes have no more, and so little memory stays in the processor's cache. */
export const shortBits = 10;

/**
 * Lookups by the next 16 bits and by the first ten of them: symbol in the low byte, length above it. 0 where no code fits, in the short one
 * also where the code is longer.
 */
export type Codes = { full: Uint16Array; short: Uint16Array };

/** Where a table is missing nothing decodes. */
export const noCodes: Codes = { full: new Uint16Array(65536), short: new Uint16Array(1 << shortBits) };

export function decoderTable(spec: HuffmanSpec): Codes {
  const full = new Uint16Array(65536);
  const short = new Uint16Array(1 << shortBits);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    for (let count = 0; count < (spec.counts[length - 1] ?? 0); count++) {
      const from = code << (16 - length);
      const entry = (length << 8) | (spec.symbols[index++] ?? 0);
      full.fill(entry, from, Math.min(65536, from + (1 << (16 - length))));
      if (length <= shortBits)
        short.fill(entry, from >> (16 - shortBits), (from >> (16 - shortBits)) + (1 << (shortBits - length)));
      code++;
    }
    code <<= 1;
  }
  return { full, short };
}

/** A standard table by its class, 0 for DC and 1 for AC values, and its number. */
export const standardTable = (kind: number, number: 0 | 1): HuffmanSpec =>
  standardHuffman[kind]?.[number] ?? { counts: [], symbols: [] };
