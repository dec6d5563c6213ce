import { BandReader } from '../../codecs/jpeg/bands';
import type { Frame } from '../../codecs/jpeg/frame';
import { layoutFor } from '../../codecs/jpeg/layout';
import type { PhotoTold } from '../../families/photo';
import { Buffer } from '../../host/bytes';
import { type ExifFacts, readExif } from './exif';
import type { FirstScan, ScanData } from './firstscan';
import type { JpegParts } from './markers';
import { planeSize } from './planes';
import { outlineOf } from './sampled';
import type { Scan } from './scans';
import { type DataFacts, findSize, isSizeHeld, isWidthHeld, sizeFits } from './size';
import { countByMarkers } from './spans';
import { type Stretch, splitStretches } from './stretches';
import { holesOf, placeAt } from './tail';
import { areZeroesNone, zeroesIn } from './zeroes';

/** MCUs of which an outline of the picture is made at most, to find its width by. */
const mostOutlined = 60_000;
/** How many times the MCUs of a picture must be in its data before the end of that is no end of the picture. */
const farTooMany = 1.2;

/** What is known of the amount of data. Between restart markers there are whole intervals; where one is short, what is lost with it is anyone's guess. */
export function factsOf(
  { chains, count, errors, plan }: ScanData,
  stretches: Stretch[],
  interval: number,
  hasEnd: boolean,
  { isBeginLost, wiped }: Pick<JpegParts, 'isBeginLost' | 'wiped'>,
  noted: number,
): DataFacts {
  const isWhole = ({ complete, count: own }: ScanData['chains'][number], index: number) =>
    complete && (interval === 0 || index === chains.length - 1 || own === interval);
  const bytes = stretches.reduce((sum, { data }) => sum + data.length, 0);
  return {
    missing: Math.round((wiped * count) / Math.max(1, bytes)),
    count:
      interval > 0 && stretches.length > 1 ? countByMarkers(stretches, chains, interval, hasEnd ? noted : null) : count,
    sound: errors === 0 && !isBeginLost && chains.every(isWhole),
    hasEnd,
    isBeginLost,
    ...junkIn(stretches, chains, plan),
  };
}

/**
 * MCUs that came from bytes that are no picture data, the first of them, and those of zeroes that the picture's tables read as plain blocks; none is told
 * of data between restart markers, which is counted by these.
 */
function junkIn(
  stretches: Stretch[],
  chains: ScanData['chains'],
  plan: ScanData['plan'],
): Pick<DataFacts, 'junk' | 'before' | 'plain'> {
  const [only, chain] = [stretches[0], chains[0]];
  if (stretches.length > 1 || !only || !chain) return { junk: 0, before: 0, plain: 0 };
  const holes = holesOf(chain, only.data, plan);
  const junk = holes.reduce((sum, { from, to }) => sum + to - from, 0);
  if (areZeroesNone(plan)) return { junk, before: holes[0]?.from ?? chain.count, plain: 0 };
  const at = (byte: number) => placeAt(chain.bits, chain.count, byte * 8);
  const plain = zeroesIn(only.data).reduce((sum, { from, to }) => sum + at(to) - at(from), 0);
  return { junk, before: holes[0]?.from ?? chain.count, plain };
}

/** Whether zeroes that read as plain blocks make more MCUs than a picture of so many has, so that they were written over its data. */
export const areZeroesTooMany = (total: number, { count, plain }: DataFacts): boolean =>
  count > total && count - plain <= total;

/** Whether the amount of data says nothing about the size that is noted: markers are lost, or passes run into each other. */
export function isUnmarked(
  frame: Frame,
  facts: DataFacts,
  scan: FirstScan,
  stretches: number,
  interval: number,
): boolean {
  const isNoted = frame.width > 0 && frame.height > 0;
  return isNoted && (scan.dcOnly ? !facts.sound : interval > 0 && stretches === 1);
}

/** Whether the end of the data is the picture's own. */
export const isOwnEnd = (frame: Frame, facts: DataFacts, scan: FirstScan): boolean =>
  facts.count > layoutFor(frame).total * farTooMany ? facts.hasEnd && !scan.dcOnly : scan.hasEnd;

/** Rows of MCUs by which a height may be off for the width to be believed all the same. */
const rowsOff = 1;

/**
 * The frame with as many rows as data has that reads to its end without an error and is one row of MCUs longer or shorter than noted, to the
 * MCU: data of which something is missing ends inside of a row. Null where that is not so, or EXIF confirms the height.
 */
function otherHeight(frame: Frame, { count, sound, hasEnd }: DataFacts, noted: number): Frame | null {
  if (!sound || !hasEnd || frame.width === 0 || frame.height === 0 || noted === frame.height) return null;
  const { across, down, tallest } = layoutFor(frame);
  const rows = count / across;
  return Number.isInteger(rows) && rows > 0 && Math.abs(rows - down) === rowsOff
    ? { ...frame, height: rows * tallest * 8 }
    : null;
}

/** Whether a side is that of the head or of EXIF, and not as many whole MCUs as there is data of. */
const isSideTold = (side: number, noted: number, exif: ExifFacts): boolean =>
  side === noted || side === exif.width || side === exif.height;

/** The frame with a size that fits the data, told where it is another one than noted; null where none is known. */
export function settleSize(
  { bytes, parts, scan, stretches }: { bytes: Buffer; parts: JpegParts; scan: FirstScan; stretches: Stretch[] },
  frame: Frame,
  data: ScanData,
  facts: DataFacts,
  tables: readonly Uint16Array[],
  told: PhotoTold,
): Frame | null {
  const exif = readExif(parts.applications);
  const taller = otherHeight(frame, facts, exif.height);
  if (!taller && sizeFits(frame, facts)) return frame;
  const outline = outlineOf(stretches, data.chains, data.plan, tables, Math.min(data.count, mostOutlined));
  if (!taller && isSizeHeld(frame, facts, outline)) return frame;
  const sized = taller ?? findSize(frame, facts, outline, exif);
  if (!sized) return frame.width === 0 || frame.height === 0 ? null : frame;
  const { width, height } = sized;
  if (width === frame.width && height === frame.height) return frame;
  if (!taller && isWidthHeld(frame, sized, facts, outline)) return frame;
  if (frame.offset >= 0) told.damages.push({ kind: 'size', offset: frame.offset });
  told.steps.push({ kind: 'size', from: 'data', width, height });
  const isKnown = parts.isBeginLost || (isSideTold(width, frame.width, exif) && isSideTold(height, frame.height, exif));
  if (!isKnown) told.lost.push({ unit: 'description', count: 1, how: 'blocks' });
  return scan.dcOnly ? exactSize(sized, bytes, scan.scans) : sized;
}

/** Passes of one component hold only blocks of the picture (ISO/IEC 10918-1, A.2.2): their number tells a size to the block, not only to the MCU. */
function exactSize(frame: Frame, bytes: Buffer, scans: readonly Scan[]): Frame {
  const scan = scans.find(({ from, high, components }) => from > 0 && high === 0 && components.length === 1);
  const component = frame.components.findIndex(({ id }) => id === scan?.components[0]?.id);
  const layout = layoutFor(frame);
  if (!scan || scan.interval > 0 || component < 0) return frame;
  const spec = scan.huffman.get(0x10 | (scan.components[0]?.ac ?? 0));
  const data = splitStretches(bytes, scan.start, scan.end, 0)[0]?.data ?? Buffer.alloc(0);
  const reader = new BandReader(data, spec, scan);
  const scratch = new Int16Array(64);
  let count = 0;
  while (!reader.finished() && count < layout.total * 16 && reader.first(scratch, 0)) count++;
  for (let less = 0; less < layout.widest; less++) {
    for (let lower = 0; lower < layout.tallest; lower++) {
      const [width, height] = [(layout.across * layout.widest - less) * 8, (layout.down * layout.tallest - lower) * 8];
      const plane = planeSize(layout, component, width, height);
      if (plane.ownAcross * plane.ownDown !== count) continue;
      return {
        ...frame,
        width: Math.ceil(frame.width / 8) * 8 === width ? frame.width : width,
        height: Math.ceil(frame.height / 8) * 8 === height ? frame.height : height,
      };
    }
  }
  return frame;
}
