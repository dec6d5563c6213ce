import type { BandReader } from '../../codecs/jpeg/bands';
import type { Scan } from './scans';
import { type Hole, zeroesIn } from './zeroes';

/** Errors after which a scan is taken for none. */
const mostErrors = 5000;
/** Blocks that are read at most, as a share of those that there are: damage can make blocks out of nothing. */
const mostRead = 1.25;

/**
 * The blocks of a band as they came: `length` coefficients of each, the bits where they begin, the block before the first code that made no sense
 * and the one behind the last.
 */
export type BandRead = {
  bands: Int16Array;
  length: number;
  starts: Uint32Array;
  count: number;
  front: number;
  piece: number;
  errors: number;
  sound: boolean;
  /** The first code that makes no sense lies in zeroes: all before them is right. */
  isWiped: boolean;
};

/** Reads a band to the end of its data, over what makes no sense; where that is not sound, zeroes that no encoder writes make none, either. */
export function readBand(reader: BandReader, blocks: number, scan: Scan): BandRead {
  const read = readOver(reader, blocks, scan, []);
  const holes = read.sound ? [] : zeroesIn(reader.data);
  if (holes.length === 0) return read;
  reader.pending = 0;
  reader.position = 0;
  return readOver(reader, blocks, scan, holes);
}

function readOver(reader: BandReader, blocks: number, scan: Scan, holes: readonly Hole[]): BandRead {
  const length = scan.to - scan.from + 1;
  const most = Math.ceil(blocks * mostRead);
  const bands = new Int16Array(most * length);
  const starts = new Uint32Array(most + 1);
  const scratch = new Int16Array(64);
  let [count, piece, errors, front, next] = [0, 0, 0, -1, 0];
  let isFirstWiped = false;
  while (errors < mostErrors && count < most) {
    const isOver = reader.pending === 0 && reader.position >= reader.end;
    if (isOver || reader.finished() || (errors === 0 && count === blocks && reader.nearlyFinished())) break;
    const start = reader.position;
    scratch.fill(0);
    starts[count] = start;
    const isSense = reader.first(scratch, 0);
    const hole = holes[next];
    const isWiped = hole !== undefined && reader.position > hole.from * 8;
    if (isSense && !isWiped) {
      bands.set(scratch.subarray(scan.from, scan.to + 1), count++ * length);
      continue;
    }
    errors++;
    if (front < 0) {
      front = count;
      isFirstWiped = isWiped;
    }
    piece = count;
    reader.pending = 0;
    reader.position = Math.max(isWiped ? hole.to * 8 : reader.position, start + 1);
    if (isWiped) next++;
  }
  starts[count] = reader.position;
  const sound = errors === 0 && count === blocks && reader.nearlyFinished();
  return {
    bands,
    length,
    starts,
    count,
    front: front < 0 ? count : front,
    piece,
    errors,
    sound,
    isWiped: isFirstWiped,
  };
}
