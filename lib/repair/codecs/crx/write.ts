import { Buffer } from '../../host/bytes';
import { codeAhead, escaped, median, nextParameter, Runs } from './codes';

/** Packed data is filled up to whole words of this many bytes. */
const wordBytes = 8;

/** Zeros that are written at once, of the many before a large value. */
const zerosAtOnce = 16;

/** Bits that are written, most significant first. */
class PackedBits {
  #bytes = Buffer.alloc(1 << 16);
  #length = 0;
  #held = 0;
  #count = 0;

  /** Writes up to 21 bits. */
  put(value: number, count: number): void {
    this.#held = (this.#held << count) | value;
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#byte(this.#held >>> this.#count);
      this.#held &= (1 << this.#count) - 1;
    }
  }

  #byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#length)]);
    this.#bytes[this.#length++] = value & 0xff;
  }

  /** What was written, up to a whole byte. */
  done(): Buffer {
    if (this.#count > 0) this.put(0, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Packs lines of one band. */
class CrxPacker {
  readonly bits = new PackedBits();
  readonly #width: number;
  readonly #runs = new Runs();
  #parameter = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /** Packs a line under the one above it; the first line stands under zeros. Both have a value more on each side, which is written here. */
  add(line: Int32Array, above: Int32Array, isFirst: boolean): void {
    line[0] = isFirst ? 0 : (above[1] ?? 0);
    for (let column = 0; column < this.#width; column++) {
      const run = this.#isFlat(line, above, column) ? this.#lengthOf(line, column) : null;
      if (run !== null) this.#putRun(run, this.#width - column);
      column += run ?? 0;
      if (column < this.#width) this.#putValue(line, above, column, isFirst, run !== null);
    }
    line[this.#width + 1] = (line[this.#width] ?? 0) + 1;
  }

  #isFlat(line: Int32Array, above: Int32Array, column: number): boolean {
    // Above the first line stand zeros.
    const left = line[column];
    return left === above[column + 1] && left === above[column + 2] && column < this.#width - 1;
  }

  #lengthOf(line: Int32Array, column: number): number {
    let run = 0;
    while (column + run < this.#width && line[column + run + 1] === line[column]) run++;
    return run;
  }

  #putRun(run: number, left: number): void {
    this.bits.put(run > 0 ? 1 : 0, 1);
    if (run === 0) return;
    let told = 1;
    while (run === left || told + this.#runs.step <= run) {
      this.bits.put(1, 1);
      told += this.#runs.step;
      if (told > left) return;
      this.#runs.longer();
      if (told === left) return;
    }
    this.bits.put(0, 1);
    this.bits.put(run - told, this.#runs.leftBits);
    this.#runs.shorter();
  }

  #putValue(line: Int32Array, above: Int32Array, column: number, isFirst: boolean, isBehindRun: boolean): void {
    const left = line[column] ?? 0;
    const up = above[column + 1] ?? 0;
    let foretold = isFirst ? left : up;
    if (!isFirst && !isBehindRun) foretold = median(left, up, above[column] ?? 0);
    const difference = (line[column + 1] ?? 0) - foretold;
    const code = difference < 0 ? -2 * difference - 1 : 2 * difference;
    this.#putCode(code);
    const isAlone = isFirst || column === this.#width - 1;
    this.#parameter = nextParameter(this.#parameter, isAlone ? code : codeAhead(code, above, column));
  }

  #putCode(code: number): void {
    const zeros = Math.min(escaped.zeros, code >>> this.#parameter);
    for (let left = zeros; left > 0; left -= zerosAtOnce) this.bits.put(0, Math.min(left, zerosAtOnce));
    this.bits.put(1, 1);
    if (zeros === escaped.zeros) this.bits.put(code, escaped.bits);
    else this.bits.put(code & ((1 << this.#parameter) - 1), this.#parameter);
  }
}

/** Packs the values of a plane, line after line, each a number around zero. `unused` bytes at the end fill up a word. */
export function writeCrx(
  values: Int16Array,
  width: number,
  check: () => void = () => {},
): { data: Buffer; unused: number } {
  const packer = new CrxPacker(width);
  let [line, above] = [new Int32Array(width + 2), new Int32Array(width + 2)];
  for (let at = 0; at < values.length; at += width) {
    check();
    [above, line] = [line, above];
    line.set(values.subarray(at, at + width), 1);
    packer.add(line, above, at === 0);
  }
  const packed = packer.bits.done();
  const unused = (wordBytes - (packed.length % wordBytes)) % wordBytes;
  return { data: Buffer.concat([packed, Buffer.alloc(unused)]), unused };
}

/** A plane to write headers for. */
type Packed = { data: Buffer; unused: number };

/** Bytes of a header. */
const headerBytes = 12;
/** Flags of a plane whose lines follow from those above, of a band that is used. */
const flags = { plane: 8, band: 8 } as const;

function header(mark: number, bytes: number, told: number): Buffer {
  const head = Buffer.alloc(headerBytes);
  head.writeUInt16BE(mark, 0);
  head.writeUInt16BE(headerBytes - 4, 2);
  head.writeUInt32BE(bytes, 4);
  head.writeUInt32BE(told, 8);
  return head;
}

/** The headers of tiles whose planes were packed here, as older cameras write them: of the tile, of each plane, and of its only band. */
export function crxHeaders(tiles: readonly (readonly Packed[])[]): Buffer {
  const heads: Buffer[] = [];
  for (const [tile, planes] of tiles.entries()) {
    const sum = planes.reduce((total, { data }) => total + data.length, 0);
    heads.push(header(0xff01, sum, tile << 16));
    for (const [index, { data, unused }] of planes.entries()) {
      heads.push(header(0xff02, data.length, ((index << 4) | flags.plane) * 2 ** 24));
      heads.push(header(0xff03, data.length, flags.band * 2 ** 24 + unused));
    }
  }
  return Buffer.concat(heads);
}
