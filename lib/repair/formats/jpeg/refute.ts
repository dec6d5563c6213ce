import type { Chain } from './chain';
import type { SalvageFacts } from './filling';
import { Salvage } from './salvage';
import type { Spans } from './spans';
import type { Stretch } from './stretches';

/**
 * How much better the picture with a break has to fit together: where what both have does so too, and where it does not. In a file that is
 * cut, where nothing tells how much of the data is missing, the latter never counts.
 */
const neededGain = { shown: 0.98, hidden: 0.9, cut: 0 };
/** What a break has to gain where both pictures have something, in sample values summed over borders of MCUs. */
const breakPrice = 3;
/** Breaks that are doubted, and the effort for it in units. */
const mostDoubts = { breaks: 12, effort: 1200 };

/**
 * Doubts every break that only the picture suggests, one after another, and at last all of them: drawings and pictures of screens are full
 * of edges that look like breaks. What fits together better, with the fewer breaks where nothing speaks for more, is returned.
 */
export function withoutFalseBreaks(
  salvage: Salvage,
  facts: SalvageFacts,
  stretches: readonly Stretch[],
  spans: Spans,
  chains: readonly Chain[],
): Salvage {
  const effort = facts.deadline.effort.share(mostDoubts.effort);
  const refuted = new Set<string>();
  let best = salvage;
  let tries = 0;
  for (let index = 0; index < best.damages.length; ) {
    const key = best.damages[index]?.key;
    if (key === undefined) {
      index++;
      continue;
    }
    if (tries++ >= mostDoubts.breaks || effort.isSpent) break;
    const other = new Salvage({ ...facts, refuted: new Set([...refuted, key]) }, stretches, best.canvas);
    other.run(spans, chains);
    if (!isLikelier(other, best, facts)) {
      index++;
      continue;
    }
    refuted.add(key);
    best = other;
  }
  if (!best.damages.some(({ key }) => key !== undefined)) return best;
  const plain = new Salvage({ ...facts, trusting: true }, stretches, best.canvas);
  plain.run(spans, chains);
  return isLikelier(plain, best, facts) ? plain : best;
}

/** Whether the picture with fewer breaks is the likelier one, by how both fit together. */
function isLikelier(fewer: Salvage, more: Salvage, { hasEnd, layout }: SalvageFacts): boolean {
  // Where the data has its end, only a picture that is filled to its end can be right.
  const last = layout.total - 1;
  if (hasEnd && more.canvas.filled[last] === 1 && fewer.canvas.filled[last] !== 1) return false;
  const [with_, without] = [more.canvas.disorder(fewer.canvas), fewer.canvas.disorder(more.canvas)];
  const price = Math.max(0, more.damages.length - fewer.damages.length) * breakPrice;
  const isShown = with_.common + price < without.common;
  return with_.mean >= without.mean * (isShown ? neededGain.shown : hasEnd ? neededGain.hidden : neededGain.cut);
}
