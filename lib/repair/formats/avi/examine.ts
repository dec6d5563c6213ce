import type { VideoExamined } from '../../families/video';
import { Buffer } from '../../host/bytes';
import type { Amount, Damage, Hopeless, Loss, Remark, Step } from '../../report/facts/video';
import { lostBehind } from '../../video/behind';
import { factsOf } from '../../video/mend';
import { countOverwritten, overwrittenFacts } from '../../video/overwritten';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { judgingEffort, type Unreadable, unreadableFrames } from '../../video/unreadable';
import { judgeFor } from '../judges';
import { type Chunk, isPicture, isSound, type Movi } from './chunks';
import { type Fresh, freshHeaders } from './fresh';
import { patchHeaders, secondsTold } from './headers';
import { beginBytes, standsAlone } from './keys';
import type { Listed } from './listed';
import { packedFrames } from './packed';
import { findHead, type Survey, survey } from './survey';
import { picturesOf } from './tell';
import { mendPictures } from './units';

/**
 * What survives of a file: the list that describes its streams, and the chunks to be written, under their new names. `prefix` stands before the content
 * of the chunk at `at`; `keys` tells by the offset of a chunk whether its picture stands alone.
 */
export type AviParts = {
  head: Buffer | null;
  chunks: Chunk[];
  prefix: { at: number; bytes: Buffer } | null;
  keys: ReadonlyMap<number, boolean> | null;
};

/** What describes the streams, and how it was come by. */
type Described = Omit<AviParts, 'keys'> & { steps: Step[]; remarks: Remark[]; lost: Loss[] };

/** What is wrong with the file as a whole. */
function damagesOf({ riffOk, moviOk, chainOk, indexOk, headOk, movi, gaps, sized }: Survey): Damage[] {
  const damages: Damage[] = [];
  if (!riffOk) damages.push({ kind: 'header', how: 'size', offset: 0 });
  if (!moviOk) damages.push({ kind: 'structure', how: 'pictures', offset: movi.start - 8 });
  if (moviOk && riffOk && !chainOk) damages.push({ kind: 'structure', how: 'chain', offset: 12 });
  if (!indexOk) damages.push({ kind: 'index', how: 'unfit' });
  for (const { offset, length } of gaps) damages.push({ kind: 'gap', bytes: length, offset });
  if (sized > 0) damages.push({ kind: 'sizes', of: 'packets', count: sized });
  if (!headOk) damages.push({ kind: 'headers', offset: 0 });
  return damages;
}

/** The file's own description, that of a working video, or one made from what is left of it and the pictures and sound themselves. */
function describeStreams(reading: Reading, { head, movi, listed }: Survey): Described {
  const { chunks } = movi;
  const nothing = { chunks, prefix: null, steps: [], remarks: [], lost: [] };
  if (head) return { ...nothing, head: patchHeaders(head, movi) };
  const { sample } = reading;
  const borrowed = sample && findHead(sample, Math.max(0, sample.find(Buffer.from('movi'), 0) - 8));
  if (borrowed)
    return { ...nothing, head: patchHeaders(borrowed, movi), remarks: [{ kind: 'description', from: 'sample' }] };
  const fresh = freshHeaders(reading, movi, listed);
  return fresh ? { ...described(reading, movi, listed, fresh) } : { ...nothing, head: null };
}

/** Place of the first picture that stands alone, as nothing before it can be shown; null where none of a codec does that tells. */
function firstAlone({ source }: Reading, pictures: readonly Chunk[], listed: Listed | null): number | null {
  const [first] = pictures;
  const isTold = pictures.some((one) => standsAlone(source.read(one.offset + 8, beginBytes)) !== null);
  if (!isTold && !listed) return first?.offset ?? null;
  const isAlone = ({ offset }: Chunk) =>
    standsAlone(source.read(offset + 8, beginBytes)) ?? listed?.keys.get(offset) ?? true;
  return pictures.find(isAlone)?.offset ?? null;
}

/** What is written by a description that was made anew: chunks of streams that it describes, and pictures from the first that stands alone on. */
function described(reading: Reading, movi: Movi, listed: Listed | null, fresh: Fresh): Described {
  const { list, rate, isGuess, sounds, names, prefix, searched, guessedSounds } = fresh;
  const pictures = fresh.picture ? picturesOf(movi, fresh.picture) : [];
  const alone = fresh.picture ? firstAlone(reading, pictures, listed) : null;
  const adrift = pictures.filter(({ offset }) => alone === null || offset < alone);
  const isAdrift = new Set(adrift.map(({ offset }) => offset));
  const steps: Step[] = searched ? [{ kind: 'search', ...searched }] : [];
  const remarks: Remark[] = fresh.picture ? [{ kind: 'rate', rate, isGuess }] : [{ kind: 'soundAlone' }];
  if (searched) remarks.push({ kind: 'search' });
  if (sounds.length > 0) remarks.push({ kind: 'toldSound', sounds });
  const silent = movi.chunks.filter(({ id }) => isSound(id) && !names.has(id.slice(0, 2))).length;
  const lost: Loss[] = silent > 0 ? [{ unit: 'sound packets', count: silent, how: 'unformatted' }] : [];
  if (guessedSounds > 0) lost.push({ unit: 'sound packets', count: guessedSounds, how: 'guessed' });
  if (fresh.isRaw) lost.push({ unit: 'frames', count: pictures.length, how: 'guessed' });
  if (adrift.length > 0) lost.push({ unit: 'frames', count: adrift.length, how: 'adrift' });
  if (isGuess && pictures.length > 0) lost.push({ unit: 'frames', count: pictures.length, how: 'paced' });
  if (!fresh.picture && movi.chunks.some(({ id }) => isPicture(id)))
    lost.push({ unit: 'video tracks', count: 1, how: 'untold' });
  // An empty chunk stands for a picture that is not shown, so that what follows keeps its time.
  const chunks = movi.chunks.flatMap((one) => {
    const name = names.get(one.id.slice(0, 2));
    return name ? [{ ...one, id: name + one.id.slice(2), length: isAdrift.has(one.offset) ? 0 : one.length }] : [];
  });
  return {
    head: list,
    chunks,
    prefix: prefix && alone !== null ? { at: alone, bytes: prefix } : null,
    steps,
    remarks,
    lost,
  };
}

/** What is gone of the end of a file that is shorter than its head says, by the pictures that this counts; what is gone elsewhere is told as bytes. */
function cutBehind({ size }: Source, { head, movi, riffOk, gaps }: Survey): Loss[] {
  const areAtEnd = gaps.every(({ offset, length }) => offset + length >= size);
  const told = head && !riffOk && areAtEnd ? secondsTold(head, movi) : null;
  return told ? lostBehind(told.all, told.left) : [];
}

/** Pictures of Motion JPEG that cannot be read to their end; chunks of other codecs begin with other bytes. */
function judgePictures({ source, job }: Reading, pictures: readonly Chunk[]): Unreadable {
  const spans = pictures.map(({ offset, length }) => ({ from: offset + 8, to: offset + 8 + length }));
  const effort = job.deadline.effort.share(judgingEffort);
  const isJpeg = (frame: Buffer) => frame.length > 2 && frame.readUInt16BE(0) === 0xffd8;
  const judge = judgeFor('jpeg', job);
  return unreadableFrames(
    source,
    spans,
    { ...judge, isSound: (frame) => !isJpeg(frame) || judge.isSound(frame) },
    effort,
  );
}

/** Surveys AVI (AVI RIFF File Reference, OpenDML 1.02): sizes, header lists, index and chunks. */
export async function examineAvi(reading: Reading): Promise<VideoExamined<AviParts>> {
  const seen = await survey(reading, reading.source, 0, 0.4);
  const { movi } = seen;
  const { head, chunks, prefix, steps, remarks, lost } = describeStreams(reading, seen);
  const pictures = movi.chunks.filter(({ id, length }) => length > 0 && isPicture(id));
  const shown = chunks.filter(({ id, length }) => length > 0 && isPicture(id));
  const amounts: Amount[] = [
    { unit: 'frames', count: shown.length },
    { unit: 'sound packets', count: chunks.filter(({ id }) => isSound(id)).length },
  ];
  const isEmpty = pictures.length === 0 && !movi.chunks.some(({ id }) => isSound(id));
  const hopeless: Hopeless | null = isEmpty ? 'empty' : head ? null : 'undescribed';
  const unreadable = judgePictures(reading, pictures);
  const mended = factsOf(await mendPictures(reading, pictures));
  const { overwritten: touched = 0, overwrittenSounds = 0 } = seen.listed ?? {};
  const overwritten: Loss[] = touched > 0 ? [{ unit: 'frames', count: touched, how: 'overwritten' }] : [];
  if (overwrittenSounds > 0) overwritten.push({ unit: 'sound packets', count: overwrittenSounds, how: 'overwritten' });
  const zeroed = overwrittenFacts(countOverwritten(reading.source, packedFrames(head, pictures)));
  // Pictures of which it is told already that they cannot be read to their end count once.
  const known = [...unreadable.lost, ...mended.lost].reduce((sum, { count }) => sum + count, 0);
  const torn = Math.max(0, seen.torn - known);
  if (torn > 0) overwritten.push({ unit: 'frames', count: torn, how: 'inside' });
  const cut = movi.gaps.reduce((sum, { length }) => sum + length, 0);
  return {
    damages: damagesOf(seen),
    inside: [...zeroed.damages, ...unreadable.damages, ...mended.damages],
    steps: [...steps, ...mended.steps],
    remarks: isEmpty ? [] : remarks,
    kept: amounts.filter(({ count }) => count > 0),
    rebuilt: mended.rebuilt,
    lost: isEmpty
      ? []
      : [
          ...lost,
          ...zeroed.lost,
          ...unreadable.lost,
          ...mended.lost,
          ...overwritten,
          ...cutBehind(reading.source, seen),
          ...(cut > 0 ? [{ unit: 'bytes', count: cut, how: 'cut' } as const] : []),
        ],
    wantsSample: hopeless === 'undescribed' || remarks.some(({ kind }) => kind === 'soundAlone'),
    hopeless,
    parts: { head, chunks, prefix, keys: seen.listed?.keys ?? null },
  };
}
