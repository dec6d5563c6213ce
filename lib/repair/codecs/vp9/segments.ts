import { type Frame, superblock } from './frame';
import { high8, wide8 } from './grid';
import type { Place } from './motion';

/** Reads which segment each block belongs to (VP9 bitstream specification, 6.4.7 to 6.4.9), by what the frame before said. */
export class Segments {
  readonly #frame: Frame;
  // Whether blocks above and to the left took the segment of the frame before.
  readonly #predictedAbove: Uint8Array;
  readonly #predictedLeft = new Uint8Array(superblock);

  constructor(frame: Frame) {
    this.#frame = frame;
    this.#predictedAbove = new Uint8Array(frame.grid.columns + 2 * superblock);
  }

  startRow(): void {
    this.#predictedLeft.fill(0);
  }

  /** intra_segment_id (6.4.7). */
  within(place: Place): number {
    const { segmentation } = this.#frame;
    if (!segmentation.isOn) return 0;
    const segment = segmentation.updatesMap ? this.#read() : 0;
    this.#keep(place, segment);
    return segment;
  }

  /** segment_id (9.3.1). */
  #read(): number {
    const { symbols, segmentation } = this.#frame;
    const bit = (node: number) => symbols.reader.bit(segmentation.tree[node] as number);
    const high = bit(0);
    const middle = bit(1 + high);
    return high * 4 + middle * 2 + bit(3 + 2 * high + middle);
  }

  /** Keeps the segment of a block for the next frame, or what was there where the map stays. */
  #keep({ block, row, column }: Place, segment: number): void {
    const { grid, segmentation } = this.#frame;
    const { columns, rows, segments, segmentsBefore } = grid;
    const right = Math.min(columns, column + (wide8[block] as number));
    const bottom = Math.min(rows, row + (high8[block] as number));
    for (let y = row; y < bottom; y++)
      for (let cell = y * columns + column; cell < y * columns + right; cell++)
        segments[cell] = segmentation.updatesMap ? segment : (segmentsBefore[cell] as number);
  }

  /** get_segment_id (6.4.9). */
  #before({ block, row, column }: Place): number {
    const { columns, rows, segmentsBefore } = this.#frame.grid;
    const right = Math.min(columns, column + (wide8[block] as number));
    const bottom = Math.min(rows, row + (high8[block] as number));
    let least = 7;
    for (let y = row; y < bottom; y++)
      for (let x = column; x < right; x++) least = Math.min(least, segmentsBefore[y * columns + x] as number);
    return least;
  }

  /** inter_segment_id (6.4.8). */
  between(place: Place): number {
    const { segmentation, symbols } = this.#frame;
    if (!segmentation.isOn) return 0;
    let segment: number;
    const before = this.#before(place);
    if (!segmentation.updatesMap) segment = before;
    else if (!segmentation.isTemporal) segment = this.#read();
    else {
      const { block, row, column } = place;
      const [above, left] = [this.#predictedAbove, this.#predictedLeft];
      const context = (above[column] as number) + (left[row & 7] as number);
      const isBefore = symbols.reader.bit(segmentation.prediction[context] as number);
      segment = isBefore === 1 ? before : this.#read();
      above.fill(isBefore, column, column + (wide8[block] as number));
      left.fill(isBefore, row & 7, (row & 7) + (high8[block] as number));
    }
    this.#keep(place, segment);
    return segment;
  }
}
