import { blank, type FaxKind, FaxReader } from '../../codecs/fax/reader';
import { salvageRows } from '../../codecs/fax/salvage';
import { drawRows, readRows } from '../../codecs/fax/strip';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { scheme, space } from './directory';
import type { Layout } from './layout';

/** Schemes of fax (TIFF 6.0, section 10 and 11). */
const faxSchemes: ReadonlySet<number> = new Set([scheme.faxRuns, scheme.fax3, scheme.fax4]);
export const isFax = (compression: number): boolean => faxSchemes.has(compression);

/** Bytes and rows of a strip up to which it is read: a page of A4 at 600 dots an inch has some 7,000 rows, in seldom more than 1 MB. */
const most = { bytes: 1 << 21, rows: 100_000 };

/** Whether strips of fax are read here: bits, whose rows stand one behind the other, without pieces that are not packed (T4Options and T6Options, bit 1). */
export const readsFax = ({ depth, samples, planes, predictor, faxOptions, segments, rowsPerStrip, tile }: Layout) =>
  depth === 1 &&
  samples === 1 &&
  !planes &&
  predictor === 1 &&
  (faxOptions & 2) === 0 &&
  (tile?.height ?? rowsPerStrip) <= most.rows &&
  segments.every(({ count }) => count <= most.bytes);

function kindOf({ compression, faxOptions }: Layout): FaxKind {
  if (compression === scheme.fax4) return 'both';
  if (compression === scheme.faxRuns) return 'plain';
  return (faxOptions & 1) === 1 ? 'twoWay' : 'oneWay';
}

/** The bits of every byte turned round (FillOrder 2; TIFF 6.0, section 8). */
function turned(source: Buffer): Buffer {
  const turn = (byte: number) => {
    let value = 0;
    for (let bit = 0; bit < 8; bit++) value |= ((byte >> bit) & 1) << (7 - bit);
    return value;
  };
  const table = Uint8Array.from({ length: 256 }, (_, byte) => turn(byte));
  return Buffer.from(source.map((byte) => table[byte] ?? 0));
}

/** A row of what is shown as white, with which lost ones are filled: a black one where black is coded as white. */
const paperOf = ({ photometric }: Layout): readonly number[] => (photometric === space.blackIsZero ? [0] : blank);

/** The rows of a strip as bits, black as ones; whether all are as their writer made them, and which bytes are known where others stand for lost ones (0). */
type FaxSegment = { data: Buffer; sound: boolean; known?: Uint8Array };

/** Unpacks a strip or tile of fax of so many rows; with `thorough` it is read on behind damage. */
export async function readFaxSegment(
  job: EngineJob,
  source: Buffer,
  layout: Layout,
  rows: number,
  thorough: boolean,
): Promise<FaxSegment> {
  const width = layout.tile?.width ?? layout.width;
  const strip = { width, rows, kind: kindOf(layout), isPaperBlack: layout.photometric === space.blackIsZero };
  const own = source.subarray(0, most.bytes);
  const data = layout.isTurned ? turned(own) : own;
  const { effort } = job.deadline;
  const reader = new FaxReader(data, width);
  const read = readRows(reader, strip);
  effort.spend('symbol', reader.position);
  if (read.isWhole) return { data: drawRows(read.rows, width), sound: true };
  const found: readonly (readonly number[] | null)[] = thorough ? salvageRows(data, strip, effort) : read.rows;
  const paper = paperOf(layout);
  const drawn = drawRows(
    Array.from({ length: rows }, (_, line) => found[line] ?? paper),
    width,
  );
  const step = Math.ceil(width / 8);
  const known = new Uint8Array(rows * step);
  for (const [line, row] of found.entries()) if (row) known.fill(1, line * step, (line + 1) * step);
  return { data: drawn, known, sound: false };
}
