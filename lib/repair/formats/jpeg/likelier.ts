import { fitCosts } from './blockcosts';
import { ownBlock, type Plane } from './planes';

/** What going over from one reading to the other costs, in sample values of misfit: a block that fits nowhere has some 80 on each side. */
const changePrice = 80;

/**
 * Puts into the planes of one reading the blocks of another one of the same picture wherever those fit together better, run by run in the
 * order of the data, in which damage goes on. Returns how many blocks came from the other.
 */
export function takeLikelier(
  planes: readonly Plane[],
  others: readonly Plane[],
  tables: readonly Uint16Array[],
): number {
  let taken = 0;
  for (const [component, plane] of planes.entries()) {
    const other = others[component];
    const table = tables[component];
    if (other && table) taken += takeRuns(plane, withDc(plane, other), table) + takeRuns(plane, other, table);
  }
  return taken;
}

/** The same of one component, by the cheapest way through both readings (Viterbi 1967). */
function takeRuns(plane: Plane, other: Plane, table: Uint16Array): number {
  const count = plane.ownAcross * plane.ownDown;
  const sourceOf = (coefficients: Int16Array) => (block: number) => {
    const at = ownBlock(plane, block);
    return coefficients.subarray(at, at + 64);
  };
  const own = fitCosts(plane, table, count, sourceOf(plane.coefficients));
  const its = fitCosts(plane, table, count, sourceOf(other.coefficients));
  // For each block and reading, whether the cheapest way there comes from the other one.
  const isChanged = new Uint8Array(count * 2);
  let [here, there] = [0, 0];
  for (let block = 0; block < count; block++) {
    const [before, beside] = [here, there];
    isChanged[block * 2] = beside + changePrice < before ? 1 : 0;
    isChanged[block * 2 + 1] = before + changePrice < beside ? 1 : 0;
    here = Math.min(before, beside + changePrice) + (own[block] ?? 0);
    there = Math.min(beside, before + changePrice) + (its[block] ?? 0);
  }
  let isOther = there < here;
  let taken = 0;
  for (let block = count - 1; block >= 0; block--) {
    if (isOther) {
      const at = ownBlock(plane, block);
      plane.coefficients.set(other.coefficients.subarray(at, at + 64), at);
      taken++;
    }
    if (isChanged[block * 2 + (isOther ? 1 : 0)]) isOther = !isOther;
  }
  return taken;
}

/** The blocks of a plane with the DC values of another reading. */
function withDc(plane: Plane, { coefficients }: Plane): Plane {
  const changed = plane.coefficients.slice();
  for (let at = 0; at < changed.length; at += 64) changed[at] = coefficients[at] ?? 0;
  return { ...plane, coefficients: changed };
}
