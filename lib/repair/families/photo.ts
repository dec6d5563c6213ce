import type { Unpacked } from '../core/transfer/carrier';
import type { Once } from '../core/transfer/twice';
import type { Undone } from '../core/transfer/undo';
import { type Examined, type Format, nothingTold, type Told } from '../formats/format';
import { Buffer } from '../host/bytes';
import type { Picture } from '../readers/pictures';
import type { EngineJob } from '../report';
import type { CommonHopeless, Handed } from '../report/facts';
import type { Amount, Hopeless, PhotoFacts, Size } from '../report/facts/photo';
import { amountOf, findingOf, rebuiltOf, stepOf, summaryOf } from '../report/words/photo';
import { lossOf } from '../report/words/photo-losses';
import { noteOf } from '../report/words/photo-remarks';
import { proofOfPicture } from '../verdict';
import { beforeMessage, type Case, type Family, type Opened, refuse } from './family';

/** What photos are read with: they stand in memory as a whole. */
export type PhotoReading = {
  job: EngineJob;
  /** What a decoder that is not ours makes of the file as it is. It reads in another thread, from the first time that it is asked on. */
  shown: () => Promise<Picture | null>;
};

/** Takes the bytes of a file, one piece after another. */
export class ByteSink {
  readonly #pieces: Uint8Array[] = [];

  write(...pieces: readonly Uint8Array[]): void {
    this.#pieces.push(...pieces);
  }

  /** All that was written. */
  joined(): Buffer {
    const [first, ...others] = this.#pieces;
    if (first && others.length === 0) return Buffer.from(first.buffer, first.byteOffset, first.length);
    return Buffer.concat(this.#pieces);
  }
}

/** Photos are read, written and decoded as a whole. */
export interface PhotoTypes extends PhotoFacts {
  reading: PhotoReading;
  sink: ByteSink;
  written: Buffer;
  file: Buffer;
  content: Picture;
}

/** A format of photos, what is told while one is read, and what was found in it. */
export type PhotoFormat<Parts> = Format<Parts, PhotoTypes>;
export type PhotoTold = Told<PhotoTypes>;
export type PhotoExamined<Parts> = Examined<Parts, PhotoTypes>;

/** Tells that a transfer was undone. */
export function tellUndone(
  { damages, steps }: Pick<PhotoTold, 'damages' | 'steps'>,
  { how, count }: Pick<Undone | Unpacked | Once, 'how' | 'count'>,
): void {
  damages.push({ kind: 'textmode', how });
  const wasText = how === 'utf8' || how === 'added';
  steps.push(wasText ? { kind: 'textmode', bytes: count } : { kind: 'textmode', bytes: count, how });
}

/** Before anything of a photo was read. */
export const nothingToldYet = (): PhotoTold => nothingTold<PhotoTypes>();

/** A photo in which nothing is wrong. */
export const sound = (told: PhotoTold): PhotoExamined<null> => examined(told, null, null);

/** A damaged photo of which these parts survive. What is repaired without anything to name is what a decoder complained about. */
export const survived = <Parts>(told: PhotoTold, parts: Parts): PhotoExamined<Parts> =>
  examined(withDamage(told), parts, null);

/** A photo whose data nothing here can judge: neither sound nor damaged. */
export const unjudged = (told: PhotoTold): PhotoExamined<null> => examined(told, null, 'not-looked-into');

/** A damaged photo that decoders show more of than could be put together. */
export const bestAsItIs = (told: PhotoTold): PhotoExamined<null> =>
  examined(withDamage(told), null, 'reads-best-as-is');

/** A damaged photo of which nothing can be put together again, for this reason. */
export const gone = (told: PhotoTold, why: Hopeless): PhotoExamined<null> => examined(withDamage(told), null, why);

const withDamage = (told: PhotoTold): PhotoTold =>
  told.damages.length > 0 ? told : { ...told, damages: [{ kind: 'data', how: 'decoder' }] };

const examined = <Parts>(
  told: PhotoTold,
  parts: Parts,
  hopeless: Hopeless | CommonHopeless | null,
): PhotoExamined<Parts> => ({
  ...told,
  inside: [],
  kept: [],
  wantsSample: false,
  hopeless,
  parts,
});

const pixels = ({ width, height }: Size, isPreview = false): Amount => ({
  unit: 'pixels',
  count: width * height,
  width,
  height,
  isPreview,
});

/** Why nothing is handed out, whatever a decoder shows. */
const ends: ReadonlySet<string> = new Set<Hopeless | CommonHopeless>(['noise', 'noPreview', 'not-looked-into']);

/** Photos: a decoder that is not ours opens the damaged file while ours reads it, then what was rebuilt, and the judge compares the two. */
export const photo: Family<PhotoTypes> = {
  id: 'photo',
  words: { findingOf, stepOf, noteOf, amountOf, rebuiltOf, lossOf, summaryOf },
  open: (format, job, act) => {
    let shown: Promise<Picture | null> | null = null;
    const show = () => {
      shown ??= format.measure(job.bytes, { job });
      return shown;
    };
    const opened: Opened<PhotoTypes> = { reading: { job, shown: show }, damages: [], steps: [] };
    if (job.undone) tellUndone(opened, job.undone);
    return act(opened);
  },
  write: async (_, fill) => {
    const sink = new ByteSink();
    await fill(sink);
    return { kind: 'bytes', bytes: sink.joined() };
  },
  readBack: async (_, output, check) =>
    output.kind === 'bytes' &&
    (await check(Buffer.from(output.bytes.buffer, output.bytes.byteOffset, output.bytes.length))),
  keep: async ({ job }, _, one) => beforeMessage(job, one),
  judge: async (format, { job, shown }, one) => {
    const { end, output } = one;
    if (end.verdict === 'healthy') return whole(one, await shown());
    // A decoder that stops at the first fault, or looks past all of them, shows no more of what is known to be noise.
    if (end.verdict === 'unrepairable' && ends.has(end.why)) return one;
    job.progress(0.7);
    const before = await shown();
    const after = output.kind === 'bytes' ? await format.measure(Buffer.from(output.bytes), { job }) : null;
    const proof = proofOfPicture(before, after, one.lost.length > 0);
    if (proof === 'shown' && after && end.verdict !== 'unrepairable')
      return checked(one, job.format, end.verdict, after);
    return proof === 'asItIs' ? asItIs(one) : refuse(one, 'lost');
  },
};

/** A photo in which nothing is wrong. Of a raw one the picture inside says nothing of its sensor data, and there are kinds whose data nothing checks. */
function whole(one: Case<PhotoTypes>, seen: Picture | null): Case<PhotoTypes> {
  if (!seen || seen.warning) return one;
  if (seen.place) return { ...one, kept: [pixels(seen, true)] };
  if (seen.isUnchecked || seen.isSensor) return { ...one, kept: [pixels(seen)] };
  const { width, height } = seen;
  return { ...one, kept: [pixels(seen)], end: { verdict: 'healthy', how: 'shown', width, height } };
}

/** A photo that a decoder shows after the repair, or the one that it was taken out of. */
function checked(one: Case<PhotoTypes>, format: string, verdict: Handed, seen: Picture): Case<PhotoTypes> {
  const { width, height } = seen;
  const isTakenOut = one.format !== format;
  const of = isTakenOut ? 'jpeg' : seen.isSensor ? 'sensor' : seen.place ? 'structure' : 'picture';
  const how = of === 'picture' ? 'shown' : of === 'sensor' ? 'structure' : of;
  const isInside = one.remarks.some(({ kind }) => kind === 'inside');
  return {
    ...one,
    steps: [...one.steps, { kind: 'check', of, width, height }],
    kept: [pixels(seen, of === 'structure' || isInside)],
    end: { verdict, how: isInside ? 'inside' : how, width, height },
  };
}

/** The damaged file itself shows more than anything that was made of it. */
const asItIs = (one: Case<PhotoTypes>): Case<PhotoTypes> => ({
  ...refuse({ ...one, steps: [] }, 'reads-best-as-is'),
  remarks: [...one.remarks, { kind: 'asItIs' }],
});
