import type { Cabac } from '../cabac';
import type { Extremes } from '../extremes';
import { at } from './contexts';
import { measure, sizes } from './measures';

type Scan = { x: Uint8Array; y: Uint8Array; place: Uint8Array };

/** Orders of 2 by 2, 4 by 4 and 8 by 8: up-right diagonal, horizontal, vertical (ISO/IEC 23008-2, 6.5.3 to 6.5.5). */
const scans: readonly (readonly Scan[])[] = [0, 1, 2].map((kind) => [1, 2, 4, 8].map((size) => scanOf(kind, size)));

function scanOf(kind: number, size: number): Scan {
  const places: [number, number][] = [];
  if (kind === 0)
    for (let line = 0; line < size * 2 - 1; line++)
      for (let x = 0; x <= line; x++) if (x < size && line - x < size) places.push([x, line - x]);
  if (kind > 0)
    for (let outer = 0; outer < size; outer++)
      for (let inner = 0; inner < size; inner++) places.push(kind === 1 ? [inner, outer] : [outer, inner]);
  const place = new Uint8Array(64);
  for (const [index, [x, y]] of places.entries()) place[y * 8 + x] = index;
  return { x: Uint8Array.from(places, ([x]) => x), y: Uint8Array.from(places, ([, y]) => y), place };
}

/** ctxIdxMap for blocks of 4 by 4 (table 9-50). */
const smallest = Uint8Array.from([0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8]);
/** The same for places in a group, by which groups to the right and below have coefficients (9.3.4.2.5). */
const inGroup = [0, 1, 2, 3].map((near) =>
  Uint8Array.from({ length: 16 }, (_, index) => {
    const [x, y] = [index & 3, index >> 2];
    if (near === 0) return x + y === 0 ? 2 : x + y < 3 ? 1 : 0;
    if (near === 3) return 2;
    const across = near === 1 ? y : x;
    return across === 0 ? 2 : across === 1 ? 1 : 0;
  }),
);

const groups = new Uint8Array(81);
const significant = new Uint8Array(16);

function lastPrefix(cabac: Cabac, base: number, log2: number, chroma: boolean): number {
  const offset = chroma ? 15 : 3 * (log2 - 2) + ((log2 - 1) >> 2);
  const shift = chroma ? log2 - 2 : (log2 + 1) >> 2;
  const most = (log2 << 1) - 1;
  let prefix = 0;
  while (prefix < most && cabac.bin(base + offset + (prefix >> shift))) prefix++;
  return prefix;
}

function lastPlace(cabac: Cabac, prefix: number): number {
  if (prefix < 4) return prefix;
  const length = (prefix >> 1) - 1;
  return (1 << length) * (2 + (prefix & 1)) + cabac.bypasses(length);
}

/** coeff_abs_level_remaining (9.3.3.11), or -1 where no coefficient of 16 bits is that large. */
function remaining(cabac: Cabac, rice: number): number {
  let prefix = 0;
  while (cabac.bypass()) if (++prefix > 20) return -1;
  if (prefix <= 3) return (prefix << rice) + cabac.bypasses(rice);
  return (((1 << (prefix - 3)) + 3 - 1) << rice) + cabac.bypasses(prefix - 3 + rice);
}

/** Context of sig_coeff_flag with which the places of a group begin (9.3.4.2.5), but for the first of all coefficients. */
function significantBase(log2: number, chroma: boolean, scanKind: number, group: number): number {
  if (log2 === 2) return chroma ? 27 : 0;
  if (chroma) return log2 === 3 ? 36 : 39;
  return (group > 0 ? 3 : 0) + (log2 === 3 ? (scanKind === 0 ? 9 : 15) : 21);
}

/**
 * sig_coeff_flag of the places of a group from `from` on, which are added to the `count` that `significant` holds already; how many it
 * holds then. `infer` where the group has some for certain, so that its first place has one where no other has.
 */
function readSignificant(
  cabac: Cabac,
  { x, y }: Scan,
  map: Uint8Array,
  base: number,
  first: number,
  from: number,
  count: number,
  infer: boolean,
): number {
  let found = count;
  for (let place = from; place > 0; place--) {
    const index = map[((y[place] as number) << 2) | (x[place] as number)] as number;
    if (cabac.bin(at.significant + base + index)) significant[found++] = place;
  }
  if (from >= 0 && ((infer && found === 0) || cabac.bin(at.significant + first))) significant[found++] = 0;
  return found;
}

/** Values and signs of the coefficients of a group; the last greater1Ctx (9.3.4.2.6), or -1 where one is larger than any can be. */
function readLevels(
  cabac: Cabac,
  extremes: Extremes,
  log2: number,
  count: number,
  chroma: boolean,
  contextSet: number,
  hides: boolean,
): number {
  let greater1Context = 1;
  let firstGreater = -1;
  let flags = 0;
  const told = Math.min(8, count);
  for (let index = 0; index < told; index++) {
    if (cabac.bin(at.greater1 + (chroma ? 16 : 0) + (contextSet << 2) + greater1Context)) {
      flags |= 1 << index;
      greater1Context = 0;
      if (firstGreater < 0) firstGreater = index;
    } else if (greater1Context > 0 && greater1Context < 3) greater1Context++;
  }
  const greater2 = firstGreater >= 0 ? cabac.bin(at.greater2 + (chroma ? 4 : 0) + contextSet) : 0;
  const hidden = hides && (significant[0] as number) - (significant[count - 1] as number) > 3;
  for (let sign = hidden ? 1 : 0; sign < count; sign++) cabac.bypass();
  const level = measure.level + log2 - 2 + (chroma ? sizes : 0);
  const isAllowed = readRemaining(cabac, extremes, level, count, flags, firstGreater, greater2);
  return isAllowed ? greater1Context : -1;
}

/** coeff_abs_level_remaining of the coefficients whose flags do not tell all of them; false where one is larger than any can be. */
function readRemaining(
  cabac: Cabac,
  extremes: Extremes,
  level: number,
  count: number,
  flags: number,
  firstGreater: number,
  greater2: number,
): boolean {
  let rice = 0;
  for (let index = 0; index < count; index++) {
    const base = index < 8 ? 1 + ((flags >> index) & 1) + (index === firstGreater ? greater2 : 0) : 1;
    if (base !== (index < 8 ? (index === firstGreater ? 3 : 2) : 1)) continue;
    const more = remaining(cabac, rice);
    if (more < 0 || !extremes.allows(level, base + more)) return false;
    if (base + more > 3 << rice) rice = Math.min(4, rice + 1);
  }
  return true;
}

/** Reads the coefficients of one block (7.3.8.11), of 2^log2 samples on a side; false where they are broken. */
export function readResidual(
  cabac: Cabac,
  extremes: Extremes,
  log2: number,
  chroma: boolean,
  scanKind: number,
  hides: boolean,
  transformSkip: boolean,
): boolean {
  if (transformSkip && log2 === 2) cabac.bin(at.transformSkip + (chroma ? 1 : 0));
  const prefixX = lastPrefix(cabac, at.lastX, log2, chroma);
  const prefixY = lastPrefix(cabac, at.lastY, log2, chroma);
  let lastX = lastPlace(cabac, prefixX);
  let lastY = lastPlace(cabac, prefixY);
  if (scanKind === 2) [lastX, lastY] = [lastY, lastX];
  return readGroups(cabac, extremes, log2, chroma, scanKind, hides, lastX, lastY);
}

/** Context of sig_coeff_flag of the first of all coefficients, which has one of its own. */
const firstContext = (chroma: boolean) => (chroma ? 27 : 0);

/** ctxSet (9.3.4.2.6); `isRaised` where the group before had a coefficient larger than one. */
const contextSetOf = (group: number, chroma: boolean, isRaised: boolean) =>
  (group === 0 || chroma ? 0 : 2) + (isRaised ? 1 : 0);

/** The groups of 4 by 4 of a block, from that of its last coefficient back to the first. */
function readGroups(
  cabac: Cabac,
  extremes: Extremes,
  log2: number,
  chroma: boolean,
  scanKind: number,
  hides: boolean,
  lastX: number,
  lastY: number,
): boolean {
  const kinds = scans[scanKind] as readonly Scan[];
  const outer = kinds[log2 - 2] as Scan;
  const inner = kinds[2] as Scan;
  const lastGroup = outer.place[(lastY >> 2) * 8 + (lastX >> 2)] as number;
  const lastInner = inner.place[(lastY & 3) * 8 + (lastX & 3)] as number;
  groups.fill(0);
  let greater1Context = 1;
  for (let group = lastGroup; group >= 0; group--) {
    const isLast = group === lastGroup;
    const cell = (outer.y[group] as number) * 9 + (outer.x[group] as number);
    const right = groups[cell + 1] as number;
    const below = groups[cell + 9] as number;
    const isTold = !isLast && group > 0;
    if (isTold && cabac.bin(at.group + (chroma ? 2 : 0) + (right | below)) === 0) continue;
    groups[cell] = 1;
    if (isLast) significant[0] = lastInner;
    const map = log2 === 2 ? smallest : (inGroup[right | (below << 1)] as Uint8Array);
    const base = significantBase(log2, chroma, scanKind, group);
    const first = group > 0 ? base + (map[0] as number) : firstContext(chroma);
    const count = isLast
      ? readSignificant(cabac, inner, map, base, first, lastInner - 1, 1, false)
      : readSignificant(cabac, inner, map, base, first, 15, 0, isTold);
    if (count === 0) continue;
    const contextSet = contextSetOf(group, chroma, !isLast && greater1Context === 0);
    greater1Context = readLevels(cabac, extremes, log2, count, chroma, contextSet, hides);
    if (greater1Context < 0) return false;
  }
  return true;
}
