/** A box on the screen, in CSS pixels from the top left of the viewport. */
export type Box = { top: number; right: number; bottom: number; left: number };

/**
 * The lowest place for a card along its column where it covers none of the boxes: its distance from the bottom of the
 * viewport, at least `margin`. Null when there is none.
 *
 * @param card height, and where it stands between left and right
 * @param gap least distance from a box
 */
export function freePlace(
  card: { height: number; left: number; right: number },
  boxes: readonly Box[],
  viewportHeight: number,
  margin = 16,
  gap = 8,
): number | null {
  const inColumn = boxes.filter(({ left, right }) => left < card.right + gap && right > card.left - gap);
  const isFree = (up: number) => {
    const bottom = viewportHeight - up;
    const top = bottom - card.height;
    return top >= 0 && inColumn.every((box) => box.bottom + gap <= top || box.top - gap >= bottom);
  };
  // The card rests on the margin, or right above one of the boxes.
  const places = [margin, ...inColumn.map(({ top }) => viewportHeight - top + gap)].filter((up) => up >= margin);
  return places.sort((a, b) => a - b).find(isFree) ?? null;
}
