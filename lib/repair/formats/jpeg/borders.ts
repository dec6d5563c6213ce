import { type Canvas, hardEdged, mostMisfit } from './canvas';
import { side } from './edgestore';

/** Borders of rows that tell what they are like. */
const leastBorders = 8;
/** How many times as badly as neighbours the two sides of a picture have to go together for that to be believed. */
const unlikeSides = 5;

/** Whether borders of rows can tell a place, by what lies before MCU `sound`: not among hard edges, nor where both sides of a picture are much alike. */
export function isTelling(canvas: Canvas, sound: number): boolean {
  const usual = usualBeside(canvas, sound);
  if (!usual || canvas.misfitOf(0.75, sound) >= hardEdged) return false;
  return usual[1] >= usual[0] * unlikeSides;
}

/**
 * By MCU, what moving MCUs `from` to `to` by `shift` changes at the borders of rows: the one that comes to stand at the left border no longer
 * lies beside the one before it, and the one that stood there does. Each pair counts by how much likelier its misfit is between neighbours
 * than between the end of a row and the beginning of the next one, both taken as exponentially distributed with the means before MCU
 * `sound`. Null where those do not differ, as in drawings on plain ground.
 */
export function gainsBeside(
  canvas: Canvas,
  from: number,
  to: number,
  shift: number,
  sound: number,
): Float64Array | null {
  const { filled, layout } = canvas;
  const usual = usualBeside(canvas, sound);
  if (!usual) return null;
  const [near, far] = usual;
  const gains = new Float64Array(to + 1);
  for (let place = Math.max(from, 0) + 1; place < to; place++) {
    const [stood, stands] = [place % layout.across === 0, (place + shift) % layout.across === 0];
    if (stood === stands || !filled[place] || !filled[place - 1]) continue;
    const cost = beside(canvas, place) * (1 - near / far) - near * Math.log(far / near);
    gains[place] = stands ? -cost : cost;
  }
  return gains;
}

/** Mean misfits before an MCU: of neighbours in a row, and of the end of one beside the beginning of the next; null where they say nothing. */
function usualBeside(canvas: Canvas, to: number): [number, number] | null {
  const { filled, layout } = canvas;
  const inside = { sum: 0, count: 0 };
  const borders = { sum: 0, count: 0 };
  for (let place = 1; place < to; place++) {
    if (!filled[place] || !filled[place - 1]) continue;
    const kind = place % layout.across === 0 ? borders : inside;
    kind.sum += beside(canvas, place);
    kind.count++;
  }
  const near = Math.max(1, inside.sum / Math.max(1, inside.count));
  const far = borders.sum / Math.max(1, borders.count);
  return borders.count >= leastBorders && far > near ? [near, far] : null;
}

/** How badly an MCU fits beside the one before it in the data. */
const beside = ({ edges }: Canvas, place: number): number => Math.min(mostMisfit, side(edges, place - 1, edges, place));
