import type { Buffer } from '../../host/bytes';
import { BoolReader, superframeMark, superframeMask } from '../bool';
import type { FrameEnd } from '../judge';
import { type Area, Blocks } from './blocks';
import { readCompressed } from './compressed';
import { Grid } from './grid';
import { type Header, type HeaderState, noSegments, readHeader } from './header';
import { adapted, freshProbabilities, Symbols } from './symbols';

/** Bits that may be missing before the rest is not read any more. */
const mostMissing = 512;
/** Cells of 8 by 8 samples of the largest picture that is read: 8,192 by 8,192, of which each takes some sixty bytes. */
const mostCells = 1 << 20;
/** Bytes of the size of a tile (VP9 bitstream specification, 6.4). */
const sizeBytes = 4;
/** Sets of probabilities that a stream keeps (frame_context_idx, 7.2). */
const contexts = 4;

/** The frames of a sample: several where an index of a superframe ends it (annex B), one elsewhere. */
function framesIn(sample: Buffer): Buffer[] {
  const marker = sample.at(-1) ?? 0;
  const width = ((marker >> 3) & 3) + 1;
  const count = (marker & 7) + 1;
  const index = sample.length - 2 - width * count;
  if ((marker & superframeMask) !== superframeMark || index < 0 || sample[index] !== marker) return [sample];
  const frames: Buffer[] = [];
  for (let place = 0, from = 0; place < count; place++) {
    const size = sample.readUIntLE(index + 1 + place * width, width);
    if (from + size > index) return [sample];
    if (size > 0) frames.push(sample.subarray(from, from + size));
    from += size;
  }
  return frames;
}

/** A frame that was found in raw data: how many bytes it has. */
export type Taken = { size: number; isKey: boolean; isShown: boolean };

/** Reads frames of VP9 down to their last coefficient (VP9 bitstream specification, 6), in their order, which is all that shows whether they are damaged. */
export class Vp9Frames {
  readonly #state: HeaderState = {
    profile: -1,
    colours: { depth: 8, halfAcross: 1, halfDown: 1 },
    slots: Array.from({ length: 8 }, () => null),
    segmentation: noSegments(),
  };
  #contexts: Uint8Array[] = Array.from({ length: contexts }, freshProbabilities);
  #grid: Grid | null = null;
  #wasKey = false;
  #wasShown = false;

  /** How the frames of a sample end, of the one that ends worst; null and undefined as those of a frame. */
  read(sample: Buffer): FrameEnd | null | undefined {
    let worst: FrameEnd | undefined;
    for (const frame of framesIn(sample)) {
      const end = this.#frame(frame);
      if (end === null) return null;
      if (end)
        worst = {
          over: Math.max(end.over, worst?.over ?? 0),
          missing: Math.max(end.missing, worst?.missing ?? 0),
          cells: (end.cells ?? 0) + (worst?.cells ?? 0),
        };
    }
    return worst;
  }

  /**
   * How a frame ends, which what an encoder wrote does with its data; null where it holds what none can have written. Undefined where it builds
   * on frames that were not read, or shows an earlier one.
   */
  #frame(frame: Buffer): FrameEnd | null | undefined {
    const header = readHeader(frame, this.#state);
    if (header === 'unknown') return undefined;
    if (header === 'again') {
      this.#wasShown = true;
      return undefined;
    }
    if (!header) return null;
    if (((header.width + 7) >> 3) * ((header.height + 7) >> 3) > mostCells) return undefined;
    const end = this.#body(frame, header);
    this.#seen(header);
    return end;
  }

  /**
   * The frame that `data` begins with, where nothing but its last symbol tells its end: what libvpx ends its parts with proves it. Null where
   * none begins that can be read with what was read before, 'short' where it goes on behind the data.
   */
  take(data: Buffer): Taken | 'short' | null {
    const { segmentation } = this.#state;
    const kept = { ...this.#state, slots: [...this.#state.slots], segmentation: structuredClone(segmentation) };
    const contexts = [...this.#contexts];
    const taken = this.#taken(data);
    if (taken === null || taken === 'short') {
      Object.assign(this.#state, kept);
      this.#contexts = contexts;
    }
    return taken;
  }

  #taken(data: Buffer): Taken | 'short' | null {
    const header = readHeader(data, this.#state);
    if (!header || typeof header === 'string') return null;
    if (((header.width + 7) >> 3) * ((header.height + 7) >> 3) > mostCells) return null;
    if (header.end >= data.length) return 'short';
    const first = readerOf(data, header.at, header.end);
    if (!first) return null;
    readCompressed(first, header, freshProbabilities());
    if (first.closing() !== header.end - header.at) return null;
    const end = this.#body(data, header, true);
    if (!end?.closed) return end && end.missing > 0 ? 'short' : null;
    this.#seen(header);
    return { size: end.closed, isKey: header.isKey, isShown: header.isShown };
  }

  #seen({ width, height, refreshes, isKey, isShown }: Header): void {
    for (let slot = 0; slot < 8; slot++) if ((refreshes >> slot) & 1) this.#state.slots[slot] = { width, height };
    this.#wasKey = isKey;
    this.#wasShown = isShown;
  }

  /** Sets probabilities back as a frame asks for (setup_past_independence, 7.2); which set it begins with. */
  #reset({ isIntra, isKey, isResilient, resets, context }: Header): number {
    if (!isIntra && !isResilient) return context;
    if (isKey || isResilient || resets === 3) this.#contexts = Array.from({ length: contexts }, freshProbabilities);
    else if (resets === 2) this.#contexts[context] = freshProbabilities();
    this.#grid?.segmentsBefore.fill(0);
    return 0;
  }

  /** The grid of a frame, and whether it is that of the frame before. */
  #gridFor({ width, height }: Header): { grid: Grid; isSame: boolean } {
    const size = this.#grid?.size;
    const isSame = this.#grid !== null && size?.width === width && size.height === height;
    const grid = isSame && this.#grid ? this.#grid : new Grid({ width, height });
    this.#grid = grid;
    return { grid, isSame };
  }

  /** Reads what follows the header. Where the frame's end is not known, nothing is kept of one that is not closed as libvpx does. */
  #body(frame: Buffer, header: Header, isOpen = false): TileEnd | null {
    const context = this.#reset(header);
    const before = this.#contexts[context] ?? freshProbabilities();
    const first = readerOf(frame, header.at, header.end);
    if (!first) return null;
    const symbols = new Symbols(before.slice(), first);
    const compressed = readCompressed(first, header, symbols.probabilities);
    if (first.missing > 0) return null;
    // Only now, as a few bytes may name a large picture.
    const { grid, isSame } = this.#gridFor(header);
    const { segmentation, colours } = this.#state;
    const usesBefore = isSame && this.#wasShown && !header.isResilient;
    const blocks = new Blocks({ header, compressed, segmentation, colours, grid, symbols, usesBefore });
    const end = readTiles(frame, header, grid, symbols, blocks, isOpen);
    if (isOpen && !end.closed) return end;
    if (!header.isResilient && !header.isParallel) {
      const result = adapted(symbols, before, {
        isIntra: header.isIntra,
        isAfterKey: this.#wasKey,
        isPrecise: header.isPrecise,
      });
      symbols.probabilities.set(result);
    }
    if (header.keepsContext) this.#contexts[context] = symbols.probabilities;
    grid.turn(segmentation.isOn);
    return end;
  }
}

/** A reader of part of a frame, whose first bit is a marker that is zero (9.2.1); null where it does not lie in it. */
function readerOf(frame: Buffer, from: number, to: number): BoolReader | null {
  if (from >= to || to > frame.length) return null;
  const reader = new BoolReader(frame, from, to);
  return reader.flag() ? null : reader;
}

/** Where a tile begins (get_tile_offset, 6.4.1), in cells. */
const tileStart = (tile: number, cells: number, bits: number): number =>
  Math.min(cells, ((tile * ((cells + 7) >> 3)) >> bits) << 3);

/** How the tiles of a frame end; `closed`: how many bytes the frame has where its last tile tells. */
type TileEnd = FrameEnd & { closed?: number };

/** decode_tiles (6.4). Of what no encoder can have written all is missing, and it costs as much as what one has. */
function readTiles(
  frame: Buffer,
  header: Header,
  grid: Grid,
  symbols: Symbols,
  blocks: Blocks,
  isOpen: boolean,
): TileEnd {
  const { tileColumns, tileRows } = header;
  const all = 1 << (tileColumns + tileRows);
  let at = header.end;
  const nothing: TileEnd = { over: 0, missing: Number.MAX_SAFE_INTEGER, cells: grid.columns * grid.rows };
  const worst: TileEnd = { over: 0, missing: 0, cells: grid.columns * grid.rows };
  for (let tile = 0; tile < all; tile++) {
    const isLast = tile === all - 1;
    if (!isLast && at + sizeBytes > frame.length) return nothing;
    const from = isLast ? at : at + sizeBytes;
    const to = isLast ? frame.length : from + frame.readUInt32BE(at);
    const reader = readerOf(frame, from, to);
    if (!reader) return nothing;
    symbols.reader = reader;
    const [row, column] = [tile >> tileColumns, tile & ((1 << tileColumns) - 1)];
    const area: Area = {
      top: tileStart(row, grid.rows, tileRows),
      bottom: tileStart(row + 1, grid.rows, tileRows),
      from: tileStart(column, grid.columns, tileColumns),
      to: tileStart(column + 1, grid.columns, tileColumns),
    };
    if (!blocks.readTile(area, () => reader.missing > mostMissing)) return nothing;
    worst.missing = Math.max(worst.missing, (reader.missing + 7) >> 3);
    worst.over = Math.max(worst.over, reader.unread);
    if (worst.missing > 0) break;
    const closed = isLast && isOpen ? reader.closing() : null;
    if (closed !== null) worst.closed = from + closed;
    at = to;
  }
  return worst;
}
