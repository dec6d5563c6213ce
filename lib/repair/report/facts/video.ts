import type { Verdict } from '../types';
import type { Handed } from '.';

/** Stretches of a video in seconds. */
export type Stretches = readonly { from: number; to: number }[];

/** What the pictures and sound of a video are when they are decoded by a reader that is not ours; counts of frames and of pieces of sound. */
export type DecodedAmounts = {
  frames: number;
  packets: number;
  damagedFrames: number;
  damagedSound: number;
  damagedAt: Stretches;
  seconds: number;
  complete: boolean;
};

/** What can be wrong with a file, with the figures that belong to it; `offset` is where it begins, in bytes, where that can be said. */
export type Damage = { offset?: number } & (
  | { kind: 'textmode' | 'setup' | 'structure' | 'index' | 'headers' }
  | { kind: 'header'; how: 'missing' | 'size' }
  | { kind: 'gap'; bytes: number }
  | { kind: 'sizes'; count: number }
  | { kind: 'times'; how: 'zeroed' | 'backwards' }
  | { kind: 'bits'; bits: number; frames: number }
  | { kind: 'frames'; frames: number; how: 'unreadable' | 'overwritten' }
  | { kind: 'decoding'; decoded: DecodedAmounts }
);

/** What a repair did. */
export type Step =
  | { kind: 'textmode' }
  | { kind: 'rebuild'; of: 'packets' | 'index' }
  | { kind: 'bits'; bits: number }
  | { kind: 'times'; packets: number }
  | { kind: 'trial' | 'search'; width: number; height: number }
  | { kind: 'decode' | 'sound'; decoded: DecodedAmounts };

/** What a person should know of a repair besides. */
export type Remark =
  | { kind: 'times'; from: 'metadata' | 'sound' | 'guess' }
  | { kind: 'setup'; from: 'sample' | 'picture' | 'sound' }
  | { kind: 'description'; from: 'sample' }
  | { kind: 'rate'; rate: number; isGuess: boolean }
  | { kind: 'toldSound'; sounds: readonly string[] }
  | { kind: 'search' | 'soundAlone' | 'undecoded' };

/** What a file holds that can be handed out. */
export type Amount = { unit: 'frames' | 'sound packets' | 'pieces of sound'; count: number };

/** What was set right in place. */
export type Rebuilt = { unit: 'frames'; count: number; how: 'bits' };

/** What could not be brought back. */
export type Loss =
  | { unit: 'frames'; count: number; how: 'inside' | 'overwritten' }
  | { unit: 'frames' | 'pieces of sound'; count: number; how: 'decoding'; at: Stretches }
  | { unit: 'video tracks' | 'sound tracks'; count: number; how: 'untold' }
  | { unit: 'video tracks'; count: number; how: 'undecoded' }
  | { unit: 'sound packets'; count: number; how: 'unformatted' }
  | { unit: 'bytes'; count: number; how: 'cut' };

/** Why nothing is handed out. */
export type Hopeless = 'empty' | 'untold' | 'undescribed' | 'undecodable' | 'noFrames' | 'nextToNothing';

/** How a repair ended beside the ways of every family. */
export type VideoEnd =
  | { verdict: Handed; how: 'sent' | 'bits' | 'overwritten' | 'soundOnly' | 'soundAlone' }
  | { verdict: 'partly'; how: 'decoding'; before: Verdict; decoded: DecodedAmounts };

/** What is told of videos. */
export interface VideoFacts {
  damage: Damage;
  step: Step;
  remark: Remark;
  amount: Amount;
  rebuilt: Rebuilt;
  loss: Loss;
  why: Hopeless;
  end: VideoEnd;
}
