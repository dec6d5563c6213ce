import type { Layout } from '../../codecs/jpeg/layout';
import { EdgeStore, seam, side } from './edgestore';
import type { Plane } from './planes';

/** Gives the coefficients of a block of a plane, 64 in zigzag order, in a buffer that is only valid until the next call. */
export type BlockSource = (block: number) => Int16Array;

/** How badly each block of a component, as a scan of it alone counts them, fits to the ones left of it and above it, in sample values. */
export function fitCosts(plane: Plane, table: Uint16Array, blocks: number, source: BlockSource): Float64Array {
  const layout: Layout = {
    across: plane.ownAcross,
    down: plane.ownDown,
    total: blocks,
    blocks: [{ component: 0, dc: 0, ac: 0, column: 0, row: 0 }],
    components: 1,
    horizontal: [1],
    vertical: [1],
    widest: 1,
    tallest: 1,
  };
  // Two rows of edges are enough, as only the row above is looked at.
  const rows = plane.ownAcross * 2;
  const store = new EdgeStore(layout, [table], rows);
  const last = Uint8Array.of(63);
  const costs = new Float64Array(blocks);
  for (let block = 0; block < blocks; block++) {
    const here = block % rows;
    store.set(here, source(block), last);
    let cost = 0;
    if (block % plane.ownAcross > 0) cost += Math.min(80, side(store, (here + rows - 1) % rows, store, here));
    if (block >= plane.ownAcross) cost += Math.min(80, seam(store, (here + plane.ownAcross) % rows, store, here));
    costs[block] = cost;
  }
  return costs;
}

/** Running sums of these. */
export function fitSums(plane: Plane, table: Uint16Array, blocks: number, source: BlockSource): Float64Array {
  const sums = new Float64Array(blocks + 1);
  for (const [block, cost] of fitCosts(plane, table, blocks, source).entries())
    sums[block + 1] = (sums[block] ?? 0) + cost;
  return sums;
}

/** How many blocks from the first on are better with `changed` than with `plain`, taken together. */
function betterUntil(changed: Float64Array, plain: Float64Array, most: number): number {
  let [best, least] = [0, 0];
  for (let cut = 1; cut <= most; cut++) {
    const gain = (changed[cut] ?? 0) - (plain[cut] ?? 0);
    if (gain <= least) {
      least = gain;
      best = cut;
    }
  }
  return best;
}

/** How much worse than usual blocks must fit to be told from those of a picture that is rougher the finer it gets. */
const clearlyWorse = 1.25;

/** The same where blocks up to `told` are known to be right, and may fit worse with `changed`, too: only what fits clearly worse than they do is not. */
export function likeBefore(changed: Float64Array, plain: Float64Array, told: number, most: number): number {
  const usual = ((changed[told] ?? 0) - (plain[told] ?? 0)) / Math.max(1, told);
  if (usual <= 0) return betterUntil(changed, plain, most);
  return betterUntil(
    changed.map((sum, at) => sum - at * usual * clearlyWorse),
    plain,
    most,
  );
}

/** The block from which on all blocks to the last are better with `changed` than with `plain`. */
export function betterFrom(changed: Float64Array, plain: Float64Array, least: number): number {
  const count = changed.length - 1;
  const total = (changed[count] ?? 0) - (plain[count] ?? 0);
  let [best, lowest] = [count, 0];
  for (let cut = count - 1; cut >= least; cut--) {
    const gain = total - ((changed[cut] ?? 0) - (plain[cut] ?? 0));
    if (gain <= lowest) {
      lowest = gain;
      best = cut;
    }
  }
  return best;
}
