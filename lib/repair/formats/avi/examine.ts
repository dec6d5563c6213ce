import type { VideoExamined } from '../../families/video';
import { Buffer } from '../../host/bytes';
import type { Amount, Damage, Hopeless, Loss, Remark } from '../../report/facts/video';
import { factsOf } from '../../video/mend';
import type { Reading } from '../../video/session';
import { judgingEffort, type Unreadable, unreadableFrames } from '../../video/unreadable';
import { judgeFor } from '../judges';
import type { Chunk } from './chunks';
import { freshHeaders, patchHeaders } from './headers';
import { findHead, isPicture, isSound, type Survey, survey } from './survey';
import { mendPictures } from './units';

/** What survives of a file: the list that describes its streams, and the chunks to be written. */
export type AviParts = { head: Buffer | null; chunks: Chunk[] };

/** What describes the streams, and how it was come by. */
type Described = AviParts & { remarks: Remark[]; lost: Loss[] };

/** What is wrong with the file as a whole. */
function damagesOf({ riffOk, moviOk, indexOk, head, movi }: Survey): Damage[] {
  const damages: Damage[] = [];
  if (!riffOk) damages.push({ kind: 'header', how: 'size', offset: 0 });
  if (!moviOk) damages.push({ kind: 'structure', how: 'pictures', offset: movi.start - 8 });
  if (!indexOk) damages.push({ kind: 'index', how: 'unfit' });
  for (const { offset, length } of movi.gaps) damages.push({ kind: 'gap', bytes: length, offset });
  if (!head) damages.push({ kind: 'headers', offset: 0 });
  return damages;
}

/** The file's own description, that of a working video, or one made from the pictures and sound themselves. */
function describeStreams({ source, sample }: Reading, { head, movi }: Survey): Described {
  const { chunks } = movi;
  if (head) return { head: patchHeaders(head, movi), chunks, remarks: [], lost: [] };
  const borrowed = sample && findHead(sample, Math.max(0, sample.find(Buffer.from('movi'), 0) - 8));
  if (borrowed)
    return { head: patchHeaders(borrowed, movi), chunks, remarks: [{ kind: 'description', from: 'sample' }], lost: [] };
  const fresh = freshHeaders(source, movi);
  if (!fresh) return { head: null, chunks, remarks: [], lost: [] };
  const { list, rate, guessed, sounds } = fresh;
  const remarks: Remark[] = [{ kind: 'rate', rate, isGuess: guessed }];
  if (sounds.length > 0) return { head: list, chunks, remarks: [...remarks, { kind: 'toldSound', sounds }], lost: [] };
  const silent = chunks.filter(({ id }) => /d[cb]$/.test(id));
  const count = chunks.filter(({ id }) => isSound(id)).length;
  const lost: Loss[] = count > 0 ? [{ unit: 'sound packets', count, how: 'unformatted' }] : [];
  return { head: list, chunks: count > 0 ? silent : chunks, remarks, lost };
}

/** Pictures of Motion JPEG that cannot be read to their end; chunks of other codecs begin with other bytes. */
function judgePictures({ source, job }: Reading, pictures: readonly Chunk[]): Unreadable {
  const spans = pictures.map(({ offset, length }) => ({ from: offset + 8, to: offset + 8 + length }));
  const effort = job.deadline.effort.share(judgingEffort);
  const isJpeg = (frame: Buffer) => frame.length > 2 && frame.readUInt16BE(0) === 0xffd8;
  const judge = judgeFor('jpeg', job);
  return unreadableFrames(source, spans, { isSound: (frame) => !isJpeg(frame) || judge.isSound(frame) }, effort);
}

/** Surveys AVI (AVI RIFF File Reference, OpenDML 1.02): sizes, header lists, index and chunks. */
export async function examineAvi(reading: Reading): Promise<VideoExamined<AviParts>> {
  const seen = await survey(reading, reading.source, 0, 0.4);
  const { movi } = seen;
  const { head, chunks, remarks, lost } = describeStreams(reading, seen);
  const pictures = movi.chunks.filter(({ id, length }) => length > 0 && isPicture(id));
  const amounts: Amount[] = [
    { unit: 'frames', count: pictures.length },
    { unit: 'sound packets', count: chunks.filter(({ id }) => isSound(id)).length },
  ];
  const isEmpty = pictures.length === 0 && !movi.chunks.some(({ id }) => isSound(id));
  const hopeless: Hopeless | null = isEmpty ? 'empty' : head ? null : 'undescribed';
  const unreadable = judgePictures(reading, pictures);
  const mended = factsOf(await mendPictures(reading, pictures));
  const cut = movi.gaps.reduce((sum, { length }) => sum + length, 0);
  return {
    damages: damagesOf(seen),
    inside: [...unreadable.damages, ...mended.damages],
    steps: mended.steps,
    remarks: isEmpty ? [] : remarks,
    kept: amounts.filter(({ count }) => count > 0),
    rebuilt: mended.rebuilt,
    lost: isEmpty
      ? []
      : [
          ...lost,
          ...unreadable.lost,
          ...mended.lost,
          ...(cut > 0 ? [{ unit: 'bytes', count: cut, how: 'cut' } as const] : []),
        ],
    wantsSample: hopeless === 'undescribed',
    hopeless,
    parts: { head, chunks },
  };
}
