import { type Exchange, exchange } from '../../core/exchange';
import { isWhole, Pieces, type Summed, summedSizes } from '../../core/sumexchange';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { pngSignature } from './chunks';

/** Exchanges that one file is taken to have, damaged chunks without one after which no more is looked for, and effort in units. */
const mostExchanges = 200;
const mostFailures = 4;
const searchEffort = 1500;
/** Length, name and sum of a chunk, in bytes. */
const overhead = 12;

/** A chunk as its head tells it: where that begins, and where its data ends; its sum is of its name and data, and stands behind them. */
type Told = { at: number; end: number };
const summedOf = ({ at, end }: Told): Summed => ({ from: at + 4, to: end, statedAt: end });

/**
 * A file as it was before pieces of it changed places, as one that was put together in a wrong order. Each exchange makes the check sum of a
 * chunk fit (ISO/IEC 15948, 5.3) that did not. Null where there is none.
 */
export function undoExchanges(given: Buffer, effort: Effort): { bytes: Buffer; exchanges: Exchange[] } | null {
  const share = effort.share(searchEffort);
  const begun = withBeginning(given);
  const exchanges = begun ? [begun.first] : [];
  const pieces = new Pieces(begun?.bytes ?? Buffer.from(given), share);
  const { bytes } = pieces;
  let failures = 0;
  let sizes: readonly number[] = [];
  for (let at = 8; exchanges.length < mostExchanges && failures < mostFailures && !share.isSpent; ) {
    const told = toldAt(bytes, at);
    if (!told) break;
    if (isWhole(bytes, summedOf(told))) {
      if (told.end + 4 >= bytes.length) break;
      at = told.end + 4;
      continue;
    }
    // What moved one piece moved others of its size.
    const found = bestExchange(pieces, told, sizes) ?? bestExchange(pieces, told, summedSizes);
    if (found) {
      pieces.exchange(found);
      exchanges.push(found);
      sizes = [found.size];
      continue;
    }
    failures++;
    at = told.end + 4;
  }
  return exchanges.length > 0 ? { bytes, exchanges } : null;
}

/** The exchange of pieces of one of these sizes after which most chunks are whole in a row, from this one on to behind the pieces. */
function bestExchange(pieces: Pieces, told: Told, sizes: readonly number[]): Exchange | null {
  let best: { found: Exchange; whole: number } | null = null;
  for (const size of sizes) {
    const found = pieces.find(summedOf(told), size);
    if (!found) continue;
    exchange(pieces.bytes, found);
    const whole = wholeFrom(pieces.bytes, told.at, told.end + Math.max(size, overhead));
    exchange(pieces.bytes, found);
    if (whole > (best?.whole ?? 0)) best = { found, whole };
  }
  return best?.found ?? null;
}

/** Chunks that are whole in a row from a place on, of those that begin before another one. */
function wholeFrom(bytes: Buffer, from: number, until: number): number {
  let count = 0;
  for (let at = from; at < until; count++) {
    const told = toldAt(bytes, at);
    if (!told || !isWhole(bytes, summedOf(told))) return count;
    at = told.end + 4;
  }
  return count;
}

/** A file whose beginning stands elsewhere in it, with that put back where its first chunk is whole then and the one behind it has a head. */
function withBeginning(given: Buffer): { bytes: Buffer; first: Exchange } | null {
  const at = given.indexOf(pngSignature);
  if (at <= 0) return null;
  for (const size of summedSizes) {
    if (at % size !== 0 || at + size > given.length) continue;
    const bytes = Buffer.from(given);
    const first = { first: 0, second: at, size };
    exchange(bytes, first);
    // Where the picture goes on in the place that it was found in, something stands in front of it.
    if (goesOn(bytes, 0, size) && !goesOn(given, at, at + size)) return { bytes, first };
  }
  return null;
}

/** Whether the chunks of a picture that begins at a place lead to one behind another place. */
function goesOn(bytes: Buffer, from: number, until: number): boolean {
  let at = from + pngSignature.length;
  while (at < until) {
    const told = toldAt(bytes, at);
    if (!told) return false;
    at = told.end + 4;
  }
  return at === bytes.length || toldAt(bytes, at) !== null;
}

/** The chunk whose head stands at a place; null where none does. */
function toldAt(bytes: Buffer, at: number): Told | null {
  if (at + overhead > bytes.length || !/^[a-zA-Z]{4}$/.test(bytes.toString('latin1', at + 4, at + 8))) return null;
  const end = at + 8 + bytes.readUInt32BE(at);
  return end + 4 <= bytes.length ? { at, end } : null;
}
