import { type Chain, findInChain } from '../video/chained';
import type { Reading } from '../video/session';
import type { Source } from '../video/source';
import { type Moves, putBack } from '../video/view';
import type { VideoExamined } from './video';

/** Effort for pieces of a chain in each other's place, in units. */
const chainEffort = 1500;

type Examine<Parts> = (reading: Reading) => Promise<VideoExamined<Parts>>;

/** Whether something is wrong with a file or with what it holds. */
const isSuspect = (examined: VideoExamined<unknown>) => countOf(examined) > 0;

const countOf = ({ damages, inside }: VideoExamined<unknown>) => damages.length + inside.length;

/**
 * Whether nothing speaks against what was put back. A chain may lead to its end by chance where bytes are lost, over parts that hold no pictures, but then
 * other damage is left; samples may be read by chance, and then more is wrong than before.
 */
const isProven = ({ by }: Moves, again: VideoExamined<unknown>, first: VideoExamined<unknown>): boolean =>
  by === 'chain' ? again.damages.length === 0 && again.hopeless === null : countOf(again) <= countOf(first);

/**
 * Surveys a video, and where something is wrong once more with the pieces of it that stand in each other's place put back, where `find` tells
 * of such: what is told then is of the file with them. Pieces that were told by chance stay where they are.
 */
export function withPiecesBack<Parts>(
  examine: Examine<Parts>,
  find: (reading: Reading) => Promise<Moves | null>,
): Examine<Parts> {
  return async (reading) => {
    const { source } = reading;
    const before = source.mends;
    let finding: Promise<Moves | null> | undefined;
    const lookOnce = () => {
      finding ??= find(reading);
      return finding;
    };
    const first = await examine({ ...reading, isMoved: async () => (await lookOnce()) !== null });
    const found = isSuspect(first) ? await lookOnce() : null;
    if (!found) return first;
    source.restore(before);
    putBack(source, found);
    const again = await examine(reading);
    if (!isProven(found, again, first)) {
      source.restore(before);
      return await examine(reading);
    }
    const { size, by, rebuilt } = found;
    const count = found.moves.length;
    return {
      ...again,
      inside: [{ kind: 'exchanged', count, bytes: size }, ...again.inside],
      steps: [{ kind: 'exchanged', count, by }, ...again.steps],
      rebuilt: [...rebuilt, ...again.rebuilt],
    };
  };
}

/** Pieces of a file in each other's place by the chain of its parts. */
export const inChain =
  (chainOf: (source: Source) => Chain | null) =>
  async (reading: Reading): Promise<Moves | null> => {
    const chain = chainOf(reading.source);
    return chain && findInChain(reading, chain, reading.job.deadline.effort.share(chainEffort));
  };
