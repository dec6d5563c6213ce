import type { Encoding } from '../../core/transfer/carried';
import type { Verdict } from '../types';
import type { Handed } from '.';

/** Stretches of a video in seconds. */
export type Stretches = readonly { from: number; to: number }[];

/** What the pictures and sound of a video are when they are decoded by a reader that is not ours; counts of frames and of pieces of sound. `refused` frames at the end gave no picture. */
export type DecodedAmounts = {
  frames: number;
  packets: number;
  damagedFrames: number;
  damagedSound: number;
  refused: number;
  damagedAt: Stretches;
  seconds: number;
  complete: boolean;
};

/** What can be wrong with a file, with the figures that belong to it; `offset` is where it begins, in bytes, where that can be said. */
export type Damage = { offset?: number } & (
  | { kind: 'textmode'; how: 'added' | 'utf8' | 'both' }
  | { kind: 'transfer'; how: Encoding | 'twice' }
  | { kind: 'setup' | 'headers' | 'tracks' | 'partitions' | 'sync' }
  | { kind: 'header'; how: 'missing' | 'size' }
  | { kind: 'index'; how: 'unfit' | 'damaged' | 'parts' | 'missing' }
  | { kind: 'structure'; how: 'pictures' | 'chain' | 'between' | 'rest' }
  | { kind: 'tables'; of: 'streams' | 'index' }
  | { kind: 'truncated'; of: 'fragment' | 'box' }
  | { kind: 'places'; of: 'sound' }
  | { kind: 'places'; of: 'packets'; count: number }
  | { kind: 'content' | 'missing' | 'blocks' | 'sums'; count: number }
  | { kind: 'gap'; bytes: number }
  | { kind: 'sizes'; of: 'packets'; count: number }
  | { kind: 'sizes'; of: 'parts' }
  | { kind: 'times'; how: 'zeroed' | 'backwards' | 'apart' }
  | { kind: 'bits'; bits: number; frames: number }
  | { kind: 'exchanged'; count: number; bytes: number }
  | { kind: 'frames'; frames: number; how: 'unreadable' | 'overwritten' }
  | { kind: 'sounds'; count: number }
  | { kind: 'decoding'; decoded: DecodedAmounts }
);

/** What a repair did. `check` is what a second reader, of the container alone, counted in what was written. */
export type Step =
  | { kind: 'textmode'; how: 'added' | 'utf8' | 'both' }
  | { kind: 'transfer'; how: Encoding | 'twice' }
  | { kind: 'rebuild'; of: 'packets' | 'index' | 'partitions' | 'blocks' | 'samples' | 'essence' }
  | { kind: 'bits'; bits: number }
  | { kind: 'exchanged'; count: number; by: 'samples' | 'chain' }
  | { kind: 'cut'; bytes: number }
  | { kind: 'times'; packets: number }
  | { kind: 'blocks' | 'tracks'; count: number }
  | { kind: 'frames' | 'check'; frames: number; packets: number }
  | { kind: 'trial'; width: number; height: number }
  /** `isToned` where nothing told how strongly the differences to what a picture is predicted by are to be drawn. */
  | { kind: 'search'; width: number; height: number; isToned?: boolean }
  | { kind: 'decode' | 'sound'; decoded: DecodedAmounts };

/** What tells codecs and times where the index does not. */
export type Origin = 'index' | 'sample' | 'encoder' | 'stream';

/** What a person should know of a repair besides. */
export type Remark =
  | { kind: 'times'; from: 'metadata' | 'sound' | 'guess' }
  | { kind: 'setup'; from: 'sample' | 'picture' | 'sound' }
  | { kind: 'description'; from: 'sample' }
  | { kind: 'codecs'; from: Origin }
  | { kind: 'rate'; rate: number; isGuess: boolean }
  | { kind: 'soundRate'; rate: number; isGuess: boolean }
  | { kind: 'toldSound'; sounds: readonly string[] }
  | { kind: 'jumps'; count: number }
  | { kind: 'bitsUnseen'; isEndUnseen: boolean; areBitsWrong: boolean }
  | { kind: 'search' | 'turnUntold' | 'soundAlone' | 'undecoded' | 'longer' | 'noIndexTable' };

/** What a file holds that can be handed out. */
export type Amount = {
  unit: 'frames' | 'sound packets' | 'data packets' | 'pieces of sound' | 'transport packets' | 'seconds';
  count: number;
};

/** What was set right in place, or written anew. */
export type Rebuilt =
  | { unit: 'frames'; count: number; how: 'bits' }
  | { unit: 'frames' | 'sound packets' | 'pieces'; count: number; how: 'exchanged' }
  | { unit: 'packet heads' | 'packet starts' | 'frame times'; count: number; how: 'anew' }
  | { unit: 'stream lists'; count: number; how: 'told'; streams: number };

/** Units of samples, and of those that are kept in part. */
export type SampleUnit = 'frames' | 'sound packets' | 'data packets';

/** What could not be brought back. */
export type Loss =
  | { unit: 'frames'; count: number; how: 'inside' | 'overwritten' | 'adrift' | 'doubtful' | 'paced' }
  | { unit: 'sound packets'; count: number; how: 'inside' | 'overwritten' | 'paced' | 'split' }
  | { unit: 'frames' | 'pieces of sound'; count: number; how: 'decoding'; at: Stretches }
  | { unit: 'video tracks' | 'sound tracks' | 'packets' | 'tracks' | 'streams'; count: number; how: 'untold' }
  | { unit: 'video tracks'; count: number; how: 'undecoded' | 'toned' }
  | { unit: 'sound packets' | 'sound tracks'; count: number; how: 'unformatted' }
  | { unit: SampleUnit; count: number; how: 'gone'; seconds: number }
  | { unit: `${SampleUnit} in part`; count: number; how: 'trimmed' }
  | { unit: 'frames' | 'sound packets'; count: number; how: 'listed' | 'guessed' }
  | { unit: 'tracks'; count: number; how: 'untabled' }
  | { unit: 'sound tracks'; count: number; how: 'unheard' }
  | { unit: 'parts'; count: number; how: 'changed' }
  | { unit: 'packets'; count: number; how: 'cut' }
  | { unit: 'bytes'; count: number; how: 'cut' | 'stray' }
  | { unit: 'seconds'; count: number; how: 'before' | 'behind' }
  | { unit: 'bytes'; count: number; how: 'apart'; places: number };

/** Why nothing is handed out. */
export type Hopeless =
  | 'empty'
  | 'untold'
  | 'undescribed'
  | 'undecodable'
  | 'streamsGone'
  | 'indexGone'
  | 'encrypted'
  | 'unopened'
  | 'firstPiece'
  | 'laterPiece'
  | 'nothingFound'
  | 'framesGone'
  | 'allGone'
  | 'adrift'
  | 'noFrames'
  | 'nextToNothing';

/** How a repair ended beside the ways of every family. */
export type VideoEnd =
  | {
      verdict: Handed;
      how:
        | 'sent'
        | 'bits'
        | 'exchanged'
        | 'overwritten'
        | 'soundOnly'
        | 'soundAlone'
        | 'essence'
        | 'silentEssence'
        | 'found';
    }
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
