import { inflateZlib } from '../../core/deflate/whole';
import { predicted } from '../../core/predict';
import { Buffer } from '../../host/bytes';
import { inflatesFlushed } from '../../host/packing';
import type { Deadline } from '../../report';
import { entriesOf, nameOf, numberOf, type PdfDictionary, type PdfValue } from './values';

/** A decoded stream; `sound` is false when the compressed data was damaged, `supported` when a filter is one for pictures. */
export type DecodedStream = { data: Buffer; sound: boolean; supported: boolean; firstError: number | null };

export type DecodeOptions = {
  maxOutput: number;
  deadline: Deadline;
  resolve: (value: PdfValue | undefined) => PdfValue | undefined;
};

const abbreviations: Record<string, string> = {
  Fl: 'FlateDecode',
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
};

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
    else if (name === 'ASCII85Decode') result.data = decodeBase85(result.data);
    else if (name === 'RunLengthDecode') result.data = decodeRuns(result.data, options.maxOutput);
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
  return inflatesFlushed(packed.subarray(0, end), maxOutput);
}

function decodeHex(data: Buffer): Buffer {
  const text =
    data
      .toString('latin1')
      .split('>')[0]
      ?.replace(/[^0-9a-fA-F]/g, '') ?? '';
  return Buffer.from(text.length % 2 ? `${text}0` : text, 'hex');
}

function decodeBase85(data: Buffer): Buffer {
  const output: number[] = [];
  let group: number[] = [];
  const flush = (count: number) => {
    while (group.length < 5) group.push(84);
    const value = group.reduce((sum, digit) => sum * 85 + digit, 0);
    for (let index = 0; index < count; index++) output.push(Math.floor(value / 256 ** (3 - index)) & 255);
    group = [];
  };
  for (const code of data) {
    if (code === 0x7e) break;
    if (code === 0x7a && group.length === 0) output.push(0, 0, 0, 0);
    if (code < 33 || code > 117) continue;
    group.push(code - 33);
    if (group.length === 5) flush(4);
  }
  if (group.length > 1) flush(group.length - 1);
  return Buffer.from(output);
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

function decodeLzw(data: Buffer, early: number, most: number): Buffer {
  const output: Buffer[] = [];
  let size = 0;
  let table: Buffer[] = [];
  let width = 9;
  let previous = null as Buffer | null;
  let bits = 0;
  let count = 0;
  const reset = () => {
    table = Array.from({ length: 256 }, (_, code) => Buffer.from([code]));
    table.push(Buffer.alloc(0), Buffer.alloc(0));
    width = 9;
    previous = null;
  };
  reset();
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xffffff;
    count += 8;
    if (count < width) continue;
    count -= width;
    const code = (bits >> count) & ((1 << width) - 1);
    if (code === 257 || size > most) break;
    if (code === 256) {
      reset();
      continue;
    }
    const last = previous;
    const entry: Buffer | null = table[code] ?? (last ? Buffer.concat([last, last.subarray(0, 1)]) : null);
    if (!entry || code > table.length) break;
    output.push(entry);
    size += entry.length;
    if (last && table.length < 4096) table.push(Buffer.concat([last, entry.subarray(0, 1)]));
    previous = entry;
    const length = table.length + early;
    width = length >= 2048 ? 12 : length >= 1024 ? 11 : length >= 512 ? 10 : 9;
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
  if (!(row > 0 && row < 1 << 26)) return data;
  const rows = Math.ceil(data.length / (row + 1));
  const output = Buffer.alloc(rows * row);
  for (let line = 0; line < rows; line++) {
    const filter = data[line * (row + 1)] ?? 0;
    for (let at = 0; at < row; at++) {
      const raw = data[line * (row + 1) + 1 + at] ?? 0;
      const left = at >= pixel ? (output[line * row + at - pixel] ?? 0) : 0;
      const up = line > 0 ? (output[(line - 1) * row + at] ?? 0) : 0;
      const corner = line > 0 && at >= pixel ? (output[(line - 1) * row + at - pixel] ?? 0) : 0;
      output[line * row + at] = raw + predicted(filter, left, up, corner);
    }
  }
  return output;
}

/** The predictor of TIFF for bytes: each is noted as what it adds to the one of the same colour left of it. */
function undoDifferences(data: Buffer, colors: number, row: number): Buffer {
  if (!(row > 0 && colors > 0 && row < 1 << 26)) return data;
  const output = Buffer.from(data);
  for (let at = 0; at < output.length; at++)
    if (at % row >= colors) output[at] = (output[at] ?? 0) + (output[at - colors] ?? 0);
  return output;
}
