import { type Frame, superblock } from './frame';
import { high8, highBits, modes, wholeCell, wide8, wideBits } from './grid';
import { type Between, isCandidate, type Place, partCandidates, Vectors } from './motion';
import { Planes } from './planes';
import {
  type Compounds,
  compoundContext,
  compoundReferenceContext,
  compoundsOf,
  firstContext,
  interContext,
  type Neighbours,
  secondContext,
} from './references';
import { Segments } from './segments';
import { places, trees } from './symbols';
import { keyColourModes, keyModes, keyPartitions } from './tables';

/** How many halvings of a superblock lead to a cell. */
const superblockLevel = 3;
/** The largest transform of each size of block (max_txsize_lookup, VP9 bitstream specification, 10.1), and its group (size_group_lookup). */
const largestOf = Uint8Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3);
/** Where the probabilities of sizes of transforms begin, by the largest, and how many each context has. */
const transformPlaces = [0, places.transform8, places.transform16, places.transform32];
/** Filters behind which none is known (9.3.2). */
const noFilter = 3;
const noReferences = [0, 0] as const;

/** A tile in cells. */
export type Area = { top: number; bottom: number; from: number; to: number };

/** Reads the blocks of a frame, tile by tile (6.4), down to the last coefficient. */
export class Blocks {
  readonly #frame: Frame;
  readonly #vectors: Vectors;
  readonly #segments: Segments;
  readonly #planes: Planes;
  readonly #compounds: Compounds;
  // Contexts of the row above, by cell or by 4 samples, and of the column to the left within a superblock.
  readonly #partitionsAbove: Uint8Array;
  readonly #partitionsLeft = new Uint8Array(superblock);
  readonly #modesAbove: Uint8Array;
  readonly #modesLeft = new Uint8Array(2 * superblock);
  // The block that is read.
  #segment = 0;
  #skip = 0;
  #transform = 0;
  #mode = 0;
  #filter = noFilter;
  #references: [number, number] = [0, 0];
  #hasLeft = false;
  readonly #partModes = new Uint8Array(4);
  readonly #parts = new Int32Array(8);

  constructor(frame: Frame) {
    const { grid, header, symbols, usesBefore } = frame;
    const between: Between = { signs: header.signs, isPrecise: header.isPrecise, usesBefore };
    this.#frame = frame;
    this.#vectors = new Vectors(grid, symbols, between);
    this.#segments = new Segments(frame);
    this.#planes = new Planes(frame);
    this.#compounds = compoundsOf(header.signs);
    const across = grid.columns + 2 * superblock;
    this.#partitionsAbove = new Uint8Array(across);
    this.#modesAbove = new Uint8Array(2 * across);
  }

  /** Reads a tile as far as its data goes; whether everything in it can be. */
  readTile({ top, bottom, from, to }: Area, isOver: () => boolean): boolean {
    this.#vectors.tile = { from, to };
    for (let row = top; row < bottom; row += superblock) {
      this.#partitionsLeft.fill(0);
      this.#modesLeft.fill(0);
      this.#segments.startRow();
      this.#planes.startRow();
      for (let column = from; column < to; column += superblock) {
        this.#partition(row, column, superblockLevel);
        if (this.#vectors.isWrong) return false;
        if (isOver()) return true;
      }
    }
    return true;
  }

  /** decode_partition (6.4.2); `level` is the binary logarithm of the side in cells. */
  #partition(row: number, column: number, level: number): void {
    const { rows, columns } = this.#frame.grid;
    if (row >= rows || column >= columns) return;
    const half = (1 << level) >> 1;
    const [hasRows, hasColumns] = [row + half < rows, column + half < columns];
    const kind = this.#partitionKind(row, column, level, hasRows, hasColumns);
    const square = wholeCell + 3 * level;
    if (level > 0 && kind === 3) {
      this.#partition(row, column, level - 1);
      this.#partition(row, column + half, level - 1);
      this.#partition(row + half, column, level - 1);
      this.#partition(row + half, column + half, level - 1);
      return;
    }
    const block = square - kind;
    this.#block({ block, row, column });
    if (level > 0 && kind === 1 && hasRows) this.#block({ block, row: row + half, column });
    if (level > 0 && kind === 2 && hasColumns) this.#block({ block, row, column: column + half });
    const side = 1 << level;
    this.#partitionsAbove.fill(15 >> (wideBits[block] as number), column, column + side);
    this.#partitionsLeft.fill(15 >> (highBits[block] as number), row & 7, (row & 7) + side);
  }

  /** partition (9.3.1 and 9.3.2): 0 for none, 1 across, 2 down, 3 both. At the edge of the picture it has one node, but counts as if it had all. */
  #partitionKind(row: number, column: number, level: number, hasRows: boolean, hasColumns: boolean): number {
    const { symbols, header } = this.#frame;
    const bit = superblockLevel - level;
    const above = ((this.#partitionsAbove[column] as number) >> bit) & 1;
    const left = ((this.#partitionsLeft[row & 7] as number) >> bit) & 1;
    const context = 3 * (level * 4 + left * 2 + above);
    if (hasRows && hasColumns)
      return header.isIntra
        ? symbols.fixed(trees.partition, keyPartitions, context)
        : symbols.tree(trees.partition, places.partition + context);
    if (!hasRows && !hasColumns) return this.#counted(context, 3);
    const node = hasColumns ? 1 : 2;
    const table = header.isIntra ? keyPartitions : symbols.probabilities;
    const at = (header.isIntra ? 0 : places.partition) + context + node;
    return this.#counted(context, symbols.reader.bit(table[at] as number) === 1 ? 3 : node);
  }

  #counted(context: number, kind: number): number {
    const { counts } = this.#frame.symbols;
    for (let node = 0; node < 3 && node <= kind; node++)
      (counts[2 * (places.partition + context + node) + (node < kind ? 1 : 0)] as number)++;
    return kind;
  }

  /** decode_block (6.4.3). */
  #block(place: Place): void {
    const { grid, header } = this.#frame;
    this.#hasLeft = place.column > this.#vectors.tile.from;
    if (header.isIntra) this.#withinPicture(place);
    else this.#betweenPictures(place);
    const isInter = this.#references[0] > 0;
    const hasCoefficients = this.#planes.read({
      place,
      isInter,
      isSkipped: this.#skip === 1,
      transform: this.#transform,
      modes: this.#partModes,
    });
    if (isInter && place.block >= wholeCell && !hasCoefficients) this.#skip = 1;
    const { columns, rows, motion } = grid;
    const right = Math.min(columns, place.column + (wide8[place.block] as number));
    const bottom = Math.min(rows, place.row + (high8[place.block] as number));
    const [first, second] = this.#references;
    const [one, two] = [this.#parts[3] as number, this.#parts[7] as number];
    for (let row = place.row; row < bottom; row++)
      for (let cell = row * columns + place.column, end = row * columns + right; cell < end; cell++) {
        grid.blocks[cell] = place.block;
        grid.modes[cell] = this.#mode;
        grid.skips[cell] = this.#skip;
        grid.transforms[cell] = this.#transform;
        grid.filters[cell] = this.#filter;
        motion.references[2 * cell] = first;
        motion.references[2 * cell + 1] = second;
        motion.vectors[2 * cell] = one;
        motion.vectors[2 * cell + 1] = two;
      }
    if (place.block < wholeCell && isInter) grid.parts.set(this.#parts, 8 * (place.row * columns + place.column));
  }

  /** intra_frame_mode_info (6.4.5). */
  #withinPicture(place: Place): void {
    const { symbols } = this.#frame;
    const { block, row, column } = place;
    this.#segment = this.#segments.within(place);
    this.#readSkip(place);
    this.#readTransform(place, true);
    this.#references = [0, 0];
    this.#filter = noFilter;
    const [above, left] = [this.#modesAbove, this.#modesLeft];
    const [x, y] = [2 * column, 2 * (row & 7)];
    if (block >= wholeCell) {
      this.#mode = symbols.fixed(trees.mode, keyModes, keyModeAt(above[x] as number, left[y] as number));
      above.fill(this.#mode, x, x + 2 * (wide8[block] as number));
      left.fill(this.#mode, y, y + 2 * (high8[block] as number));
      this.#partModes.fill(this.#mode);
    } else
      this.#readParts(block, (part) => {
        const [partX, partY] = [x + (part & 1), y + (part >> 1)];
        const mode = symbols.fixed(trees.mode, keyModes, keyModeAt(above[partX] as number, left[partY] as number));
        above.fill(mode, partX, partX + (wideBits[block] as number) + 1);
        left.fill(mode, partY, partY + (highBits[block] as number) + 1);
        return mode;
      });
    symbols.fixed(trees.mode, keyColourModes, 9 * this.#mode);
  }

  /** Reads the modes of the parts of a cell, some of which stand for the one beside or below them too. */
  #readParts(block: number, read: (part: number) => number): void {
    const [wide, high] = [1 << (wideBits[block] as number), 1 << (highBits[block] as number)];
    for (let y = 0; y < 2; y += high)
      for (let x = 0; x < 2; x += wide) {
        const mode = read(2 * y + x);
        for (let part = 0; part < 4; part++)
          if (part >> 1 >= y && part >> 1 < y + high && (part & 1) >= x && (part & 1) < x + wide)
            this.#partModes[part] = mode;
        this.#mode = mode;
      }
  }

  #readSkip({ row, column }: Place): void {
    const { symbols, segmentation, grid } = this.#frame;
    if (segmentation.isOn && segmentation.skips[this.#segment] === 1) {
      this.#skip = 1;
      return;
    }
    const cell = row * grid.columns + column;
    const above = row > 0 ? (grid.skips[cell - grid.columns] as number) : 0;
    const left = this.#hasLeft ? (grid.skips[cell - 1] as number) : 0;
    this.#skip = symbols.bit(places.skip + above + left);
  }

  /** tx_size (6.4.7 and 9.3.2). */
  #readTransform({ block, row, column }: Place, mayChoose: boolean): void {
    const { symbols, compressed, grid } = this.#frame;
    const largest = largestOf[block] as number;
    if (!mayChoose || !compressed.choosesTransform || block < wholeCell) {
      this.#transform = Math.min(largest, compressed.largest);
      return;
    }
    const cell = row * grid.columns + column;
    const sizeAt = (place: number) => (grid.skips[place] === 1 ? largest : (grid.transforms[place] as number));
    let above = row > 0 ? sizeAt(cell - grid.columns) : largest;
    const left = this.#hasLeft ? sizeAt(cell - 1) : above;
    if (row === 0) above = left;
    const context = above + left > largest ? 1 : 0;
    const at = (transformPlaces[largest] as number) + context * largest;
    let size = 0;
    while (size < largest && symbols.bit(at + size) === 1) size++;
    this.#transform = size;
  }

  /** inter_frame_mode_info (6.4.6). */
  #betweenPictures(place: Place): void {
    const { symbols, segmentation } = this.#frame;
    const neighbours = this.#neighbours(place);
    this.#segment = this.#segments.between(place);
    this.#readSkip(place);
    const told = segmentation.isOn ? (segmentation.references[this.#segment] as number) : -1;
    const isInter = told >= 0 ? told > 0 : symbols.bit(places.isInter + interContext(neighbours)) === 1;
    this.#readTransform(place, this.#skip === 0 || !isInter);
    if (isInter) {
      this.#readReferences(neighbours, told);
      this.#readVectors(place);
      return;
    }
    this.#references = [0, 0];
    this.#filter = noFilter;
    this.#parts.fill(0);
    const group = largestOf[place.block] as number;
    const mode = () => symbols.tree(trees.mode, places.mode + 9 * group);
    if (place.block < wholeCell) this.#readParts(place.block, mode);
    else {
      this.#mode = mode();
      this.#partModes.fill(this.#mode);
    }
    symbols.tree(trees.mode, places.colourMode + 9 * this.#mode);
  }

  #neighbours({ row, column }: Place): Neighbours {
    const { columns, motion } = this.#frame.grid;
    const at = (cell: number) =>
      [motion.references[2 * cell] as number, motion.references[2 * cell + 1] as number] as const;
    const cell = row * columns + column;
    const [hasAbove, hasLeft] = [row > 0, this.#hasLeft];
    return {
      hasAbove,
      hasLeft,
      above: hasAbove ? at(cell - columns) : noReferences,
      left: hasLeft ? at(cell - 1) : noReferences,
    };
  }

  /** read_ref_frames (6.4.17). */
  #readReferences(neighbours: Neighbours, told: number): void {
    const { symbols, compressed } = this.#frame;
    const compounds = this.#compounds;
    if (told > 0) {
      this.#references = [told, 0];
      return;
    }
    const isCompound =
      compressed.references === 'chosen'
        ? symbols.bit(places.compound + compoundContext(neighbours, compounds)) === 1
        : compressed.references === 'compound';
    if (isCompound) {
      const context = compoundReferenceContext(neighbours, compounds);
      const other = symbols.bit(places.compoundReference + context) === 1 ? compounds.second : compounds.first;
      this.#references = compounds.fixedPlace === 0 ? [compounds.fixed, other] : [other, compounds.fixed];
      return;
    }
    let reference = 1;
    if (symbols.bit(places.single + 2 * firstContext(neighbours)) === 1)
      reference = 2 + symbols.bit(places.single + 2 * secondContext(neighbours) + 1);
    this.#references = [reference, 0];
  }

  /** inter_block_mode_info (6.4.16) behind the references. */
  #readVectors(place: Place): void {
    const { symbols, segmentation, header } = this.#frame;
    const vectors = this.#vectors;
    const at = places.interMode + 3 * vectors.context(place);
    const readMode = () => modes.nearest + symbols.tree(trees.interMode, at);
    const isWhole = place.block >= wholeCell;
    if (segmentation.isOn && segmentation.skips[this.#segment] === 1) {
      this.#mode = modes.zero;
      // Smaller blocks cannot be without coefficients by their segment (7.4.16).
      if (!isWhole) vectors.isWrong = true;
    } else if (isWhole) this.#mode = readMode();
    this.#filter = header.isSwitchable ? this.#readFilter(place) : noFilter;
    const count = this.#references[1] > 0 ? 2 : 1;
    this.#parts.fill(0);
    const best = [0, 1].map((which) => {
      const isNeeded = which < count && (!isWhole || this.#mode !== modes.zero);
      return isNeeded ? vectors.candidates(place, this.#references[which] as number, -1) : ([0, 0] as const);
    });
    const rounded = best.map(([nearest, near]) => [vectors.rounded(nearest), vectors.rounded(near)] as const);
    const vectorFor = (which: number, mode: number, [nearest, near]: readonly [number, number]) => {
      if (mode === modes.fresh) return vectors.read(rounded[which]?.[0] ?? 0);
      if (mode === modes.zero) return 0;
      return mode === modes.nearest ? nearest : near;
    };
    if (isWhole) {
      for (let which = 0; which < count; which++)
        this.#parts.fill(vectorFor(which, this.#mode, rounded[which] ?? [0, 0]), 4 * which, 4 * which + 4);
      return;
    }
    this.#readParts(place.block, (part) => {
      const mode = readMode();
      for (let which = 0; which < count; which++) {
        const own = isCandidate(mode)
          ? vectors.candidates(place, this.#references[which] as number, part)
          : ([0, 0] as [number, number]);
        const value = vectorFor(which, mode, partCandidates(part, own, this.#parts, 4 * which));
        this.#spread(place.block, part, which, value);
      }
      return mode;
    });
  }

  /** Sets the vector of a part, and of those that it stands for. */
  #spread(block: number, part: number, which: number, value: number): void {
    const [wide, high] = [wideBits[block] as number, highBits[block] as number];
    for (const other of [part, part + wide, part + 2 * high, part + wide + 2 * high])
      this.#parts[4 * which + other] = value;
  }

  /** interp_filter (9.3.2). */
  #readFilter({ row, column }: Place): number {
    const { symbols, grid } = this.#frame;
    const cell = row * grid.columns + column;
    const above = row > 0 ? (grid.filters[cell - grid.columns] as number) : noFilter;
    const left = this.#hasLeft ? (grid.filters[cell - 1] as number) : noFilter;
    const context = left === above || above === noFilter ? left : left === noFilter ? above : noFilter;
    return symbols.tree(trees.filter, places.filter + 2 * context);
  }
}

/** Where the probabilities of a mode begin, by those above and to the left (default_intra_mode, 9.3.2). */
const keyModeAt = (above: number, left: number): number => 9 * (10 * above + left);
