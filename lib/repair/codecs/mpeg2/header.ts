import type { Buffer } from '../../host/bytes';
import { BitReader } from '../bits';

/** Start codes (ISO/IEC 13818-2, table 6-1), and those of extensions (table 6-2). */
export const codes = { picture: 0, firstSlice: 1, lastSlice: 0xaf, sequence: 0xb3, extension: 0xb5 } as const;
const extensions = { sequence: 1, picture: 8 } as const;

/** What a sequence says (6.2.2.1, 6.2.2.3). */
export type SequenceFields = { width: number; height: number; progressive_sequence: boolean; chroma_format: number };

/** picture_coding_type (table 6-12), and picture_structure of whole frames (table 6-14). */
export const pictureTypes = { intra: 1, predicted: 2, between: 3 } as const;
export const wholeFrame = 3;

/** What a picture says (6.2.3, 6.2.3.1), with its size in macroblocks. */
export type PictureFields = {
  picture_coding_type: number;
  /** Of vectors forward and backward, across and down. */
  f_code: readonly number[];
  picture_structure: number;
  frame_pred_frame_dct: boolean;
  concealment_motion_vectors: boolean;
  intra_vlc_format: boolean;
  /** Blocks of a macroblock. */
  blocks: number;
  wide: number;
  high: number;
  /** Whether slices tell in three bits more how far down they are (6.2.4). */
  isTall: boolean;
};

/** Blocks of a macroblock by chroma_format (table 6-5). */
const blocksOf = [0, 6, 8, 12];
/** Lines above which a slice tells its place in two parts. */
const tallest = 2800;

/** Follows the headers of a stream, and says what is to be known of the slices that come behind them; null where that is not known. */
export class StreamHeaders {
  #size: readonly [number, number] | null = null;
  #sequence: SequenceFields | null = null;
  #type = 0;
  picture: PictureFields | null = null;

  /** Takes a unit in that is no slice, from the last byte of its start code on. */
  take(unit: Buffer): void {
    const bits = new BitReader(unit, 1);
    const [code] = unit;
    if (code === codes.sequence) {
      this.#size = [bits.take(12), bits.take(12)];
      this.#sequence = null;
      this.picture = null;
    } else if (code === codes.picture) {
      bits.skip(10);
      this.#type = bits.take(3);
      this.picture = null;
    } else if (code === codes.extension) {
      const id = bits.take(4);
      if (id === extensions.sequence) this.#extend(bits);
      if (id === extensions.picture) this.picture = this.#coding(bits);
    }
  }

  #extend(bits: BitReader): void {
    bits.skip(8);
    const progressive_sequence = bits.bit() === 1;
    const chroma_format = bits.take(2);
    const [across, down] = [bits.take(2), bits.take(2)];
    if (!this.#size) return;
    const [width, height] = [this.#size[0] | (across << 12), this.#size[1] | (down << 12)];
    this.#sequence = { width, height, progressive_sequence, chroma_format };
  }

  #coding(bits: BitReader): PictureFields | null {
    const f_code = [bits.take(4), bits.take(4), bits.take(4), bits.take(4)];
    bits.skip(2);
    const picture_structure = bits.take(2);
    bits.skip(1);
    const frame_pred_frame_dct = bits.bit() === 1;
    const concealment_motion_vectors = bits.bit() === 1;
    bits.skip(1);
    const intra_vlc_format = bits.bit() === 1;
    const sequence = this.#sequence;
    const blocks = blocksOf[sequence?.chroma_format ?? 0] ?? 0;
    if (!sequence || blocks === 0 || picture_structure === 0 || this.#type < 1 || this.#type > 3) return null;
    const { width, height, progressive_sequence } = sequence;
    // Rows of both fields lie in pairs where a sequence may hold fields (6.3.3).
    const rows = progressive_sequence ? Math.ceil(height / 16) : 2 * Math.ceil(height / 32);
    return {
      ...{ picture_coding_type: this.#type, f_code, picture_structure, frame_pred_frame_dct },
      ...{ concealment_motion_vectors, intra_vlc_format, blocks },
      wide: Math.ceil(width / 16),
      high: picture_structure === wholeFrame ? rows : rows / 2,
      isTall: height > tallest,
    };
  }
}
