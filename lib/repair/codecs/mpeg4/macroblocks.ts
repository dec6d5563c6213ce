import { BlockBits } from './bits';
import { type PlaneFields, planeTypes } from './header';
import {
  cbpy,
  dcSizes,
  dquant,
  interCoefficients,
  intraCoefficients,
  mcbpc,
  mcbpcPredicted,
  stepped,
  stuffing,
  types,
  vectors,
} from './tables';

/** Largest size of differences of DC that no marker follows. */
const unmarkedSize = 8;
/** Blocks of a macroblock, and those of luma. */
const [blocksEach, lumaEach] = [6, 4];

/** What is needed of a plane for reading its macroblocks. */
type PlaneCoding = Pick<PlaneFields, 'vop_coding_type' | 'dcUntil' | 'vop_fcode_forward' | 'vop_fcode_backward'>;

/** Reads macroblocks of planes without any shape (ISO/IEC 14496-2, 6.2.6, 6.2.7); its state is the place in the bits, and the quantiser. */
export class Macroblocks {
  readonly bits = new BlockBits();
  quantiser = 1;
  #plane: PlaneCoding = { vop_coding_type: 0, dcUntil: 0, vop_fcode_forward: 1, vop_fcode_backward: 1 };
  #interlaced = false;

  start(unit: Uint8Array, plane: PlaneCoding & { body: number; quantiser: number }, interlaced: boolean): void {
    this.bits.start(unit, plane.body);
    this.quantiser = plane.quantiser;
    this.#plane = plane;
    this.#interlaced = interlaced;
  }

  /** Reads one macroblock; true where it was left out, with no more than a bit that says so. */
  read(): boolean {
    const type = this.#plane.vop_coding_type;
    if (type === planeTypes.predicted) return this.#predicted();
    if (type === planeTypes.between) this.#between();
    else {
      let word = this.bits.find(mcbpc);
      while (word === stuffing && !this.bits.failed) word = this.bits.find(mcbpc);
      this.#intra(word & 3, word > 3);
    }
    return false;
  }

  #predicted(): boolean {
    const bits = this.bits;
    let word = 0;
    do {
      if (bits.take(1) === 1) return true;
      word = bits.find(mcbpcPredicted);
    } while (word >> 2 === types.stuffing && !bits.failed);
    const kind = word >> 2;
    if (kind > types.interOfFour) bits.failed = true;
    if (bits.failed) return false;
    if (kind === types.intra || kind === types.intraQuant) this.#intra(word & 3, kind === types.intraQuant);
    else this.#inter(word & 3, kind);
    return false;
  }

  #intra(colours: number, hasQuantiser: boolean): void {
    const bits = this.bits;
    bits.at++;
    const pattern = (bits.find(cbpy) << 2) | colours;
    const isDc = this.quantiser < this.#plane.dcUntil;
    if (hasQuantiser) this.quantiser = dquant(this.quantiser, bits.take(2));
    if (this.#interlaced) bits.at++;
    for (let block = 0; block < blocksEach && !bits.failed; block++) {
      if (isDc) this.#dc(block);
      if (pattern & (32 >> block)) bits.block(intraCoefficients, isDc ? 1 : 0, 'mpeg4');
    }
  }

  #dc(block: number): void {
    const bits = this.bits;
    const size = bits.find(block < lumaEach ? dcSizes.luma : dcSizes.colour);
    bits.at += size;
    if (size > unmarkedSize && bits.take(1) === 0) bits.failed = true;
  }

  #inter(colours: number, kind: number): void {
    const bits = this.bits;
    const pattern = ((15 ^ bits.find(cbpy)) << 2) | colours;
    if (kind === types.interQuant) this.quantiser = dquant(this.quantiser, bits.take(2));
    let count = kind === types.interOfFour ? 4 : 1;
    if (this.#interlaced) {
      if (pattern !== 0) bits.at++;
      if (kind !== types.interOfFour && bits.take(1) === 1) {
        // Which field each of the two vectors refers to.
        bits.at += 2;
        count = 2;
      }
    }
    this.#vectors(count, this.#plane.vop_fcode_forward);
    this.#residuals(pattern);
  }

  #residuals(pattern: number): void {
    for (let block = 0; block < blocksEach && !this.bits.failed; block++)
      if (pattern & (32 >> block)) this.bits.block(interCoefficients, 0, 'mpeg4');
  }

  #vectors(count: number, reach: number): void {
    const bits = this.bits;
    for (let part = count * 2; part > 0 && !bits.failed; part--) if (bits.find(vectors) !== 0) bits.at += reach;
  }

  /** A macroblock between planes, with types by how many zeroes come before the one (table B-3). */
  #between(): void {
    const bits = this.bits;
    if (bits.take(1) === 1) return;
    const isCoded = bits.take(1) === 0;
    let type = 0;
    while (type < 4 && bits.take(1) === 0) type++;
    if (type > 3) bits.failed = true;
    const pattern = isCoded ? bits.take(6) : 0;
    const isDirect = type === 0;
    if (!isDirect && pattern !== 0 && bits.take(1) === 1)
      this.quantiser = stepped(this.quantiser, bits.take(1) === 1 ? 2 : -2);
    let fields = 1;
    if (this.#interlaced) {
      if (pattern !== 0) bits.at++;
      if (!isDirect && bits.take(1) === 1) {
        fields = 2;
        bits.at += type === 1 ? 4 : 2;
      }
    }
    const { vop_fcode_forward: forward, vop_fcode_backward: backward } = this.#plane;
    if (isDirect) this.#vectors(1, 1);
    if (type === 1 || type === 3) this.#vectors(fields, forward);
    if (type === 1 || type === 2) this.#vectors(fields, backward);
    this.#residuals(pattern);
  }

  /** Whether what fills the last byte up stands here: a zero and ones (5.2.4). */
  get isFilled(): boolean {
    const rest = 8 - (this.bits.at & 7);
    return this.bits.peek(rest) === (1 << (rest - 1)) - 1;
  }
}
