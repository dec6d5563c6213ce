import type { ExifFacts } from './exif';
import { layoutFor } from './layout';
import type { Frame } from './markers';
import { type Outline, rowMisfit } from './sampled';

/** What is known of the amount of data: MCUs read, whether all of it made sense, and whether its end is there. */
export type DataFacts = { count: number; sound: boolean; hasEnd: boolean };

/** The largest side a frame header can note (ISO/IEC 10918-1, B.2.2). */
const most = 65535;

/** Whether the size in the frame can be right for the data: data may be short where it is damaged, never much too long. */
export function sizeFits(frame: Frame, data: DataFacts): boolean {
  if (frame.width === 0 || frame.height === 0) return false;
  const { across, total } = layoutFor(frame);
  if (data.count > total + across) return false;
  if (!data.sound || !data.hasEnd) return true;
  return data.count > total - across * 1.5;
}

/** Finds the size of a picture from its data: by EXIF, by the width its header still has, or by the width at which rows fit; null when nothing does. */
export function findSize(frame: Frame, data: DataFacts, outline: Outline, exif: ExifFacts): Frame | null {
  const unit = unitsOf(frame);
  const known: [number, number][] = [
    [frame.width, frame.height],
    [exif.width, exif.height],
    [exif.height, exif.width],
  ];
  // Data that is whole has exactly as many MCUs as the picture.
  const whole = data.sound && data.hasEnd;
  const best = bestAcross(outline, whole ? data.count : 0);
  // One side of the header may be right: with whole data the other follows from it.
  for (const height of whole ? [frame.height, exif.height] : []) {
    const down = Math.ceil(height / unit.y);
    if (down < 1 || data.count % down !== 0) continue;
    const across = data.count / down;
    if (best && rowMisfit(outline, across, 4000) > best.misfit * 1.1 + 0.3) continue;
    const kept = [frame.width, exif.width].find((width) => width > 0 && Math.ceil(width / unit.x) === across);
    return { ...frame, width: Math.min(most, kept ?? across * unit.x), height };
  }
  for (const [width, height] of known) {
    if (width === 0) continue;
    const across = Math.ceil(width / unit.x);
    const down = height > 0 ? Math.ceil(height / unit.y) : 0;
    const matches =
      height > 0 && (data.sound ? across * down === data.count : Math.abs(across * down - data.count) < across);
    const fits = best !== null && rowMisfit(outline, across, 4000) <= best.misfit * 1.05 + 0.2;
    if (matches && (fits || best === null || data.sound)) return { ...frame, width, height };
    if (!fits) continue;
    const rows = Math.max(1, Math.round(data.count / across));
    // Rows can be missing from damaged data, and only data that ends with a row is whole.
    const keep = down >= rows && !(whole && data.count % across === 0);
    return { ...frame, width, height: keep ? height : Math.min(most, rows * unit.y) };
  }
  if (best === null) return null;
  const rows = Math.max(1, Math.round(data.count / best.across));
  // A strip this long is no picture but noise that fits nowhere.
  if (best.across * unit.x > 12 * rows * unit.y || rows * unit.y > 12 * best.across * unit.x) return null;
  return { ...frame, width: Math.min(most, best.across * unit.x), height: Math.min(most, rows * unit.y) };
}

/** Samples across and down one MCU. */
function unitsOf(frame: Frame): { x: number; y: number } {
  const { widest, tallest } = layoutFor({ ...frame, width: 8, height: 8 });
  return { x: widest * 8, y: tallest * 8 };
}

/** The number of MCUs in a row for which each row fits best under the one before, and that divides `whole`, if that is above 0; null when the picture is too small to tell. */
function bestAcross(outline: Outline, whole: number): { across: number; misfit: number } | null {
  if (outline.count < 64) return null;
  let best: { across: number; misfit: number } | null = null;
  const widest = Math.min(Math.floor(outline.count / 3), 4096);
  for (let across = 4; across <= widest; across++) {
    if (whole > 0 && whole % across !== 0) continue;
    const misfit = rowMisfit(outline, across, 3000);
    // Twice the width fits nearly as well; only what is clearly better takes over.
    if (!best || misfit < best.misfit * 0.97) best = { across, misfit };
  }
  return best;
}
