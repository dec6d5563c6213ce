/** References of the blocks above and to the left: 0 none, 1 to 3 the last, golden and alternate frame. */
export type Neighbours = {
  hasAbove: boolean;
  hasLeft: boolean;
  above: readonly [number, number];
  left: readonly [number, number];
};

/** The references that compound blocks have (setup_compound_reference_mode, VP9 bitstream specification, 7.3.7). */
export type Compounds = { fixed: number; first: number; second: number; fixedPlace: number };

/** Names of references. */
const [last, golden, alternate] = [1, 2, 3] as const;

/** Which references stand together, by the signs of all. */
export function compoundsOf(signs: readonly number[]): Compounds {
  const [, ofLast = 0, ofGolden = 0, ofAlternate = 0] = signs;
  const place = (reference: number) => signs[reference] ?? 0;
  if (ofLast === ofGolden) return { fixed: alternate, first: last, second: golden, fixedPlace: place(alternate) };
  if (ofLast === ofAlternate) return { fixed: golden, first: last, second: alternate, fixedPlace: place(golden) };
  return { fixed: last, first: golden, second: alternate, fixedPlace: place(last) };
}

const one = (condition: boolean): number => (condition ? 1 : 0);
const isWithin = ([first]: readonly [number, number]) => first === 0;
const isSingle = ([, second]: readonly [number, number]) => second === 0;
const has = (pair: readonly [number, number], reference: number) => pair[0] === reference || pair[1] === reference;

/** The neighbour that there is, or that has references where only one does; null where that does not single one out. */
function edgeOf({ hasAbove, hasLeft, above, left }: Neighbours): readonly [number, number] | null {
  if (!hasAbove) return left;
  if (!hasLeft) return above;
  if (isWithin(above)) return left;
  return isWithin(left) ? above : null;
}

/** The context of is_inter (9.3.2). */
export function interContext({ hasAbove, hasLeft, above, left }: Neighbours): number {
  if (hasAbove && hasLeft) return isWithin(above) && isWithin(left) ? 3 : one(isWithin(above) || isWithin(left));
  if (hasAbove || hasLeft) return 2 * one(isWithin(hasAbove ? above : left));
  return 0;
}

/** The context of comp_mode (9.3.2). */
export function compoundContext({ hasAbove, hasLeft, above, left }: Neighbours, { fixed }: Compounds): number {
  if (hasAbove && hasLeft) {
    if (isSingle(above) && isSingle(left)) return one(above[0] === fixed) ^ one(left[0] === fixed);
    if (isSingle(above)) return 2 + one(above[0] === fixed || isWithin(above));
    if (isSingle(left)) return 2 + one(left[0] === fixed || isWithin(left));
    return 4;
  }
  if (!hasAbove && !hasLeft) return 1;
  const edge = hasAbove ? above : left;
  return isSingle(edge) ? one(edge[0] === fixed) : 3;
}

/** The context of comp_ref (9.3.2). */
export function compoundReferenceContext(neighbours: Neighbours, compounds: Compounds): number {
  const { hasAbove, hasLeft, above, left } = neighbours;
  const { second, fixedPlace } = compounds;
  const changing = (pair: readonly [number, number]) => (isSingle(pair) ? pair[0] : pair[fixedPlace === 0 ? 1 : 0]);
  if (!hasAbove && !hasLeft) return 2;
  if (!hasAbove || !hasLeft) {
    const edge = hasAbove ? above : left;
    if (isWithin(edge)) return 2;
    return (isSingle(edge) ? 3 : 4) * one(changing(edge) !== second);
  }
  if (isWithin(above) && isWithin(left)) return 2;
  const edge = edgeOf(neighbours);
  if (edge) return 1 + 2 * one(changing(edge) !== second);
  return betweenContext(changing(above), changing(left), isSingle(above), isSingle(left), compounds);
}

/** The context of comp_ref between two blocks that both have references: the ones that change, and whether they are single. */
function betweenContext(
  above: number,
  left: number,
  isAboveSingle: boolean,
  isLeftSingle: boolean,
  { fixed, first, second }: Compounds,
): number {
  if (above === left && second === above) return 0;
  if (isAboveSingle && isLeftSingle) {
    if ((above === fixed && left === first) || (left === fixed && above === first)) return 4;
    return above === left ? 3 : 1;
  }
  if (!isAboveSingle && !isLeftSingle) return above === left ? 4 : 2;
  const [ofCompound, ofSingle] = isLeftSingle ? [above, left] : [left, above];
  if (ofCompound === second && ofSingle !== second) return 1;
  return ofSingle === second && ofCompound !== second ? 2 : 4;
}

/** The context of single_ref_p1 (9.3.2). */
export function firstContext(neighbours: Neighbours): number {
  const { hasAbove, hasLeft, above, left } = neighbours;
  if (!hasAbove && !hasLeft) return 2;
  const edge = edgeOf(neighbours);
  if (edge) {
    if (isWithin(edge)) return 2;
    return isSingle(edge) ? 4 * one(edge[0] === last) : 1 + one(has(edge, last));
  }
  if (isSingle(above) && isSingle(left)) return 2 * one(above[0] === last) + 2 * one(left[0] === last);
  if (!isSingle(above) && !isSingle(left)) return 1 + one(has(above, last) || has(left, last));
  const [single, compound] = isSingle(above) ? [above, left] : [left, above];
  return (single[0] === last ? 3 : 0) + one(has(compound, last));
}

/** The context of single_ref_p2 (9.3.2). */
export function secondContext(neighbours: Neighbours): number {
  const { hasAbove, hasLeft, above, left } = neighbours;
  if (!hasAbove && !hasLeft) return 2;
  const edge = edgeOf(neighbours);
  if (edge) {
    if (isWithin(edge)) return 2;
    const isAlone = !hasAbove || !hasLeft;
    if (!isSingle(edge)) return (isAlone ? 0 : 1) + (isAlone ? 3 : 2) * one(has(edge, golden));
    if (edge[0] === last) return isAlone ? 2 : 3;
    return 4 * one(edge[0] === golden);
  }
  return secondBetween(above, left);
}

/** The context of single_ref_p2 between two blocks that both have references. */
function secondBetween(above: readonly [number, number], left: readonly [number, number]): number {
  if (isSingle(above) && isSingle(left)) {
    if (above[0] === last && left[0] === last) return 3;
    if (above[0] === last) return 4 * one(left[0] === golden);
    if (left[0] === last) return 4 * one(above[0] === golden);
    return 2 * one(above[0] === golden) + 2 * one(left[0] === golden);
  }
  if (!isSingle(above) && !isSingle(left))
    return above[0] === left[0] && above[1] === left[1] ? 3 * one(has(above, golden)) : 2;
  const [single, compound] = isSingle(above) ? [above, left] : [left, above];
  const isGolden = one(has(compound, golden));
  if (single[0] === golden) return 3 + isGolden;
  return single[0] === alternate ? isGolden : 1 + 2 * isGolden;
}
