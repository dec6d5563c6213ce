import { unitReaderFor } from '../../codecs/following';
import type { VideoExamined } from '../../families/video';
import type { Amount, Damage, Hopeless, Loss, Remark, Step } from '../../report/facts/video';
import { lostBehind } from '../../video/behind';
import { type Frame, factsOf, type Mending, mendFrames, mendUnits, setsOf } from '../../video/mend';
import { countOverwritten, overwrittenFacts } from '../../video/overwritten';
import { h263ReaderFor, wholeUnits } from '../../video/pictures';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { factsOfTags, mendTags } from './heads';
import { numberOf } from './metadata';
import { missingSetups, type Setup } from './setup';
import { isMedia, type Tag } from './tags';
import { isSetup, retime, secondsOf } from './timing';
import { timesBroken, type Walk, walkTags } from './walk';

/** Types of tags (Adobe FLV 10.1, annex E.4.1). */
export const [sound, picture] = [8, 9] as const;

/** What survives of a file: the tags to be written, with new times where the old ones are broken, and packets that set decoders up. */
export type FlvParts = { tags: Tag[]; times: number[] | null; setups: Setup[] };

/** CodecID of Sorenson H.263 and of H.264, and the bytes of their packets before the frame (E.4.3.1, E.4.3.2). */
const h263 = { id: 2, headBytes: 1 } as const;
const avc = { id: 7, headBytes: 5 } as const;

/** The frames of a codec, behind the bytes that say what a packet holds. */
function* framesOf(source: Source, tags: readonly Tag[], codec: { id: number; headBytes: number }): Generator<Frame> {
  for (const tag of tags)
    if (tag.type === picture && ((source.read(tag.offset + 11, 1)[0] ?? 0) & 15) === codec.id)
      yield { from: tag.offset + 11 + codec.headBytes, to: tag.offset + 11 + tag.size };
}

/** Sets wrong bits right in the frames of H.264, by the packet that sets its decoder up, or in those of H.263. */
async function mendPictures(reading: Reading, media: readonly Tag[]): Promise<Mending> {
  const { source, job } = reading;
  const setup = media.find(
    (tag) => tag.type === picture && (source.read(tag.offset + 11, 2)[0] ?? 0) === 0x17 && isSetup(source, tag),
  );
  const configuration = setup ? source.copy(setup.offset + 16, setup.size - 5) : null;
  const reader = configuration && unitReaderFor('avc', setsOf('avc', configuration), job.deadline.effort);
  const frames = media.filter((tag) => !isSetup(source, tag));
  if (reader) return mendFrames(reading, reader, framesOf(source, frames, avc));
  const units = wholeUnits(source, framesOf(source, frames, h263));
  return mendUnits(reading, h263ReaderFor('flash', job.deadline.effort), units);
}

/** Whether sizes are all zero, or differ from what they should be by one number, as far as the differences are kept. */
const isOneWay = (differences: ReadonlySet<number>): boolean =>
  differences.size === 1 || [...differences].every((difference) => difference < 0);

/** What is wrong with the file as a whole. */
function damagesOf(seen: Walk, isSetUp: boolean, broken: ReturnType<typeof timesBroken>): Damage[] {
  const damages: Damage[] = [];
  if (!seen.headOk) damages.push({ kind: 'header', how: 'missing', offset: 0 });
  for (const { offset, length } of seen.gaps) damages.push({ kind: 'gap', bytes: length, offset });
  // Some writers never fill in these sizes, or count otherwise, so that many wrong ones are damage only where they differ in several ways.
  const isWay = seen.wrongSizes > seen.tags.length / 2 && isOneWay(seen.differences);
  if (seen.wrongSizes > 0 && !isWay) damages.push({ kind: 'sizes', of: 'packets', count: seen.wrongSizes });
  if (broken) damages.push({ kind: 'times', how: broken.how });
  if (!isSetUp) damages.push({ kind: 'setup', offset: 0 });
  return damages;
}

/** What cannot be brought back when the file is written anew. */
function lossesOf(seen: Walk, unset: readonly number[]): Loss[] {
  const lost: Loss[] = [];
  if (unset.includes(picture)) lost.push({ unit: 'video tracks', count: 1, how: 'untold' });
  if (unset.includes(sound)) lost.push({ unit: 'sound tracks', count: 1, how: 'untold' });
  const bytes = seen.gaps.reduce((sum, { length }) => sum + length, 0);
  if (bytes > 0) lost.push({ unit: 'bytes', count: bytes, how: 'cut' });
  return lost;
}

/** Type of the tag with metadata, which comes first (E.4.4.1). */
export const metadata = 18;

/** The least time of the first picture or sound by which something is missing before it. */
const leastMissing = 100;

/** Seconds before the first picture or sound of a file without its beginning, by their times. */
function secondsBefore({ headOk, tags }: Walk): Loss[] {
  const first = tags.find(isMedia)?.time ?? 0;
  const isBegun = headOk || tags.some(({ type }) => type === metadata);
  if (isBegun || first < leastMissing) return [];
  return [{ unit: 'seconds', count: Math.round(first / 100) / 10, how: 'before' }];
}

/**
 * What is gone of the end of a file, where its metadata tell of a longer one and of more bytes than there are (Adobe FLV 10.1, annex E.5):
 * either number alone may be one that a program did not set right.
 */
function secondsBehind(source: Source, { tags }: Walk): Loss[] {
  const script = tags.find(({ type }) => type === metadata);
  const content = script ? source.copy(script.offset + 11, script.size) : null;
  if (!content || numberOf(content, 'filesize') <= source.size) return [];
  return lostBehind(
    numberOf(content, 'duration'),
    secondsOf(tags, (index) => tags[index]?.time ?? 0),
  );
}

function whyHopeless(media: readonly Tag[], kept: readonly Amount[], unset: readonly number[]): Hopeless | null {
  if (media.length === 0) return 'empty';
  if (kept.length > 0) return null;
  return unset.includes(picture) ? 'untold' : 'undecodable';
}

/** Surveys Flash video (Adobe FLV 10.1, annex E): head, tag chain, sizes between tags, times, setups of decoders, frames of H.264. */
export async function examineFlv(reading: Reading): Promise<VideoExamined<FlvParts>> {
  const { source, tell } = reading;
  const seen = await walkTags(source, (offset) => tell(offset, 0, 0.4));
  const heads = factsOfTags(mendTags(source, seen.tags), seen.restored);
  const media = seen.tags.filter(isMedia);
  const steps: Step[] = [];
  const { found: setups, lost: unset } = await missingSetups(reading, seen.tags, (step) => void steps.push(step));
  const mending = factsOf(await mendPictures(reading, media));
  const overwritten = overwrittenFacts(countOverwritten(source, framesOf(source, media, avc)));
  const broken = timesBroken(seen.tags);
  const damages = [...damagesOf(seen, setups.length + unset.length === 0, broken), ...heads.damages];
  const isTimed = broken !== null;
  const behind = isTimed ? [] : secondsBehind(source, seen);
  if (behind.length > 0) damages.push({ kind: 'sizes', of: 'parts', offset: source.size });
  const count = (type: number) =>
    unset.includes(type) ? 0 : media.filter((tag) => tag.type === type && !isSetup(source, tag)).length;
  const amounts: Amount[] = [
    { unit: 'frames', count: count(picture) },
    { unit: 'sound packets', count: count(sound) },
  ];
  const kept = amounts.filter((amount) => amount.count > 0);
  const timed = broken ? retime(source, seen.tags, broken.types) : null;
  const remarks: Remark[] = steps.some(({ kind }) => kind === 'search') ? [{ kind: 'search' }] : [];
  if (timed) remarks.push({ kind: 'times', from: timed.from });
  for (const from of ['sample', 'picture', 'sound'] as const)
    if (setups.some(({ origin }) => origin === from)) remarks.push({ kind: 'setup', from });
  // Without pictures that can be decoded the sound is still worth having.
  const isSilent = unset.includes(picture);
  if (isSilent && kept.length > 0) remarks.push({ kind: 'soundAlone' });
  const isKept = ({ type }: Tag) => type !== picture || !isSilent;
  return {
    damages,
    inside: [...mending.damages, ...overwritten.damages],
    steps: [...steps, ...mending.steps],
    remarks,
    kept,
    rebuilt: [...heads.rebuilt, ...mending.rebuilt],
    lost: [
      ...mending.lost,
      ...overwritten.lost,
      ...lossesOf(seen, unset),
      ...(timed ? [] : secondsBefore(seen)),
      ...(timed?.from === 'guess' ? [{ unit: 'frames', count: count(picture), how: 'paced' } as const] : []),
      ...behind,
    ],
    wantsSample: unset.length > 0,
    hopeless: whyHopeless(media, kept, unset),
    parts: {
      tags: seen.tags.filter(isKept),
      times: timed?.times.filter((_, index) => isKept(seen.tags[index] as Tag)) ?? null,
      setups,
    },
  };
}
