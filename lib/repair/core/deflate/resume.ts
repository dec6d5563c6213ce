import type { Deadline } from '../../report';
import { blockHead, headBits, nextHeader, storedBytesAt, storedLength } from './blocks';
import type { Codes } from './codes';
import type { RowModel, Stretch } from './model';
import { type Block, FlateReader, type Place } from './reader';
import { bytesOf, isEndOfBlock, symbolAt, widthOf } from './symbols';

/** A place where reading failed: the last row that began right (`before`), the first lost row, and where the bits made no sense any more. */
export type ResumeSearch = {
  reader: FlateReader;
  model: RowModel;
  lost: number;
  before: Place;
  failed: Place;
  deadline: Deadline;
};

/** Where reading goes on, the first row that is right again, and whether the end of the stream shows the place beyond doubt. */
export type Resumed = { place: Place; row: number; anchored: boolean };

const history = 32_768;
const rowsAhead = 26;
/** Bytes behind the failure at which the same codes are tried again: codes fall into step by themselves soon after the damage ends. */
const skips = [1, 16, 64, 130, 260, 520, 700, 1100, 2100, 4200];
const mostHeaders = 40;
/** Places tried around the likeliest one, and units of effort for it. */
const mostSteps = 240;
const tryingEffort = 400;

/**
 * Finds where a broken stream can be read again: with the codes of the same block a little further on, or from the next block header on.
 * The place says where in the output that belongs: counted from the end of the stream if that can be reached, otherwise by the rows.
 * Null when there is none.
 */
export function findResume(search: ResumeSearch): Resumed | null {
  const { reader, before, failed, deadline } = search;
  const { tables } = failed.tables ? failed : before;
  const header = nextHeader(reader.source, failed.bit + 1, reader.end, reader.end, deadline);
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
    const bit = nextHeader(reader.source, from, reader.end, reader.end, deadline);
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

function placed(search: ResumeSearch, place: Place): Resumed | null {
  const { reader, model, lost, before } = search;
  search.deadline.check();
  const rows = model.starts.length - 1;
  const size = model.starts[rows] ?? 0;
  const base = model.starts[lost] ?? 0;
  const row = (model.starts[Math.min(rows, lost + 1)] ?? size) - base;
  // How many bytes the bits in between gave, by what bits gave so far.
  const ratio = before.length > 4096 ? before.length / Math.max(1, before.bit) : size / reader.end;
  const guess = Math.max(base, Math.min(size - 1, Math.round(before.length + (place.bit - before.bit) * ratio)));
  const toEnd = reader.end - place.bit < 1 << 27 ? lengthToEnd(reader, place) : null;
  if (toEnd !== null && size - toEnd >= base) {
    // The end of the stream shows the place; only where the rows become right is open.
    const at = size - toEnd;
    const line = rowBehind(at);
    const probe = probeAt(at);
    const found = probe && model.align(probe, line, 0, 0);
    if (found) return { place: { ...place, length: at }, row: safe(found.row), anchored: true };
    // With more damage ahead the end shows a place for all of it together: here the rows know better.
    const local = probe && model.align(probe, line, 0, row * 1.2);
    if (local && at - local.shift >= base)
      return { place: { ...place, length: at - local.shift }, row: safe(local.row), anchored: false };
    // A block header behind which everything can be read to the end is proof enough.
    return rows - line < 3 || (probe && !place.tables)
      ? { place: { ...place, length: at }, row: safe(line), anchored: true }
      : null;
  }
  const line = rowBehind(guess);
  const probe = probeAt(guess);
  if (!probe || rows - line < 3) return null;
  const found = model.align(probe, line, 0, row * 1.2);
  if (found && guess - found.shift >= base)
    return { place: { ...place, length: guess - found.shift }, row: safe(found.row), anchored: false };
  // Where most bytes are copies of earlier ones, they are right only from the right place on.
  const effort = search.deadline.effort.share(tryingEffort);
  for (let step = 1; step <= mostSteps && !effort.isSpent; step++) {
    const at = guess + (step % 2 === 0 ? step >> 1 : -(step >> 1) - 1);
    if (at < base || at >= size) continue;
    const tried = probeAt(at, 10);
    const fits = tried && model.align(tried, rowBehind(at), 0, 0);
    if (fits) return { place: { ...place, length: at }, row: safe(fits.row), anchored: false };
  }
  return null;

  function rowBehind(at: number): number {
    let first = lost;
    while (first < rows && (model.starts[first] ?? 0) < at) first++;
    return first;
  }

  /** What the stream gives from the place on if that stands `at` bytes behind the beginning; null when it soon breaks again. */
  function probeAt(at: number, ahead = rowsAhead): Stretch | null {
    const seen = Math.min(history, at);
    const room = Math.min(size - at, row * ahead + 1024);
    reader.effort.spend('rowProbe');
    const probe = new FlateReader(reader.source, seen + room, place.bit, reader.effort);
    probe.strict = false;
    probe.output.set(reader.output.subarray(at - seen, at));
    probe.known.set(reader.known.subarray(at - seen, at));
    probe.known.fill(0, Math.max(0, base - at + seen), seen);
    probe.place = { ...place, length: seen };
    const stop = probe.advance(probe.output.length);
    const read = probe.place.length - seen;
    if (read < Math.min(row * 3, size - at) && stop !== 'final') return null;
    return { bytes: probe.output.subarray(seen), known: probe.known.subarray(seen), offset: at, length: at + read };
  }

  /** Rows within the damage may look right by chance, which spoils all that build on them; one more lost row hardly shows. */
  function safe(first: number): number {
    return place.tables ? Math.min(first + 1, rows - 1) : first;
  }
}

/** Bytes from a place to the end of the stream when it can be read up to its final block's end, near the end of the input; null otherwise. */
export function lengthToEnd(reader: FlateReader, start: Place): number | null {
  const { end } = reader;
  let { bit, final } = start;
  let length = 0;
  if (start.tables) {
    const rest = blockLength(reader, start.tables, bit, end);
    if (!rest) return null;
    length += rest.bytes;
    bit = rest.bit;
  }
  while (!start.tables || !final) {
    // Many places are followed to the same end: each block is read once.
    let block = reader.blocks.get(bit);
    if (block === undefined) {
      block = wholeBlock(reader, bit);
      reader.blocks.set(bit, block);
    }
    if (!block) return null;
    length += block.bytes;
    bit = block.end;
    final = block.final;
    if (final) break;
  }
  return end - bit < 2000 ? length : null;
}

/** The block whose header begins at `from`; null when it cannot be read to its end. */
function wholeBlock(reader: FlateReader, from: number): Block | null {
  const { source, end } = reader;
  if (from + headBits > end) return null;
  const head = blockHead(source, from);
  const { final } = head;
  if (head.kind === 'none' || (head.kind === 'codes' && head.isOwn && head.bit > end)) return null;
  if (head.kind === 'stored') {
    const bytes = storedLength(source, head.at, end >>> 3);
    const bit = typeof bytes === 'string' ? Number.POSITIVE_INFINITY : (storedBytesAt(head.at) + bytes) * 8;
    return typeof bytes === 'string' || bit > end ? null : { end: bit, bytes, final };
  }
  const read = blockLength(reader, head.codes, head.bit, end);
  return read && { end: read.bit, bytes: read.bytes, final };
}

/** Bytes of a block's symbols from a bit on, and the bit behind its end; null when that is not reached. */
function blockLength(
  { view, effort }: FlateReader,
  tables: Codes,
  from: number,
  end: number,
): { bytes: number; bit: number } | null {
  let [bit, bytes, symbols] = [from, 0, 0];
  let symbol = 0;
  while (bit < end && symbol >= 0 && !isEndOfBlock(symbol)) {
    symbol = symbolAt(view, tables, bit);
    symbols++;
    if (symbol < 0) break;
    bit += widthOf(symbol);
    if (!isEndOfBlock(symbol)) bytes += bytesOf(symbol);
  }
  effort.spend('symbol', symbols);
  return isEndOfBlock(symbol) ? { bytes, bit } : null;
}
