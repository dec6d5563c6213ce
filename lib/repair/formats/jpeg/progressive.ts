import { BandReader } from '../../codecs/jpeg/bands';
import type { Frame } from '../../codecs/jpeg/frame';
import { type Layout, layoutFor } from '../../codecs/jpeg/layout';
import { LenientReader } from '../../codecs/jpeg/lenient';
import { decoderTable, type HuffmanSpec } from '../../codecs/jpeg/tables';
import type { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import { settleBand } from './bandborders';
import { readBand } from './bandread';
import { fitSums, likeBefore } from './blockcosts';
import { blockPlace, copyBlocks, ownBlock, type Plane } from './planes';
import type { Scan } from './scans';
import { restartsOf, splitStretches } from './stretches';
import { zeroesIn } from './zeroes';

/** What became of one scan: blocks it should hold, and those whose part of it could be read. */
export type ScanResult = { sound: boolean; blocks: number; read: number };

/** Blocks, and rows of them, behind damage in which a pass that adds a bit shows an error. */
const mostBehind = { blocks: 200, rows: 4 };

/** Puts the blocks of a band into a plane as decoders show them; whether the data ends with the last of them: then they are in step. */
function readInStep(
  data: Buffer,
  spec: HuffmanSpec | undefined,
  scan: Scan,
  plane: Plane,
  from: number,
  to: number,
): boolean {
  if (!spec) return false;
  const { full } = decoderTable(spec);
  const reader = new LenientReader(data, scan);
  for (let block = from; block < to && !reader.isOver; block++)
    reader.block(full, plane.coefficients, ownBlock(plane, block));
  return reader.isAtEnd;
}

/** How often all blocks may be held against their neighbours, to see up to where a pass is right: files have some ten passes. */
const mostFits = 24;

/** Reads all AC scans into the planes, each as far as it can be read; later scans of a band end where an earlier one did. */
export class BandScans {
  readonly #bytes: Buffer;
  readonly #frame: Frame;
  readonly #planes: readonly Plane[];
  readonly #tables: readonly Uint16Array[];
  readonly #deadline: Deadline;
  readonly #layout: Layout;
  /** Blocks of each component from which on a band's first scan cannot be relied on. */
  readonly #reliable: number[];
  /** What each plane held before the scan that is read. */
  readonly #before = new Map<Plane, Int16Array>();
  /** Blocks that may still be held against their neighbours. */
  #fits: number;

  constructor(
    bytes: Buffer,
    frame: Frame,
    planes: readonly Plane[],
    tables: readonly Uint16Array[],
    deadline: Deadline,
  ) {
    this.#tables = tables;
    this.#bytes = bytes;
    this.#frame = frame;
    this.#planes = planes;
    this.#deadline = deadline;
    this.#layout = layoutFor(frame);
    this.#reliable = planes.map(({ ownAcross, ownDown }) => ownAcross * ownDown);
    this.#fits = this.#reliable.reduce((sum, blocks) => sum + blocks, 0) * mostFits;
  }

  /** Reads one scan of one component; scans of DC values and of unknown components count as read. */
  read(scan: Scan): ScanResult {
    if (scan.from === 0) return this.#refineDc(scan);
    const component = this.#frame.components.findIndex(({ id }) => id === scan.components[0]?.id);
    const plane = this.#planes[component];
    if (!plane || scan.components.length !== 1) return { sound: true, blocks: 0, read: 0 };
    const blocks = plane.ownAcross * plane.ownDown;
    const spec = scan.huffman.get(0x10 | (scan.components[0]?.ac ?? 0));
    const stretches = splitStretches(this.#bytes, scan.start, scan.end, restartsOf(scan.interval > 0, blocks));
    let done = 0;
    let read = 0;
    let sound = true;
    for (const [index, { data }] of stretches.entries()) {
      this.#deadline.check();
      const last = index === stretches.length - 1;
      const to = scan.interval > 0 && !last ? Math.min(blocks, done + scan.interval) : blocks;
      const reader = new BandReader(data, spec, scan);
      const before = this.#beforeOf(plane, done, to);
      let result =
        scan.high === 0
          ? this.#first(reader, plane, done, to, scan, component)
          : this.#refine(reader, plane, before, done, to, component);
      const inStep = !result.sound && readInStep(data, spec, scan, { ...plane, coefficients: before }, done, to);
      if (inStep) {
        copyBlocks(plane, before, plane.coefficients, done, to);
        result = { sound: false, read: to - done };
      }
      if (!result.sound && !inStep && scan.high === 0)
        this.#reliable[component] = Math.min(this.#reliable[component] ?? blocks, done + result.read);
      sound &&= result.sound;
      read += result.read;
      done = to;
    }
    return { sound, blocks, read };
  }

  /** The coefficients of a plane as they are, for blocks [from, to) alone; they are kept until the next call. */
  #beforeOf(plane: Plane, from: number, to: number): Int16Array {
    const before = this.#before.get(plane) ?? new Int16Array(plane.coefficients.length);
    this.#before.set(plane, before);
    copyBlocks(plane, plane.coefficients, before, from, to);
    return before;
  }

  /**
   * The first scan of a band. What is read from the front holds up to the damage; what is read behind it is counted from the end. An
   * error shows soon behind the damage, counted in bits, for one wrong code can skip thousands of blocks; how blocks fit to their
   * neighbours with and without the band moves these borders where it tells more.
   */
  #first(reader: BandReader, plane: Plane, from: number, to: number, scan: Scan, component: number) {
    const blocks = to - from;
    const read = readBand(reader, blocks, scan);
    const { bands, length, front, count } = read;
    const put = (block: number, index: number) =>
      plane.coefficients.set(
        bands.subarray(index * length, (index + 1) * length),
        ownBlock(plane, from + block) + scan.from,
      );
    const isPart = from > 0 || to < plane.ownAcross * plane.ownDown;
    if (!read.sound && !isPart) this.#fits -= blocks * 3;
    if (read.sound || isPart || this.#fits < 0) {
      for (let block = 0; block < Math.min(front, blocks); block++) put(block, block);
      return { sound: read.sound, read: Math.min(front, blocks) };
    }
    const shift = blocks - count;
    const table = this.#tables[component] ?? new Uint16Array(64).fill(1);
    const { until, since } = settleBand(read, plane, table, scan.from, reader.nearlyFinished());
    for (let block = 0; block < until; block++) put(block, block);
    for (let block = since; block < blocks; block++) put(block, block - shift);
    return { sound: false, read: until };
  }

  /**
   * A scan that refines a band can only be read where everything before it was; what it spoils behind damage is taken back, and so are the scans
   * behind it there.
   */
  #refine(reader: BandReader, plane: Plane, before: Int16Array, from: number, to: number, component: number) {
    const until = Math.min(to, Math.max(from, this.#reliable[component] ?? to));
    const hole = zeroesIn(reader.data)[0];
    let wiped = Number.POSITIVE_INFINITY;
    let block = from;
    for (; block < until; block++) {
      if (reader.finished() || !reader.refine(plane.coefficients, ownBlock(plane, block))) break;
      if (hole && reader.position > hole.from * 8) wiped = Math.min(wiped, block);
    }
    const complete = block >= to && reader.nearlyFinished();
    if (complete || (block >= until && until < to && wiped >= until)) return { sound: complete, read: block - from };
    // Data that is cut off was right up to there, and so is what comes before zeroes. Else only the fit of the blocks can tell.
    let keep = Math.min(block, wiped);
    if (wiped > block && (block >= to || reader.position < reader.end))
      keep = this.#betterUntil(plane, before, { from, block, to }, component);
    copyBlocks(plane, before, plane.coefficients, keep, to);
    // Between restart markers each part is read for itself.
    if (from === 0 && to === plane.ownAcross * plane.ownDown)
      this.#reliable[component] = Math.min(this.#reliable[component] ?? to, keep);
    return { sound: false, read: keep - from };
  }

  /**
   * Up to which block a pass that breaks at `block` fits better than what was there before it. An error shows soon behind the damage; in a picture
   * that is rougher the finer it gets, by no more than it does before that.
   */
  #betterUntil(
    plane: Plane,
    before: Int16Array,
    { from, block, to }: { from: number; block: number; to: number },
    component: number,
  ): number {
    const surely =
      block < to ? Math.max(from, block - Math.max(mostBehind.blocks, plane.ownAcross * mostBehind.rows)) : from;
    this.#fits -= to * 2;
    if (this.#fits < 0) return surely;
    const table = this.#tables[component] ?? new Uint16Array(64).fill(1);
    const part = (coefficients: Int16Array) => (number: number) => {
      const at = ownBlock(plane, number);
      return (number < from ? plane.coefficients : coefficients).subarray(at, at + 64);
    };
    const refined = fitSums(plane, table, to, part(plane.coefficients));
    const plain = fitSums(plane, table, to, part(before));
    return Math.max(surely, likeBefore(refined, plain, Math.max(surely, block >> 2), block));
  }

  /** One more bit of every DC value (G.1.2.1); damage moves these bits by little and is not worth dropping them. */
  #refineDc(scan: Scan): ScanResult {
    if (scan.high === 0) return { sound: true, blocks: 0, read: 0 };
    const stretches = splitStretches(
      this.#bytes,
      scan.start,
      scan.end,
      restartsOf(scan.interval > 0, this.#units(scan)),
    );
    const places = this.#dcPlaces(scan);
    const per = scan.interval > 0 ? scan.interval * (places.length / Math.max(1, this.#units(scan))) : places.length;
    let sound = true;
    let read = 0;
    for (const [index, { data }] of stretches.entries()) {
      const from = index * per;
      const count = Math.min(per, places.length - from);
      if (count > 0 && data.length * 8 < count) sound = false;
      for (let block = 0; block < Math.min(count, data.length * 8); block++) {
        const { plane, at } = places[from + block] ?? {};
        read++;
        if (plane && at !== undefined && ((data[block >> 3] ?? 0) >> (7 - (block & 7))) & 1)
          plane.coefficients[at] = (plane.coefficients[at] ?? 0) | (1 << scan.low);
      }
    }
    return { sound: sound && read >= places.length, blocks: places.length, read };
  }

  #units(scan: Scan): number {
    const plane = this.#planes[this.#frame.components.findIndex(({ id }) => id === scan.components[0]?.id)];
    return scan.components.length > 1 ? this.#layout.total : (plane?.ownAcross ?? 1) * (plane?.ownDown ?? 1);
  }

  /** The blocks of a DC scan in its order: interleaved by MCU, or one component row by row. */
  #dcPlaces(scan: Scan): { plane: Plane; at: number }[] {
    const places: { plane: Plane; at: number }[] = [];
    if (scan.components.length === 1) {
      const plane = this.#planes[this.#frame.components.findIndex(({ id }) => id === scan.components[0]?.id)];
      if (!plane) return places;
      for (let block = 0; block < plane.ownAcross * plane.ownDown; block++)
        places.push({ plane, at: ownBlock(plane, block) });
      return places;
    }
    for (let mcu = 0; mcu < this.#layout.total; mcu++)
      for (const block of this.#layout.blocks) {
        const plane = this.#planes[block.component];
        if (plane) places.push({ plane, at: blockPlace(this.#layout, plane, mcu, block) });
      }
    return places;
  }
}
