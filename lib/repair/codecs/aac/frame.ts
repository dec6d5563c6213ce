import type { Buffer } from '../../host/bytes';
import { BitReader } from '../bits';
import { bands, type Code, frequencies, scaleCode, spectralCodes } from './tables';

/** What must be known to read AAC (ISO/IEC 14496-3, 1.6.2.1): index of the core's sampling frequency and channels (0: told by a program). */
export type AacConfig = { frequency: number; channels: number };

/** One raw_data_block (4.4.2.1): its length in bytes and its elements by their ids, such as `1` for a pair and `0` for a single channel. */
export type AacFrame = { length: number; elements: string };

/** A scale factor band's codebook (4.6.3.3): these are no spectral books. */
const zeroBook = 0;
const reservedBook = 12;
const noiseBook = 13;
const largestBytes = 768;

/** Tables to decode a canonical code bit by bit. */
class Huffman {
  readonly #counts: readonly number[];

  constructor(counts: readonly number[]) {
    this.#counts = counts;
  }

  /** Place of the next codeword in the order of codewords, or -1 when there is none. */
  next(bits: BitReader): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 0; length < this.#counts.length; length++) {
      code = code * 2 + bits.bit();
      first *= 2;
      const count = this.#counts[length] ?? 0;
      if (code - first < count) return index + code - first;
      first += count;
      index += count;
    }
    return -1;
  }
}

const scales = new Huffman(scaleCode.counts);
const spectra = spectralCodes.map(({ counts, extra }: Code) => ({
  huffman: new Huffman(counts),
  extra: Uint8Array.from(extra, Number),
}));

type Windows = { short: boolean; groups: number[]; most: number; widths: readonly number[] };

function readWindows(bits: BitReader, config: AacConfig): Windows | null {
  const table = bands[config.frequency];
  if (!table || bits.bit() !== 0) return null;
  const short = bits.take(2) === 2;
  bits.skip(1);
  const widths = short ? table.short : table.long;
  const most = bits.take(short ? 4 : 6);
  if (most > widths.length) return null;
  const groups = [1];
  if (short) {
    for (let mask = 64, grouping = bits.take(7); mask > 0; mask >>= 1) {
      if (grouping & mask) groups[groups.length - 1] = (groups[groups.length - 1] ?? 0) + 1;
      else groups.push(1);
    }
  } else if (bits.bit() !== 0) return null; // Prediction belongs to other profiles.
  return { short, groups, most, widths };
}

/** One section: bands [from, to) of a group with the same codebook (4.4.2.7). */
type Section = { book: number; from: number; to: number };

function readSections(bits: BitReader, windows: Windows): Section[][] | null {
  const width = windows.short ? 3 : 5;
  const most = (1 << width) - 1;
  const all: Section[][] = [];
  for (let group = 0; group < windows.groups.length; group++) {
    const sections: Section[] = [];
    for (let from = 0; from < windows.most; ) {
      const book = bits.take(4);
      let length = 0;
      let more: number;
      do {
        more = bits.take(width);
        length += more;
      } while (more === most && length <= windows.most);
      if (book === reservedBook || length === 0 || from + length > windows.most) return null;
      sections.push({ book, from, to: from + length });
      from += length;
    }
    all.push(sections);
  }
  return all;
}

function readScales(bits: BitReader, sections: readonly Section[][], gain: number): boolean {
  let scale = gain;
  let firstNoise = true;
  for (const { book, from, to } of sections.flat()) {
    if (book === zeroBook) continue;
    for (let band = from; band < to; band++) {
      if (book === noiseBook && firstNoise) {
        bits.skip(9);
        firstNoise = false;
        continue;
      }
      const place = scales.next(bits);
      if (place < 0) return false;
      if (book >= noiseBook) continue;
      scale += (scaleCode.values[place] ?? 60) - 60;
      if (scale < 0 || scale > 255) return false;
    }
  }
  return true;
}

function readShaping(bits: BitReader, windows: Windows): boolean {
  const { short } = windows;
  for (let window = 0; window < (short ? 8 : 1); window++) {
    const filters = bits.take(short ? 1 : 2);
    const resolution = filters > 0 ? bits.bit() : 0;
    for (let filter = 0; filter < filters; filter++) {
      bits.skip(short ? 4 : 6);
      const order = bits.take(short ? 3 : 5);
      // Low complexity allows orders up to 12 and 7 (4.6.9.2); some encoders go to the syntax's end.
      if (order > 20) return false;
      if (order === 0) continue;
      bits.skip(1);
      bits.skip(order * (resolution + 3 - bits.bit()));
    }
  }
  return true;
}

function readSpectrum(bits: BitReader, windows: Windows, sections: readonly Section[][]): boolean {
  for (const [group, parts] of sections.entries()) {
    const lines = windows.groups[group] ?? 1;
    for (const { book, from, to } of parts) {
      const code = book > 0 && book <= 11 ? spectra[book - 1] : undefined;
      if (!code) continue;
      let width = 0;
      for (let band = from; band < to; band++) width += windows.widths[band] ?? 0;
      for (let left = (width * lines) / (book <= 4 ? 4 : 2); left > 0; left--) {
        const place = code.huffman.next(bits);
        if (place < 0) return false;
        const extra = code.extra[place] ?? 0;
        if (extra === 0) continue;
        if (book !== 11) {
          bits.skip(extra);
          continue;
        }
        // Values of 16 go on with a run of ones, a zero and as many bits and four more (4.6.3.3); each has a sign too.
        const escapes = extra >= 7 ? 2 : extra >= 4 ? 1 : 0;
        bits.skip(extra - escapes * 3);
        for (let count = 0; count < escapes; count++) {
          let ones = 0;
          while (ones < 9 && bits.bit() === 1) ones++;
          if (ones > 8) return false;
          bits.skip(ones + 4);
        }
      }
      if (bits.over) return false;
    }
  }
  return true;
}

function readChannel(bits: BitReader, config: AacConfig, common: Windows | null): boolean {
  const gain = bits.take(8);
  const windows = common ?? readWindows(bits, config);
  if (!windows) return false;
  const sections = readSections(bits, windows);
  if (!sections || !readScales(bits, sections, gain)) return false;
  if (bits.bit() === 1) {
    if (windows.short) return false;
    const pulses = bits.take(2) + 1;
    if (bits.take(6) > windows.widths.length) return false;
    bits.skip(pulses * 9);
  }
  if (bits.bit() === 1 && !readShaping(bits, windows)) return false;
  // Gain control belongs to another profile.
  if (bits.bit() === 1) return false;
  return readSpectrum(bits, windows, sections);
}

function readPair(bits: BitReader, config: AacConfig): boolean {
  if (bits.bit() === 0) return readChannel(bits, config, null) && readChannel(bits, config, null);
  const windows = readWindows(bits, config);
  if (!windows) return false;
  const mask = bits.take(2);
  if (mask === 3) return false;
  if (mask === 1) bits.skip(windows.groups.length * windows.most);
  return readChannel(bits, config, windows) && readChannel(bits, config, windows);
}

/**
 * Parses one AAC-LC frame at the start of `bytes` (a raw_data_block, ISO/IEC 14496-3, 4.4.2.1), which holds no length of its own:
 * every field is read to its end. Null when it cannot be one. SBR and other extensions lie in fill elements and are passed over.
 */
export function readAac(bytes: Buffer, config: AacConfig): AacFrame | null {
  const bits = new BitReader(bytes);
  let elements = '';
  let channels = 0;
  for (let count = 0; count < 16; count++) {
    const id = bits.take(3);
    if (id === 7) {
      if (channels === 0 || !bits.align() || bits.over) return null;
      const length = bits.position >> 3;
      return length <= largestBytes * Math.max(1, channels) + 300 ? { length, elements } : null;
    }
    if (id === 0 || id === 3) {
      elements += id;
      channels++;
      bits.skip(4);
      if (channels > config.channels || !readChannel(bits, config, null)) return null;
    } else if (id === 1) {
      elements += id;
      channels += 2;
      bits.skip(4);
      if (channels > config.channels || !readPair(bits, config)) return null;
    } else if (id === 4) {
      bits.skip(4);
      const aligned = bits.bit() === 1;
      let length = bits.take(8);
      if (length === 255) length += bits.take(8);
      if (aligned) bits.align();
      bits.skip(length * 8);
    } else if (id === 6) {
      let length = bits.take(4);
      if (length === 15) length += bits.take(8) - 1;
      bits.skip(length * 8);
    } else return null;
    if (bits.over) return null;
  }
  return null;
}

/** Reads an AudioSpecificConfig (1.6.2.1); null when it is no AAC-LC (or HE-AAC, whose core is AAC-LC). */
export function readAacConfig(bytes: Buffer): AacConfig | null {
  const bits = new BitReader(bytes);
  const type = bits.take(5);
  const frequency = bits.take(4);
  if (frequency >= frequencies.length) return null;
  const layout = bits.take(4);
  if (![2, 5, 29].includes(type)) return null;
  // Layout 7 is eight channels (table 1.19); 0 means that a program config element tells.
  return { frequency, channels: layout === 7 ? 8 : layout === 0 ? 8 : layout };
}
