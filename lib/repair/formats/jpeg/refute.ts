import { Buffer } from '../../host/bytes';
import { type Canvas, hardEdged, mostRough } from './canvas';
import type { Chain } from './chain';
import { type Damage, mostByPicture, type SalvageFacts } from './filling';
import { Salvage } from './salvage';
import type { Spans } from './spans';
import type { Stretch } from './stretches';
import { areZeroesNone } from './zeroes';

/**
 * How much better the picture with a break has to fit together: where what both have does so too, and where it does not. In a file that is
 * cut, where nothing tells how much of the data is missing, the latter never counts. In front of data that is wiped, which is damage enough,
 * it has to be clearer than both.
 */
const neededGain = { shown: 0.98, hidden: 0.9, early: 0.6, cut: 0 };
/** What a break has to gain where both pictures have something, in sample values summed over borders of MCUs. */
const breakPrice = 3;
/** How many times the misfit of the first quarter that of the third is where flat parts lie between hard edges. */
const unlike = 6;
/**
 * Misfits of a screen or page as a whole, damage included: of the third quarter of its MCUs in sample values, how many times that of the
 * first it is, and how many times the middle one that of the last tenth is. Photos, damaged ones too, have 2 to 3.6 times and up to 3.2.
 */
const screen = { third: 10, overFirst: 4.5, tenthOverMiddle: 4.5 };
/** The same of screens with little on them, whose edges stand out the more. */
const sparse = { third: 5, overFirst: 4, tenthOverMiddle: 6, tenth: 20 };
/** Misfit of the last tenth of MCUs, in sample values, of pages, which are bare for the most part. */
const barePage = 10;
/** Misfit of the last tenth of MCUs, in sample values, above which brightness has drifted away: edges of screens have 25 to 55. */
const drifted = 80;
/** Rows of MCUs that tell what edges a picture has. */
const leastRows = 3;
/** Breaks that are doubted, and the effort for it in units. */
const mostDoubts = { breaks: 12, mends: 6, effort: 1200 };

/**
 * Doubts every break that only the picture suggests, one after another, and at last all of them: drawings and pictures of screens are full
 * of edges that look like breaks. What fits together better, with the fewer breaks where nothing speaks for more, is returned.
 */
export function withoutFalseBreaks(
  found: Salvage,
  facts: SalvageFacts,
  stretches: readonly Stretch[],
  spans: Spans,
  chains: readonly Chain[],
): Salvage {
  const salvage = withoutFalseMends(found, facts, stretches, spans, chains);
  const suggested = salvage.damages.filter(({ key }) => key !== undefined).length;
  if (suggested === 0) return salvage;
  const plain = new Salvage({ ...facts, trusting: true }, stretches, salvage.canvas);
  plain.run(spans, chains);
  // Where edges are everywhere, a break that only they suggest is none, and what is moved to where they fit is moved by chance.
  const isHard = (one: Salvage) => isHardEdged(plain, firstSuggested(one), facts.hasEnd, firstError(chains, stretches));
  if (suggested >= mostByPicture || isHard(salvage)) return plain;
  const effort = facts.deadline.effort.share(mostDoubts.effort);
  const refuted = new Set<string>();
  let best = salvage;
  // Among hard edges nothing of a picture may be moved before there is enough of it to tell what its edges are like.
  for (let early = earlyBreak(best, plain); early !== null; early = earlyBreak(best, plain)) {
    refuted.add(early);
    best = new Salvage({ ...facts, refuted: new Set(refuted) }, stretches, best.canvas);
    best.run(spans, chains);
    if (isHard(best) || refuted.size >= mostDoubts.breaks) return plain;
  }
  const wiped = areZeroesNone(facts.plan) ? wipedIn(stretches) : null;
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
    if (!isLikelier(other, best, facts, isBefore(best.damages[index], wiped))) {
      index++;
      continue;
    }
    refuted.add(key);
    best = other;
  }
  if (!best.damages.some(({ key }) => key !== undefined)) return best;
  return isLikelier(plain, best, facts) ? plain : best;
}

/**
 * Doubts every change of the data that only the picture suggests: a wrong one makes brightness or colours drift away for all that follows,
 * past what samples can be. What was right leaves no more such MCUs than there were.
 */
function withoutFalseMends(
  found: Salvage,
  facts: SalvageFacts,
  stretches: readonly Stretch[],
  spans: Spans,
  chains: readonly Chain[],
): Salvage {
  const refuted = new Set<string>();
  let best = found;
  for (const { mend } of found.damages) {
    if (mend === undefined || refuted.size >= mostDoubts.mends || best.canvas.impossible() === 0) continue;
    const other = new Salvage({ ...facts, refuted: new Set([...refuted, mend]) }, stretches, best.canvas);
    other.run(spans, chains);
    if (!isPossible(other, best)) continue;
    refuted.add(mend);
    best = other;
  }
  return best;
}

/** Whether clearly fewer MCUs of one picture than of another are darker or lighter than samples can be, and no more of it is missing. */
function isPossible({ canvas }: Salvage, other: Salvage): boolean {
  const fewest = canvas.layout.across >> 1;
  return other.canvas.impossible() - canvas.impossible() > fewest && canvas.count() + fewest >= other.canvas.count();
}

/**
 * Whether hard edges are all over a picture, by what lies before MCU `to`. Where hardly anything does, all of it tells, damage included: a
 * photo's edges are alike, while a screen's have next to none between them. What is cut off is mostly not damaged beside that.
 */
export function isHardEdged(
  { canvas, stretches }: Salvage,
  to: number,
  hasEnd: boolean,
  sure = canvas.layout.total,
): boolean {
  const { across } = canvas.layout;
  if (isScreen(canvas, Math.min(sure, beforeWiped(canvas, stretches)))) return true;
  const total = beforeWiped(canvas, stretches);
  // Where even what fits best does not, edges are what the picture is made of: stripes, or noise.
  if (canvas.misfitOf(0.25, total) >= hardEdged) return true;
  if (to >= leastRows * across) return canvas.misfitOf(0.75, to) >= hardEdged;
  const third = canvas.misfitOf(0.75, total);
  return third >= hardEdged && (!hasEnd || third >= canvas.misfitOf(0.25, total) * unlike);
}

/** The key of a break that only the picture suggests in its first rows, where hard edges follow; null where there is none. */
function earlyBreak(salvage: Salvage, { canvas, stretches }: Salvage): string | null {
  const { across } = canvas.layout;
  const to = beforeWiped(canvas, stretches);
  const isHard = canvas.misfitOf(0.75, to) >= hardEdged && canvas.misfitOf(0.9, to) < drifted;
  const isEarly = firstSuggested(salvage) < leastRows * across && isHard;
  return (isEarly && salvage.damages.find(({ key }) => key !== undefined)?.key) || null;
}

/** Zero bytes in a row that no encoder writes: every block has codes of its own. */
const wipedBytes = Buffer.alloc(32);

/** Whether a picture is flat in most places and full of edges in others, which may only begin below the title of a window or page. */
function isScreen(canvas: Canvas, to: number): boolean {
  if (to < leastRows * canvas.layout.across) return false;
  const [first, middle, third, tenth] = [0.25, 0.5, 0.75, 0.9].map((share) => canvas.misfitOf(share, to)) as [
    number,
    number,
    number,
    number,
  ];
  if (tenth >= drifted) return false;
  const isDense =
    third >= screen.third && third >= first * screen.overFirst && tenth >= middle * screen.tenthOverMiddle;
  const isSparse =
    third >= sparse.third && third >= first * sparse.overFirst && tenth >= middle * sparse.tenthOverMiddle;
  const isBare = canvas.roughness(to) < mostRough;
  const isPage = isBare && tenth >= barePage;
  return isDense || isPage || (isSparse && tenth >= sparse.tenth);
}

/** The MCUs before the first code that makes no sense in data of one stretch: up to there a picture is its own; all of it where there is none. */
function firstError([chain]: readonly Chain[], stretches: readonly Stretch[]): number {
  return stretches.length === 1 && chain ? (chain.errors[0] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

/** The MCUs before the first stretch of zeroes, which decode to flat ones. */
function beforeWiped(canvas: Canvas, stretches: readonly Stretch[]): number {
  const wiped = wipedIn(stretches);
  return wiped ? canvas.firstAt(wiped) : canvas.layout.total;
}

/** The first stretch of zeroes in the data; null where there is none. */
function wipedIn(stretches: readonly Stretch[]): { stretch: number; byte: number } | null {
  const stretch = stretches.findIndex(({ data }) => data.includes(wipedBytes));
  return stretch < 0 ? null : { stretch, byte: stretches[stretch]?.data.indexOf(wipedBytes) ?? 0 };
}

/** The MCU at the first break that only the picture suggests: up to there it is as it was written. */
function firstSuggested({ canvas, damages }: Salvage): number {
  const first = damages.find(({ key }) => key !== undefined);
  if (!first) return canvas.layout.total;
  const [unread, suggested] = [canvas.filled.indexOf(0), canvas.firstAt(first)];
  return unread < 0 ? suggested : Math.min(unread, suggested);
}

/** Whether damage lies before a place in the data that is wiped: beside that one, it needs to be the clearer. */
const isBefore = (damage: Damage | undefined, wiped: { stretch: number; byte: number } | null): boolean =>
  wiped !== null && damage !== undefined && damage.stretch === wiped.stretch && damage.byte < wiped.byte;

/** Whether the picture with fewer breaks is the likelier one, by how both fit together. */
function isLikelier(fewer: Salvage, more: Salvage, { hasEnd, layout }: SalvageFacts, isEarly = false): boolean {
  // Where the data has its end, only a picture that is filled to its end can be right.
  const last = layout.total - 1;
  if (hasEnd && more.canvas.filled[last] === 1 && fewer.canvas.filled[last] !== 1) return false;
  if (isPossible(fewer, more)) return true;
  const [with_, without] = [more.canvas.disorder(fewer.canvas), fewer.canvas.disorder(more.canvas)];
  const price = Math.max(0, more.damages.length - fewer.damages.length) * breakPrice;
  const isShown = with_.common + price < without.common;
  const needed = isEarly ? neededGain.early : isShown ? neededGain.shown : neededGain.hidden;
  return with_.mean >= without.mean * (isShown || hasEnd ? needed : neededGain.cut);
}
