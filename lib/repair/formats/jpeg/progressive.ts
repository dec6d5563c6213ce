import { BandReader } from '../../codecs/jpeg/bands';
import type { Frame } from '../../codecs/jpeg/frame';
import { type Layout, layoutFor } from '../../codecs/jpeg/layout';
import { LenientReader } from '../../codecs/jpeg/lenient';
import { decoderTable, type HuffmanSpec } from '../../codecs/jpeg/tables';
import type { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import { betterFrom, betterUntil, fitSums } from './blockcosts';
import { blockPlace, ownBlock, type Plane } from './planes';
import type { Scan } from './scans';
import { splitStretches } from './stretches';

/** Errors after which a scan is taken for none. */
const mostErrors = 5000;

/** What became of one scan: blocks it should hold, and those whose part of it could be read. */
export type ScanResult = { sound: boolean; blocks: number; read: number };

/** Bits before an error in which the damage is looked for, and behind one until codes are read in step again. */
const caution = 6000;
/** Blocks that must be read to the end of the data without an error before their count from the end is trusted. */
const trustedBlocks = 500;

/** How many blocks begin before a bit of the data. */
function lastBefore(starts: Uint32Array, count: number, bit: number): number {
  let at = count;
  while (at > 0 && (starts[at] ?? 0) > bit) at--;
  return at;
}

/** The first block from `from` on that begins behind a bit of the data. */
function firstBehind(starts: Uint32Array, from: number, count: number, bit: number): number {
  let at = from;
  while (at < count && (starts[at] ?? 0) < bit) at++;
  return at;
}

/** The coefficients of a plane with the blocks of a band that decoders show, where the data ends with the last of them: then they are in step. */
function readInStep(
  data: Buffer,
  spec: HuffmanSpec | undefined,
  scan: Scan,
  { coefficients, ...plane }: Plane,
  from: number,
  to: number,
): Int16Array | null {
  if (!spec) return null;
  const { full } = decoderTable(spec);
  const reader = new LenientReader(data, scan);
  for (let block = from; block < to && !reader.isOver; block++)
    reader.block(full, coefficients, ownBlock({ ...plane, coefficients }, block));
  return reader.isAtEnd ? coefficients : null;
}

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
  }

  /** Reads one scan of one component; scans of DC values and of unknown components count as read. */
  read(scan: Scan): ScanResult {
    if (scan.from === 0) return this.#refineDc(scan);
    const component = this.#frame.components.findIndex(({ id }) => id === scan.components[0]?.id);
    const plane = this.#planes[component];
    if (!plane || scan.components.length !== 1) return { sound: true, blocks: 0, read: 0 };
    const blocks = plane.ownAcross * plane.ownDown;
    const spec = scan.huffman.get(0x10 | (scan.components[0]?.ac ?? 0));
    const stretches = splitStretches(this.#bytes, scan.start, scan.end, scan.interval > 0);
    let done = 0;
    let read = 0;
    let sound = true;
    for (const [index, { data }] of stretches.entries()) {
      this.#deadline.check();
      const last = index === stretches.length - 1;
      const to = scan.interval > 0 && !last ? Math.min(blocks, done + scan.interval) : blocks;
      const reader = new BandReader(data, spec, scan);
      const before = plane.coefficients.slice();
      let result =
        scan.high === 0
          ? this.#first(reader, plane, done, to, scan, component)
          : this.#refine(reader, plane, done, to, component);
      const inStep = result.sound ? null : readInStep(data, spec, scan, { ...plane, coefficients: before }, done, to);
      if (inStep) {
        plane.coefficients.set(inStep);
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

  /**
   * The first scan of a band. What is read from the front holds up to the damage; what is read behind it is counted from the end. An
   * error shows soon behind the damage, counted in bits, for one wrong code can skip thousands of blocks; how blocks fit to their
   * neighbours with and without the band moves these borders where it tells more.
   */
  #first(reader: BandReader, plane: Plane, from: number, to: number, scan: Scan, component: number) {
    const length = scan.to - scan.from + 1;
    const blocks = to - from;
    // Damage can make blocks out of nothing: some more than there are may be read before the end of the data.
    const most = Math.ceil(blocks * 1.25);
    const bands = new Int16Array(most * length);
    const starts = new Uint32Array(most + 1);
    const scratch = new Int16Array(64);
    let [count, piece, errors] = [0, 0, 0];
    let front = -1;
    while (
      !reader.finished() &&
      (reader.pending > 0 || reader.position < reader.end) &&
      errors < mostErrors &&
      count < (errors > 0 ? most : blocks)
    ) {
      const start = reader.position;
      scratch.fill(0);
      starts[count] = start;
      if (reader.first(scratch, 0)) {
        bands.set(scratch.subarray(scan.from, scan.to + 1), count++ * length);
        continue;
      }
      errors++;
      if (front < 0) front = count;
      piece = count;
      reader.pending = 0;
      reader.position = Math.max(reader.position, start + 1);
    }
    starts[count] = reader.position;
    const sound = errors === 0 && count === blocks && reader.nearlyFinished();
    if (front < 0) front = count;
    const put = (block: number, index: number) =>
      plane.coefficients.set(
        bands.subarray(index * length, (index + 1) * length),
        ownBlock(plane, from + block) + scan.from,
      );
    if (sound || from > 0 || to < plane.ownAcross * plane.ownDown) {
      for (let block = 0; block < Math.min(front, blocks); block++) put(block, block);
      return { sound, read: front };
    }
    const shift = blocks - count;
    const own = new Int16Array(64);
    const source = (index: (block: number) => number) => (block: number) => {
      const at = ownBlock(plane, block);
      own.set(plane.coefficients.subarray(at, at + 64));
      const number = index(block);
      if (number >= 0) own.set(bands.subarray(number * length, (number + 1) * length), scan.from);
      return own;
    };
    const table = this.#tables[component] ?? new Uint16Array(64).fill(1);
    const none = fitSums(
      plane,
      table,
      blocks,
      source(() => -1),
    );
    const ahead = fitSums(
      plane,
      table,
      blocks,
      source((block) => (block < front ? block : -1)),
    );
    // Data that only ends too early was right up to its end.
    const surely = errors === 0 ? front : lastBefore(starts, front, (starts[front] ?? 0) - caution);
    const until = Math.max(Math.min(surely, blocks), betterUntil(ahead, none, Math.min(front, blocks)));
    const first = Math.max(0, piece + shift);
    const behind = fitSums(
      plane,
      table,
      blocks,
      source((block) => (block >= first ? block - shift : -1)),
    );
    const ended = errors > 0 && reader.nearlyFinished() && count - piece > trustedBlocks;
    const again = ended ? firstBehind(starts, piece, count, (starts[piece] ?? 0) + caution) + shift : blocks;
    const since = Math.max(Math.min(again, betterFrom(behind, none, first)), until);
    for (let block = 0; block < until; block++) put(block, block);
    for (let block = since; block < blocks; block++) put(block, block - shift);
    return { sound: false, read: until };
  }

  /** A scan that refines a band can only be read where everything before it was; what it spoils behind damage is taken back. */
  #refine(reader: BandReader, plane: Plane, from: number, to: number, component: number) {
    const until = Math.min(to, Math.max(from, this.#reliable[component] ?? to));
    const before = plane.coefficients.slice();
    let block = from;
    for (; block < until; block++) {
      if (reader.finished() || !reader.refine(plane.coefficients, ownBlock(plane, block))) break;
    }
    const complete = block >= to && reader.nearlyFinished();
    if (complete || (block >= until && until < to)) return { sound: complete, read: block - from };
    // Data that is cut off was right up to there. Else only the fit of the blocks can tell, but an error shows soon behind the damage.
    let keep = block;
    if (block >= to || reader.position < reader.end) {
      const surely = block < to ? Math.max(from, block - Math.max(200, plane.ownAcross * 4)) : from;
      const table = this.#tables[component] ?? new Uint16Array(64).fill(1);
      const part = (coefficients: Int16Array) => (number: number) => {
        const at = ownBlock(plane, number);
        return coefficients.subarray(at, at + 64);
      };
      const refined = fitSums(plane, table, to, part(plane.coefficients));
      keep = Math.max(surely, betterUntil(refined, fitSums(plane, table, to, part(before)), block));
    }
    for (let undo = keep; undo < to; undo++) {
      const at = ownBlock(plane, undo);
      plane.coefficients.set(before.subarray(at, at + 64), at);
    }
    return { sound: false, read: keep - from };
  }

  /** One more bit of every DC value (G.1.2.1); damage moves these bits by little and is not worth dropping them. */
  #refineDc(scan: Scan): ScanResult {
    if (scan.high === 0) return { sound: true, blocks: 0, read: 0 };
    const stretches = splitStretches(this.#bytes, scan.start, scan.end, scan.interval > 0);
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
