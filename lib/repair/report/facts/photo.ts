import type { Handed } from '.';

/** Width and height of a picture in pixels. */
export type Size = { width: number; height: number };

/** What can be wrong with a photo. */
export type Damage = { offset?: number } & (
  | { kind: 'textmode' | 'end' | 'scan' | 'huffman' | 'quantisation' | 'restart' | 'size' | 'frame' }
  | { kind: 'head'; how: 'signature' | 'mark' }
  | { kind: 'head'; how: 'before'; bytes?: number }
  | { kind: 'header'; how: 'lost' | 'between' | 'length' | 'damaged' | 'returns' }
  | { kind: 'chunk'; type: string | null }
  | { kind: 'data'; how: 'packed' | 'decoder' | 'damaged' | 'cut' | 'damagedOrCut' }
);

/** What a repair of a photo did. */
export type Step =
  | { kind: 'textmode'; bytes: number }
  | { kind: 'returns'; parts: number }
  | { kind: 'bits'; bits: number; by: 'sums' | 'rows' }
  | { kind: 'partBits'; parts: number }
  | ({ kind: 'size'; from: 'rows' | 'data' } & Size)
  | { kind: 'behind'; places: number }
  | { kind: 'fill'; rows: number }
  | { kind: 'interval'; blocks: number }
  | { kind: 'tables'; from: 'survivor' }
  | { kind: 'tables'; from: 'preview' | 'colours'; quality: number }
  | { kind: 'mend'; places: number }
  | { kind: 'realign' }
  | { kind: 'anew'; firstPasses: number | null }
  | { kind: 'rewrite'; of: 'parts' | 'headers' | 'intactHeaders' }
  | ({ kind: 'check' } & Size);

/** What a person should know of a repaired photo besides. */
export type Remark = { kind: 'palette' | 'asItIs' | 'huffman' | 'tables' | 'unpackedNoise' };

/** What a photo holds that can be handed out. */
export type Amount = { unit: 'pixels'; count: number } & Size;

/** What was set right in place. */
export type Rebuilt = { unit: 'blocks'; count: number };

/** What could not be brought back. */
export type Loss = { count: number } & (
  | { unit: 'structure'; how: 'asItIs' }
  | { unit: 'colours'; how: 'unproven' }
  | { unit: 'descriptions'; how: 'dropped' }
  | { unit: 'rows'; how: 'filled'; of: number }
  | { unit: 'rows'; how: 'doubtful' }
  | { unit: 'pixels'; how: 'unproven' }
  | { unit: 'tables'; how: 'guessed' }
  | { unit: 'blocks'; how: 'concealed'; of: number }
  | { unit: 'passes'; how: 'detail' }
  | { unit: 'places'; how: 'beside' }
);

/** Why nothing is handed out: nothing could be put together again, or what could is no picture. */
export type Hopeless = 'lost' | 'noise';

/** How a repair ended beside the ways of every family: a decoder shows a picture of this size, or still shows the damaged one. */
export type PhotoEnd = ({ verdict: Handed; how: 'shown' } & Size) | { verdict: 'partly'; how: 'asItIs' };

/** What is told of photos. */
export interface PhotoFacts {
  damage: Damage;
  step: Step;
  remark: Remark;
  amount: Amount;
  rebuilt: Rebuilt;
  loss: Loss;
  why: Hopeless;
  end: PhotoEnd;
}
