import type { DocumentContent } from './families/document';
import type { Picture } from './readers/pictures';
import type { Handed } from './report/facts';
import type { Hopeless } from './report/facts/document';
import type { DecodedAmounts } from './report/facts/video';
import type { Verdict } from './report/types';

/** What a repair comes to before anything was read again: nothing wrong, all of it set right, or a part lost. */
export function verdictOf(damages: readonly unknown[], losses: readonly unknown[]): Handed {
  if (damages.length === 0) return 'healthy';
  return losses.length === 0 ? 'repaired' : 'partly';
}

/** Least share of frames, or of sound, that is worth handing out, and the fewest frames of which a share says anything. */
const worthwhile = 0.02;
const enoughFrames = 50;

/**
 * What a decoder made of a video, with its complaints about pictures; `isBlind` where it has none for their codec, so that it says nothing of
 * them, and `isUnopened` where it came to none, as it could not open the file.
 */
export type Decoding = DecodedAmounts & {
  complaints: number;
  isEmpty: boolean;
  isBlind: boolean;
  isUnopened: boolean;
};

/** What decoding says of what is to be handed out. */
export type Proof = 'fine' | 'damaged' | 'noFrames' | 'nextToNothing';

/**
 * Lets the decoder decide: a video of which no frame decodes is not handed out, nor one of whose many frames and packets hardly one does,
 * since what was found then is not what was looked for. Healthy files stay what they are, but for damage inside their frames.
 * `amounts` are what it should hold, kept or lost;
 * `isSelfFramed` where packets cannot be taken for others, so that sound that decodes is the file's own.
 */
export function proofOf(verdict: Verdict, amounts: Units, decoded: Decoding, isSelfFramed: boolean): Proof {
  const isHeard = isSelfFramed && decoded.packets > decoded.damagedSound * 2;
  const isWhole = decoded.complete && verdict !== 'healthy';
  // Of a container that lists its packets the sound may be right, whatever is said of its pictures.
  const isRefused = isSelfFramed && decoded.refused > 0;
  if (decoded.isBlind) return decoded.damagedSound > 0 ? 'damaged' : 'fine';
  const isShown = decoded.frames > 0 || (decoded.complaints === 0 && !decoded.isEmpty && !isRefused);
  if (isWhole && !isShown && !isHeard) return 'noFrames';
  if (isWhole && isNextToNothing(amounts, decoded)) return 'nextToNothing';
  return decoded.damagedFrames + decoded.damagedSound + decoded.refused > 0 ? 'damaged' : 'fine';
}

/** Whether each frame is damaged and no sound stands beside them: frames that were found by what they look like are none then. */
export const isAllDamaged = ({ complete, frames, damagedFrames, packets, damagedSound }: Decoding): boolean =>
  complete && frames > 0 && damagedFrames >= frames && packets <= damagedSound;

type Units = readonly { unit: string; count: number }[];

function isNextToNothing(amounts: Units, decoded: Decoding): boolean {
  const count = (unit: string) => amounts.filter((one) => one.unit === unit).reduce((sum, one) => sum + one.count, 0);
  const [frames, sounds] = [count('frames'), count('sound packets')];
  const sound = decoded.packets - decoded.damagedSound;
  return frames >= enoughFrames && decoded.frames < frames * worthwhile && sound < Math.max(1, sounds) * worthwhile;
}

/** From how much more on, as a share and at least, the damaged file counts as the one that reads better. */
const clearly = { share: 0.02, least: 2 };
const isClearlyMore = (had: number, has: number): boolean => had - has >= Math.max(clearly.least, has * clearly.share);

/**
 * Whether a decoder makes clearly more of the damaged video than of the rebuilt one: more frames or more sound, of neither less, and with
 * no more of them damaged, since decoders show something for damaged frames, too, that a repair leaves out for good reason.
 */
export function readsBetter(before: Decoding | null, after: Decoding): boolean {
  if (!before?.complete || !after.complete || before.isBlind || after.isBlind) return false;
  if (before.damagedFrames > after.damagedFrames || before.damagedSound > after.damagedSound) return false;
  const frames = [before, after].map((one) => one.frames - one.damagedFrames) as [number, number];
  const sound = [before, after].map((one) => one.packets - one.damagedSound) as [number, number];
  const isLess = isClearlyMore(frames[1], frames[0]) || isClearlyMore(sound[1], sound[0]);
  return !isLess && (isClearlyMore(...frames) || isClearlyMore(...sound));
}

/**
 * Whether a reader finds clearly more in the damaged document than in the rebuilt one: of one of its units, and of no other less. Both are
 * counts of the same reader.
 */
export function holdsMore(before: Units, after: Units): boolean {
  const more = (some: Units, others: Units) =>
    some.some(({ unit, count }) => isClearlyMore(count, others.find((one) => one.unit === unit)?.count ?? 0));
  return more(before, after) && !more(after, before);
}

/** Whether sound without any picture is worth handing out. */
export const isSoundWorthIt = (decoded: Decoding | null): decoded is Decoding =>
  decoded !== null && decoded.packets > decoded.damagedSound * 2;

/** What a decoder says of a rebuilt picture: it shows it, it shows the damaged one alone, or it shows neither. */
export type PictureProof = 'shown' | 'asItIs' | 'nothing';

/**
 * Lets the decoder decide on a picture that was rebuilt: what cannot be opened is not handed out, nor one colour all over, which is no
 * content, unless the damaged file opened before and nothing of it is missing: a blank page is one, too. Where the damaged file can still
 * be shown and rebuilding brought back no picture, it stays as it is.
 */
export function proofOfPicture(before: Picture | null, after: Picture | null, isPartLost: boolean): PictureProof {
  const isBlank = after?.blank === true && (before?.blank ?? true) && (!before || isPartLost);
  if (after && !isBlank) return 'shown';
  return before && !before.blank ? 'asItIs' : 'nothing';
}

/** Why a rebuilt document is not handed out, by what a reader makes of it; null where it is, or the damaged one is in its stead. */
export function proofOfDocument(content: DocumentContent): Hopeless | null {
  switch (content.state) {
    case 'closed':
      return 'notOpened';
    case 'locked':
      return 'passwordUnchecked';
    case 'faulty':
      return 'notReadable';
    case 'empty':
      return content.why;
    default:
      return null;
  }
}
