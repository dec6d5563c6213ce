import { Buffer } from '../../host/bytes';
import { BitReader } from '../bits';
import type { PictureReader } from '../pictures';
import type { CodedStart, SliceEnd } from '../slices';
import type { WordSymbols } from '../symbols';
import { codes, type LayerFields, type PlaneFields, planeTypes, readPlaneFields, skipClock } from './header';
import { Macroblocks } from './macroblocks';

/** Zeroes of a marker before vectors of the smallest reach are counted in (ISO/IEC 14496-2, 6.3.5.2). */
const markerZeroes = 15;

const noPlane: PlaneFields = {
  ...{ vop_coding_type: 0, vop_coded: false, dcUntil: 0, quantiser: 1, vop_fcode_forward: 1, vop_fcode_backward: 1 },
  body: 0,
};

/** Reads planes of one layer down to their last coefficient (6.2.5). */
export class PlaneReader implements PictureReader<PlaneFields, CodedStart> {
  readonly #layer: LayerFields;
  readonly #macroblocks = new Macroblocks();
  readonly #blocks: number;
  readonly #numberBits: number;
  /** Macroblocks that the reference plane read last left out: those between planes are left out as well (6.2.6). Null where it could not be read. */
  #reference: Uint8Array | null = null;
  #skipped: Uint8Array;
  #unit: Buffer = Buffer.alloc(0);
  #plane: PlaneFields = noPlane;

  constructor(layer: LayerFields) {
    this.#layer = layer;
    this.#blocks = Math.ceil(layer.width / 16) * Math.ceil(layer.height / 16);
    this.#numberBits = Math.max(1, 32 - Math.clz32(this.#blocks - 1));
    this.#skipped = new Uint8Array(this.#blocks);
  }

  head(unit: Buffer, before?: PlaneFields): PlaneFields | null {
    const fields = readPlaneFields(unit, this.#layer);
    return fields && before ? { ...fields, left: before.left ?? null } : fields;
  }

  isPicture(unit: Buffer): boolean {
    return unit[0] === codes.plane;
  }

  rank({ vop_coding_type: type }: PlaneFields): number {
    return type === planeTypes.intra ? 0 : type === planeTypes.between ? 2 : 1;
  }

  isReadable(fields: PlaneFields): boolean {
    const { vop_coding_type: type, vop_coded } = fields;
    if (type === planeTypes.sprite) this.#reference = null;
    if (type !== planeTypes.between) return vop_coded && type !== planeTypes.sprite;
    if (fields.left === undefined) fields.left = this.#reference;
    return vop_coded && fields.left !== null;
  }

  read(unit: Buffer, fields: PlaneFields, starts?: CodedStart[]): SliceEnd {
    const isBetween = fields.vop_coding_type === planeTypes.between;
    this.#skipped = (isBetween && fields.left) || new Uint8Array(this.#blocks);
    this.#unit = unit;
    this.#plane = fields;
    this.#macroblocks.start(unit, fields, this.#layer.interlaced);
    const end = this.#run(0, starts);
    if (!isBetween) this.#reference = end.whole ? this.#skipped : null;
    return end;
  }

  watch(symbols: WordSymbols | null): void {
    this.#macroblocks.bits.symbols = symbols;
  }

  readFrom({ block, at, quantiser }: CodedStart, isKnown: (start: CodedStart) => boolean): SliceEnd {
    const { bits } = this.#macroblocks;
    bits.at = at;
    bits.failed = false;
    this.#macroblocks.quantiser = quantiser;
    return this.#run(block, undefined, isKnown);
  }

  #run(from: number, starts?: CodedStart[], isKnown?: (start: CodedStart) => boolean): SliceEnd {
    const macroblocks = this.#macroblocks;
    const { bits } = macroblocks;
    const isPredicted = this.#plane.vop_coding_type === planeTypes.predicted;
    for (let block = from; block < this.#blocks; block++) {
      if (this.#isLeftOut(block)) continue;
      const start = { block, at: bits.at, quantiser: macroblocks.quantiser };
      starts?.push(start);
      if (block > from && isKnown?.(start)) return { whole: false, block, position: bits.at };
      if (block > 0 && !this.#layer.resync_marker_disable && this.#isAtMarker()) this.#packet(block);
      const isSkipped = macroblocks.read();
      if (isPredicted) this.#skipped[block] = isSkipped ? 1 : 0;
      if (bits.failed || bits.at > bits.end) return { whole: false, block, position: bits.at };
    }
    return { whole: macroblocks.isFilled && bits.end - bits.at <= 8, block: this.#blocks, position: bits.at };
  }

  /** Whether a macroblock between planes has no bits, since the plane behind it left its own out (6.2.6). */
  #isLeftOut(block: number): boolean {
    return this.#plane.vop_coding_type === planeTypes.between && this.#skipped[block] === 1;
  }

  /** Zeroes of a marker before its one. */
  get #zeroes(): number {
    const { vop_coding_type: type, vop_fcode_forward: forward, vop_fcode_backward: backward } = this.#plane;
    if (type === planeTypes.intra) return markerZeroes + 1;
    return markerZeroes + (type === planeTypes.between ? Math.max(forward, backward, 2) : forward);
  }

  /** Whether a marker stands here, behind what fills the byte up (6.3.5.2). */
  #isAtMarker(): boolean {
    if (!this.#macroblocks.isFilled) return false;
    const { bits } = this.#macroblocks;
    const at = bits.at;
    bits.at = (at & ~7) + 8;
    const isMarker = bits.peek(this.#zeroes + 1) === 1;
    bits.at = at;
    return isMarker;
  }

  /** Passes over a marker and the header of the packet that it begins (6.2.5.2). */
  #packet(block: number): void {
    const { bits } = this.#macroblocks;
    bits.at = (bits.at & ~7) + 8 + this.#zeroes + 1;
    let number = bits.take(this.#numberBits);
    while (number < block && this.#isLeftOut(number)) number++;
    const quantiser = bits.take(5);
    if (number !== block || quantiser === 0) bits.failed = true;
    this.#macroblocks.quantiser = quantiser;
    if (bits.take(1) === 0) return;
    // The plane's head once more.
    const head = new BitReader(this.#unit);
    head.skip(bits.at);
    const hasClock = skipClock(head, this.#layer.clockBits);
    const type = head.take(2);
    head.skip(3);
    if (type !== planeTypes.intra) head.skip(3);
    if (type === planeTypes.between) head.skip(3);
    if (!hasClock || type !== this.#plane.vop_coding_type) bits.failed = true;
    bits.at = head.position;
  }
}
