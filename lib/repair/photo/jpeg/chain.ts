import type { Deadline } from '../../report';
import { McuReader, type ScanPlan } from './reader';

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
    if (reader.position >= reader.end || chain.errors.length > 100_000) {
      chain.errors.push(chain.count);
      return chain;
    }
    chain.errors.push(chain.count);
    reader.seek(Math.max(reader.position, start + 1), []);
  }
  chain.complete = reader.finished() && chain.errors.length === 0;
  return chain;
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
