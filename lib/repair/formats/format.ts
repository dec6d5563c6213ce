import type { Format as FormatId } from '../detect';
import type { Amount, Damage, Hopeless, Loss, Rebuilt, Remark, Step } from '../report/facts';
import type { Family } from '../report/types';
import type { Decoding } from '../verdict';
import type { Reading } from '../video/session';
import type { Sink } from '../video/sink';
import type { Source } from '../video/source';

/** What was found in a file. */
export type Examined<Parts> = {
  /** What is wrong with it as a whole: any of it means that the file has to be written anew. */
  damages: Damage[];
  /** What is wrong inside its frames, set right on reading or beyond repair: the file itself is in order. */
  inside: Damage[];
  steps: Step[];
  remarks: Remark[];
  /** What can be handed out, and what is lost whatever is done. */
  kept: Amount[];
  rebuilt: Rebuilt[];
  lost: Loss[];
  /** A working file from the same camera would bring back more. */
  wantsSample: boolean;
  /** Why nothing can be handed out; null where something can. */
  hopeless: Hopeless | null;
  parts: Parts;
};

/** One format, or several that share a structure. Every method reads the file in pieces and writes nothing but where it says so. */
export interface Format<Parts> {
  readonly ids: readonly [FormatId, ...FormatId[]];
  readonly family: Family;
  /** Whether a file begins as this format does: by content, never by name. `head` is its first mebibyte, or all of it. */
  recognise(head: Uint8Array): boolean;
  /** What is there and what is wrong with it, and the parts that survive. */
  examine(reading: Reading): Promise<Examined<Parts>>;
  /** Puts the parts together again, step by step, in `sink`. */
  rebuild(reading: Reading, examined: Examined<Parts>, sink: Sink): Promise<readonly Step[]>;
  /** Whether what was written reads as it was meant. */
  verify(written: Source, reading: Reading, examined: Examined<Parts>): Promise<boolean>;
  /** Opens a file with a reader that is not ours and counts what it holds, all of it or its sound alone; null where no reader can. */
  measure(path: string, reading: Pick<Reading, 'job'>, what: 'all' | 'sound'): Promise<Decoding | null>;
}
