import type { Handed } from '.';

/** Width and height of a picture in pixels. */
export type Size = { width: number; height: number };

/** What can be wrong with a photo. */
export type Damage = { offset?: number } & (
  | { kind: 'textmode' | 'end' | 'header' }
  | { kind: 'head'; how: 'signature' | 'before' }
  | { kind: 'chunk'; type: string | null }
  | { kind: 'data'; how: 'packed' | 'decoder' }
);

/** What a repair of a photo did. */
export type Step =
  | { kind: 'textmode'; bytes: number }
  | { kind: 'returns'; parts: number }
  | { kind: 'bits'; bits: number; by: 'sums' | 'rows' }
  | { kind: 'partBits'; parts: number }
  | ({ kind: 'size' } & Size)
  | { kind: 'behind'; places: number }
  | { kind: 'fill'; rows: number }
  | { kind: 'rewrite'; of: 'parts' }
  | ({ kind: 'check' } & Size);

/** What a person should know of a repaired photo besides. */
export type Remark = { kind: 'palette' | 'asItIs' };

/** What a photo holds that can be handed out. */
export type Amount = { unit: 'pixels'; count: number } & Size;

/** What was set right in place: nothing that is told apart so far. */
export type Rebuilt = never;

/** What could not be brought back. */
export type Loss = { count: number } & (
  | { unit: 'structure'; how: 'asItIs' }
  | { unit: 'colours'; how: 'unproven' }
  | { unit: 'descriptions'; how: 'dropped' }
  | { unit: 'rows'; how: 'filled'; of: number }
  | { unit: 'rows'; how: 'doubtful' }
  | { unit: 'pixels'; how: 'unproven' }
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
