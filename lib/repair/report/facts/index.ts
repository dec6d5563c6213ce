import type { Reason, Verdict } from '../types';

/** A verdict on a file that is handed out, as it was or written anew. */
export type Handed = Exclude<Verdict, 'unrepairable'>;

/**
 * The shape of what a family of formats tells of a repair. Each family names its facts as closed unions in a file beside this one, and the
 * sentences for them stand in the file of the same name in `report/words`.
 */
export interface Facts {
  /** What can be wrong with a file, with the figures that belong to it; `offset` is where it begins, in bytes, where that can be said. */
  damage: { kind: string; offset?: number };
  /** What a repair did. */
  step: { kind: string };
  /** What a person should know of a repair besides. */
  remark: { kind: string };
  /** What a file holds that can be handed out. */
  amount: { unit: string; count: number };
  /** What was set right in place. */
  rebuilt: { unit: string; count: number };
  /** What could not be brought back. */
  loss: { count: number; how: string };
  /** Why nothing is handed out. */
  why: string;
  /** How a repair ended beside the two ways of every family: handed back whole, and rebuilt. */
  end: { verdict: Handed; how: string };
}

/** Why nothing is handed out, of any family: the result did not pass its own check, or one of the two reasons that are no failure. */
export type CommonHopeless = 'unproven' | Reason;

/** How a repair ended, as far as its sentence says. */
export type End<F extends Facts> =
  | { verdict: 'unrepairable'; why: F['why'] | CommonHopeless }
  | { verdict: Handed; how: 'whole' | 'rebuilt' }
  | F['end'];
