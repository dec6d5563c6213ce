import type { Deadline } from '../../report';
import type { RowModel } from './model';
import { FlateReader, nextHeader, type Place, symbolAt } from './reader';
import { dynamicTables, fixedTables, type Tables } from './tables';

/** A place where reading failed: the last row that began right (`before`), the first lost row, and where the bits made no sense any more. */
export type ResumeSearch = {
  reader: FlateReader;
  model: RowModel;
  lost: number;
  before: Place;
  failed: Place;
  deadline: Deadline;
};

const history = 32_768;
const rowsAhead = 14;
/** Bytes behind the failure at which the same codes are tried again: codes fall into step by themselves soon after the damage ends. */
const skips = [1, 16, 64, 130, 260, 520, 700, 1100, 2100, 4200];
const mostHeaders = 40;

/**
 * Finds where a broken stream can be read again: with the codes of the same block a little further on, or from the next block header on.
 * The place says where in the output that belongs: counted from the end of the stream if that can be reached, otherwise by the rows.
 * Null when there is none.
 */
export function findResume(search: ResumeSearch): Place | null {
  const { reader, before, failed, deadline } = search;
  const { tables } = failed.tables ? failed : before;
  const header = nextHeader(reader.view, failed.bit + 1, reader.end, reader.end, () => deadline.check());
  const limit = header < 0 ? reader.end : header;
  if (tables) {
    for (const skip of skips) {
      const bit = (behindZeroes(reader.source, failed.bit >>> 3) + skip) * 8;
      if (bit + 800 > limit) break;
      const place = placed(search, { bit, length: 0, tables, stored: 0, final: failed.final });
      if (place) return place;
    }
  }
  let from = Math.min(failed.bit, before.bit) + 1;
  for (let tries = 0; tries < mostHeaders; tries++) {
    const bit = nextHeader(reader.view, from, reader.end, reader.end, () => deadline.check());
    if (bit < 0) return null;
    const place = placed(search, { bit, length: 0, tables: null, stored: 0, final: false });
    if (place) return place;
    from = bit + 1;
  }
  return null;
}

function behindZeroes(source: Uint8Array, at: number): number {
  for (let look = Math.max(0, at - 64), run = 0; look < Math.min(source.length - 16, at + 4096); look++) {
    if (source[look] === 0) run++;
    else if (run >= 24) return look;
    else run = 0;
  }
  return at;
}

function placed(search: ResumeSearch, place: Place): Place | null {
  const { reader, model, lost, before } = search;
  search.deadline.check();
  const rows = model.starts.length - 1;
  const size = model.starts[rows] ?? 0;
  const base = model.starts[lost] ?? 0;
  const row = (model.starts[Math.min(rows, lost + 1)] ?? size) - base;
  const probe = new FlateReader(reader.source, history + Math.min(size, row * rowsAhead + 1024), place.bit);
  probe.strict = false;
  probe.place = { ...place, length: history };
  const stop = probe.advance(probe.output.length);
  const length = probe.place.length;
  if (length - history < Math.min(row * 3, size - base)) {
    if (stop !== 'final') return null;
  }
  // How many bytes the bits in between gave, by what bits gave so far.
  const ratio = before.length > 4096 ? before.length / Math.max(1, before.bit) : size / reader.end;
  const guess = Math.min(size - 1, Math.round(before.length + (place.bit - before.bit) * ratio));
  const toEnd = reader.end - place.bit < 1 << 27 ? lengthToEnd(reader, place) : null;
  if (toEnd !== null && size - toEnd >= base) return { ...place, length: size - toEnd };
  // Nearest row that may begin behind the guess, then the shift that its rows show.
  let line = lost;
  while (line < rows && (model.starts[line] ?? 0) < guess) line++;
  if (rows - line < 3) return null;
  const room = Math.min(length - history, size - guess);
  const found = model.align(
    {
      bytes: probe.output.subarray(history),
      known: probe.known.subarray(history),
      offset: guess,
      length: guess + room,
    },
    line,
    0,
    row * 1.2,
  );
  if (!found || guess - found.shift < base) return null;
  return { ...place, length: guess - found.shift };
}

/** Bytes from a place to the end of the stream when it can be read up to its final block's end, near the end of the input; null otherwise. */
export function lengthToEnd(reader: FlateReader, start: Place): number | null {
  const { view, end } = reader;
  let { bit, tables, final } = start;
  let length = 0;
  for (;;) {
    if (tables) {
      const read = blockLength(view, tables, bit, end);
      if (!read) return null;
      length += read.bytes;
      bit = read.bit;
      if (final) return end - bit < 2000 ? length : null;
    }
    if (bit + 3 > end) return null;
    const head = view.getUint32(bit >>> 3, true) >>> (bit & 7);
    final = (head & 1) === 1;
    const type = (head >> 1) & 3;
    if (type === 3) return null;
    if (type === 0) {
      const at = (bit + 10) >>> 3;
      if ((at + 4) * 8 > end) return null;
      const count = view.getUint16(at, true);
      if ((count ^ view.getUint16(at + 2, true)) !== 0xffff) return null;
      bit = (at + 4 + count) * 8;
      if (bit > end) return null;
      length += count;
      tables = null;
      if (final) return end - bit < 2000 ? length : null;
      continue;
    }
    const found = type === 1 ? { tables: fixedTables(), bit: bit + 3 } : dynamicTables(view, bit + 3, end);
    if (!found) return null;
    tables = found.tables;
    bit = found.bit;
  }
}

function blockLength(view: DataView, tables: Tables, from: number, end: number): { bytes: number; bit: number } | null {
  let [bit, bytes] = [from, 0];
  while (bit < end) {
    const symbol = symbolAt(view, tables, bit);
    if (symbol === 0) {
      const entry = tables.literal[(view.getUint32(bit >>> 3, true) >>> (bit & 7)) & 0x7fff] ?? 0;
      return entry >> 4 === 256 && entry !== 0 ? { bytes, bit: bit + (entry & 15) } : null;
    }
    bit += symbol & 63;
    bytes += symbol >> 6;
  }
  return null;
}
