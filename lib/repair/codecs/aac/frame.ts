import type { Buffer } from '../../host/bytes';
import { BitReader } from '../bits';
import { bands, type Code, frequencies, scaleCode, spectralCodes } from './tables';

/** What must be known to read AAC (ISO/IEC 14496-3, 1.6.2.1): index of the core's sampling frequency and channels (0: told by a program). */
export type AacConfig = { frequency: number; channels: number };

/** id_syn_ele (table 4.85), as far as it is read here. */
const elementIds = { single: 0, pair: 1, low: 3, data: 4, fill: 6, end: 7 } as const;
/** Channels of the elements that have some, by their ids. */
const channelsOf: Readonly<Record<number, number>> = {
  [elementIds.single]: 1,
  [elementIds.pair]: 2,
  [elementIds.low]: 1,
};
/** Elements of one block at most: one for each instance tag. */
const mostElements = 16;

/** One raw_data_block (4.4.2.1): its length in bytes and its elements by their ids, such as `1` for a pair and `0` for a single channel. */
export type AacFrame = { length: number; elements: string };

/** A scale factor band's codebook (4.6.3.3): these are no spectral books. */
const zeroBook = 0;
const reservedBook = 12;
const noiseBook = 13;
const escapeBook = 11;
/** Bytes of a channel in one frame at most: 6144 bits (4.5.3.1). */
const largestBytes = 768;
/** Bytes of fill and data elements that come on top in frames of cameras; chosen on the bench. */
const besideChannels = 300;

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

/** Passes over the signs of a codeword of ESC_HCB and its hcod_esc_y and hcod_esc_z; false where one is longer than any can be. */
function skipEscapes(bits: BitReader, extra: number): boolean {
  // Values of 16 go on with a run of ones, a zero and as many bits and four more (4.6.3.3); each has a sign too.
  const escapes = extra >= 7 ? 2 : extra >= 4 ? 1 : 0;
  bits.skip(extra - escapes * 3);
  for (let count = 0; count < escapes; count++) {
    let ones = 0;
    while (ones < 9 && bits.bit() === 1) ones++;
    if (ones > 8) return false;
    bits.skip(ones + 4);
  }
  return true;
}

/** Passes over so many codewords of a spectral book with the bits that follow each; false where there is none such. */
function skipCodewords(bits: BitReader, book: number, count: number): boolean {
  const code = book > zeroBook && book <= escapeBook ? spectra[book - 1] : undefined;
  if (!code) return true;
  for (let left = count; left > 0; left--) {
    const place = code.huffman.next(bits);
    if (place < 0) return false;
    const extra = code.extra[place] ?? 0;
    if (extra === 0) continue;
    if (book !== escapeBook) bits.skip(extra);
    else if (!skipEscapes(bits, extra)) return false;
  }
  return !bits.over;
}

/** spectral_data (4.4.2.7): codewords of four lines in books up to 4, of two in the others (table 4.151). */
function readSpectrum(bits: BitReader, windows: Windows, sections: readonly Section[][]): boolean {
  for (const [group, parts] of sections.entries()) {
    const windowsOfGroup = windows.groups[group] ?? 1;
    for (const { book, from, to } of parts) {
      let width = 0;
      for (let band = from; band < to; band++) width += windows.widths[band] ?? 0;
      if (!skipCodewords(bits, book, (width * windowsOfGroup) / (book <= 4 ? 4 : 2))) return false;
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
  for (let count = 0; count < mostElements; count++) {
    const id = bits.take(3);
    if (id === elementIds.end) {
      if (channels === 0 || !bits.align() || bits.over) return null;
      const length = bits.position >> 3;
      return length <= largestBytes * Math.max(1, channels) + besideChannels ? { length, elements } : null;
    }
    const own = channelsOf[id] ?? 0;
    if (own > 0) elements += id;
    channels += own;
    if (channels > config.channels || !readElement(bits, id, config) || bits.over) return null;
  }
  return null;
}

/** Reads one element behind its id; false for what no raw_data_block of this profile holds. */
function readElement(bits: BitReader, id: number, config: AacConfig): boolean {
  if (id === elementIds.data) skipData(bits);
  else if (id === elementIds.fill) skipFill(bits);
  else if (channelsOf[id]) {
    bits.skip(4);
    return id === elementIds.pair ? readPair(bits, config) : readChannel(bits, config, null);
  } else return false;
  return true;
}

/** data_stream_element (4.4.2.4). */
function skipData(bits: BitReader): void {
  bits.skip(4);
  const aligned = bits.bit() === 1;
  let length = bits.take(8);
  if (length === 255) length += bits.take(8);
  if (aligned) bits.align();
  bits.skip(length * 8);
}

/** fill_element (4.4.2.7). */
function skipFill(bits: BitReader): void {
  let length = bits.take(4);
  if (length === 15) length += bits.take(8) - 1;
  bits.skip(length * 8);
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
