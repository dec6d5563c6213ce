import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import type { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';

/** Errors after which data is taken for none. */
const mostErrors = 100_000;

/** A stretch read from its first bit to its last without looking at the picture: where every MCU begins, and before which none made sense. */
export type Chain = { bits: Uint32Array; count: number; errors: number[]; complete: boolean };

/** Reads at most `most` MCUs; after an error it goes on with the next bits, as Huffman codes fall into step again by themselves. */
export function readChain(data: Buffer, plan: ScanPlan, most: number, deadline: Deadline): Chain {
  const reader = new McuReader(data, plan);
  const chain: Chain = { bits: new Uint32Array(Math.max(1, most)), count: 0, errors: [], complete: false };
  while (chain.count < most && !reader.finished()) {
    if ((chain.count & 0xfff) === 0) deadline.check();
    const start = reader.position;
    if (reader.mcu()) {
      chain.bits[chain.count++] = start;
      continue;
    }
    if (reader.isFilledUp(start)) {
      reader.seek(reader.end, []);
      break;
    }
    if (reader.position >= reader.end || chain.errors.length > mostErrors) {
      chain.errors.push(chain.count);
      return chain;
    }
    chain.errors.push(chain.count);
    reader.seek(Math.max(reader.position, start + 1), []);
  }
  chain.complete = reader.finished() && chain.errors.length === 0;
  return chain;
}

/** The first `most` MCUs of a chain, as if no more had been read. */
export function startOf(chain: Chain, most: number): Chain {
  if (chain.count <= most) return chain;
  return {
    bits: chain.bits.subarray(0, most),
    count: most,
    errors: chain.errors.filter((place) => place < most),
    complete: false,
  };
}

/**
 * The chain of data into which a byte was put at `bit`, from the chain of the data before: only what follows the change is read anew,
 * until MCUs begin again where they did.
 */
export function withByteAt(
  chain: Chain,
  bit: number,
  data: Buffer,
  plan: ScanPlan,
  most: number,
  deadline: Deadline,
): Chain {
  const { bits, count } = chain;
  let kept = indexBehind(chain, bit) - 1;
  // An MCU that begins behind an error was looked for from there on.
  const clean = (place: number) => !chain.errors.includes(place);
  while (kept > 0 && !clean(kept)) kept--;
  if (kept <= 0) return readChain(data, plan, most, deadline);
  const reader = new McuReader(data, plan);
  reader.seek(bits[kept] ?? 0, []);
  const read: number[] = [];
  const errors = chain.errors.filter((place) => place < kept);
  let place = kept;
  let join = -1;
  while (!reader.finished() && place < most && read.length < 4096) {
    const start = reader.position;
    if (start > bit + 8) {
      const next = indexBehind(chain, start - 9);
      if (next < count && bits[next] === start - 8) {
        join = next;
        break;
      }
    }
    if (reader.mcu()) {
      read.push(start);
      place++;
      continue;
    }
    errors.push(place);
    if (reader.position >= reader.end) break;
    reader.seek(Math.max(reader.position, start + 1), []);
  }
  if (join < 0) return readChain(data, plan, most, deadline);
  const rest = Math.min(count - join, most - place);
  const joined: Chain = { bits: new Uint32Array(Math.max(1, most)), count: place + rest, errors, complete: false };
  joined.bits.set(bits.subarray(0, kept));
  joined.bits.set(read, kept);
  for (let index = 0; index < rest; index++) joined.bits[place + index] = (bits[join + index] ?? 0) + 8;
  for (const error of chain.errors) if (error > join && error <= join + rest) errors.push(error - join + place);
  joined.complete = chain.complete && errors.length === 0;
  return joined;
}

/** The number of the first MCU that begins behind `bit`. */
function indexBehind(chain: Chain, bit: number): number {
  let [low, high] = [0, chain.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chain.bits[middle] ?? 0) > bit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many MCUs lie from the one that begins at `bit` to the end of the data; null when none begins there or an error lies between. */
export function countFrom(chain: Chain, bit: number): number | null {
  let [low, high] = [0, chain.count - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = chain.bits[middle] ?? 0;
    if (value === bit) {
      const last = chain.errors.at(-1);
      return last === undefined || last <= middle || last >= chain.count ? chain.count - middle : null;
    }
    if (value < bit) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}
