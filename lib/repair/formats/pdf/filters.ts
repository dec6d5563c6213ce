import { inflateZlib } from '../../core/deflate/whole';
import { byName } from '../../core/named';
import { predicted } from '../../core/predict';
import { Buffer } from '../../host/bytes';
import { inflates } from '../../host/packing';
import type { Deadline } from '../../report';
import { decodeBase85 } from './base85';
import { entriesOf, nameOf, numberOf, type PdfDictionary, type PdfValue } from './values';

/** Filters whose data tells that it is damaged. */
export const checkedFilters: ReadonlySet<string> = new Set(['FlateDecode', 'ASCII85Decode']);

/** A decoded stream; `sound` is false when the compressed data was damaged, `supported` when a filter is one for pictures. */
export type DecodedStream = { data: Buffer; sound: boolean; supported: boolean; firstError: number | null };

export type DecodeOptions = {
  maxOutput: number;
  deadline: Deadline;
  resolve: (value: PdfValue | undefined) => PdfValue | undefined;
};

const abbreviations: Record<string, string> = byName({
  Fl: 'FlateDecode',
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
});

/** Filters that a standard names (ISO 32000-1, table 6); JBIG2 and JPEG are for pictures, `Crypt` for encrypted data. */
const named: ReadonlySet<string> = new Set([
  ...Object.values(abbreviations),
  'CCITTFaxDecode',
  'CCF',
  'JBIG2Decode',
  'DCTDecode',
  'DCT',
  'JPXDecode',
  'Crypt',
]);

/** Whether readers know a filter by this name. */
export const isFilter = (name: string): boolean => named.has(name);

/** Shorter names are others by chance. */
const leastLetters = 9;

/** The filter whose name has one letter other than a name that no reader knows; null where there is none, as of filters of one program. */
export function likelyFilter(name: string): string | null {
  if (named.has(name) || name.length < leastLetters) return null;
  const isNear = (one: string) => [...one].filter((letter, at) => letter !== name[at]).length === 1;
  return [...named].find((one) => one.length === name.length && isNear(one)) ?? null;
}

/** The filters of a stream, in order, with their parameters (ISO 32000-1, 7.4). */
export function filtersOf(
  dictionary: PdfDictionary,
  resolve: DecodeOptions['resolve'],
): { name: string; parameters: PdfDictionary }[] {
  const list = (key: string): PdfValue[] => {
    const value = resolve(dictionary.get(key));
    return value?.kind === 'array' ? value.items : value ? [value] : [];
  };
  const parameters = list('DecodeParms').concat(list('DP'));
  return list('Filter').flatMap((value, index) => {
    const name = nameOf(resolve(value));
    return name ? [{ name: abbreviations[name] ?? name, parameters: entriesOf(resolve(parameters[index])) }] : [];
  });
}

/** Undoes the filters of a stream as far as its data allows. */
export function decodeStream(data: Buffer, dictionary: PdfDictionary, options: DecodeOptions): DecodedStream {
  const result: DecodedStream = { data, sound: true, supported: true, firstError: null };
  for (const { name, parameters } of filtersOf(dictionary, options.resolve)) {
    if (name === 'FlateDecode') {
      const packed = result.data;
      const salvage = inflateZlib(packed, { maxOutput: options.maxOutput, deadline: options.deadline });
      result.data = unpredict(salvage.data, parameters);
      if (!salvage.complete && !endsFlushed(packed, options.maxOutput)) {
        result.sound = false;
        result.firstError = salvage.firstError;
      }
    } else if (name === 'ASCIIHexDecode') result.data = decodeHex(result.data);
    else if (name === 'ASCII85Decode') {
      const { data, sound } = decodeBase85(result.data);
      result.data = data;
      result.sound &&= sound;
    } else if (name === 'RunLengthDecode') result.data = decodeRuns(result.data, options.maxOutput);
    else if (name === 'LZWDecode') {
      result.data = unpredict(
        decodeLzw(result.data, numberOf(parameters.get('EarlyChange')) ?? 1, options.maxOutput),
        parameters,
      );
    } else if (name !== 'Crypt') return { ...result, supported: false };
  }
  return result;
}

/**
 * Whether Flate data holds nothing, or stops after a flush (RFC 1951, 3.2.4: an empty stored block) instead of a last block: Acrobat
 * and others write that, and readers accept it.
 */
function endsFlushed(packed: Buffer, maxOutput: number): boolean {
  let end = packed.length;
  while (end > 0 && (packed[end - 1] === 10 || packed[end - 1] === 13)) end--;
  if (end === 0) return true;
  if (end < 6 || packed.readUInt32BE(end - 4) !== 0xffff) return false;
  return inflates(packed.subarray(0, end), maxOutput, true);
}

function decodeHex(data: Buffer): Buffer {
  const text =
    data
      .toString('latin1')
      .split('>')[0]
      ?.replace(/[^0-9a-fA-F]/g, '') ?? '';
  return Buffer.from(text.length % 2 ? `${text}0` : text, 'hex');
}

function decodeRuns(data: Buffer, most: number): Buffer {
  const pieces: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < data.length && size < most; ) {
    const length = data[at++] ?? 128;
    if (length === 128) break;
    const piece = length < 128 ? data.subarray(at, at + length + 1) : Buffer.alloc(257 - length, data[at] ?? 0);
    at += length < 128 ? length + 1 : 1;
    pieces.push(piece);
    size += piece.length;
  }
  return Buffer.concat(pieces);
}

/** Codes of LZW that stand for no text (7.4.4.2), and the most that a table holds. */
const lzw = { clear: 256, end: 257, most: 4096 } as const;
const singleBytes = Array.from({ length: 256 }, (_, code) => Buffer.from([code]));

/** Codes are so many bits wide as a table of that length needs. */
function lzwWidth(length: number): number {
  if (length >= 2048) return 12;
  if (length >= 1024) return 11;
  return length >= 512 ? 10 : 9;
}

/** The codes of LZW data; `widthNow` is asked anew for each, as reading one may widen the next. */
function* lzwCodes(data: Buffer, widthNow: () => number): Generator<number> {
  let bits = 0;
  let count = 0;
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xffffff;
    count += 8;
    const width = widthNow();
    if (count < width) continue;
    count -= width;
    yield (bits >> count) & ((1 << width) - 1);
  }
}

/** `early` is 1 where codes widen one code before they have to (table 8, EarlyChange). */
function decodeLzw(data: Buffer, early: number, most: number): Buffer {
  const output: Buffer[] = [];
  let size = 0;
  let table: Buffer[] = [];
  let width = 9;
  let previous: Buffer | null = null;
  const reset = () => {
    // The places of the two codes that stand for no text are taken, too.
    table = [...singleBytes, Buffer.alloc(0), Buffer.alloc(0)];
    width = 9;
    previous = null;
  };
  reset();
  for (const code of lzwCodes(data, () => width)) {
    if (code === lzw.end || size > most) break;
    if (code === lzw.clear) {
      reset();
      continue;
    }
    const last = previous as Buffer | null;
    const entry: Buffer | null = table[code] ?? (last ? Buffer.concat([last, last.subarray(0, 1)]) : null);
    if (!entry || code > table.length) break;
    output.push(entry);
    size += entry.length;
    if (last && table.length < lzw.most) table.push(Buffer.concat([last, entry.subarray(0, 1)]));
    previous = entry;
    width = lzwWidth(table.length + early);
  }
  return Buffer.concat(output);
}

/** Undoes the predictors of Flate and LZW (7.4.4.4). */
function unpredict(data: Buffer, parameters: PdfDictionary): Buffer {
  const predictor = numberOf(parameters.get('Predictor')) ?? 1;
  const colors = numberOf(parameters.get('Colors')) ?? 1;
  const depth = numberOf(parameters.get('BitsPerComponent')) ?? 8;
  const columns = numberOf(parameters.get('Columns')) ?? 1;
  if (predictor === 2 && depth === 8) return undoDifferences(data, colors, colors * columns);
  if (predictor < 10) return data;
  const pixel = Math.max(1, (colors * depth) >> 3);
  const row = Math.ceil((colors * depth * columns) / 8);
  return row > 0 && row < longestRow ? undoRows(data, row, pixel) : data;
}

/** Rows of more bytes than this have no table and no picture. */
const longestRow = 1 << 26;

/** The predictors of PNG: each row begins with a byte that names its own (ISO/IEC 15948, 9). */
function undoRows(data: Buffer, row: number, pixel: number): Buffer {
  const rows = Math.ceil(data.length / (row + 1));
  const output = Buffer.alloc(rows * row);
  // A row may be a single byte: no view is made of any.
  for (let line = 0; line < rows; line++) {
    const start = line * row;
    const filter = data[start + line] ?? 0;
    for (let at = 0; at < row; at++) {
      const place = start + at;
      const isInside = at >= pixel;
      const left = isInside ? (output[place - pixel] ?? 0) : 0;
      const above = line > 0 ? (output[place - row] ?? 0) : 0;
      const corner = isInside && line > 0 ? (output[place - row - pixel] ?? 0) : 0;
      output[place] = (data[place + line + 1] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return output;
}

/** The predictor of TIFF for bytes: each is noted as what it adds to the one of the same colour left of it. */
function undoDifferences(data: Buffer, colors: number, row: number): Buffer {
  if (!(row > 0 && colors > 0 && row < longestRow)) return data;
  const output = Buffer.from(data);
  for (let at = 0; at < output.length; at++)
    if (at % row >= colors) output[at] = (output[at] ?? 0) + (output[at - colors] ?? 0);
  return output;
}
