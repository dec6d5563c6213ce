import { undoings } from '../../core/transfer/undo';
import { gone, nothingToldYet, type PhotoExamined, type PhotoReading, sound, survived } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Size, Step } from '../../report/facts/photo';
import { type Candidate, headCandidates } from './heads';
import { findPreviews } from './previews';
import { salvagedPreview } from './salvage';
import { faultsOf } from './structure';

/** What survives of a raw photo: all of it behind another head, or the camera's own picture inside. */
export type RawParts = { kind: 'structure'; data: Buffer; step: Step } | ({ kind: 'preview'; data: Buffer } & Size);

/** Largest pictures of a rebuilt file of which one must decode. */
const mostChecked = 2;

/** Surveys a raw photo: its structure first, and when the sensor data is beyond repair, the largest of the camera's own pictures inside, set right where it is damaged. */
export async function examineRaw({ job, shown }: PhotoReading): Promise<PhotoExamined<RawParts | null>> {
  const { bytes, format } = job;
  const told = nothingToldYet();
  told.damages.push(...faultsOf(format, bytes));
  if (told.damages.length === 0) {
    told.remarks.push({ kind: 'sensor' });
    return sound(told);
  }
  const preview = await shown();
  job.progress(0.4);
  const candidate = soundCandidate(job);
  if (candidate && (await findPreviews({ ...job, bytes: candidate.data }, mostChecked)).length > 0)
    return survived(told, { kind: 'structure', ...candidate });
  const salvaged = await salvagedPreview(job, preview ? preview.width * preview.height : 0);
  const picture = salvaged ?? (preview?.place ? { ...preview, data: cut(bytes, preview.place), isPart: false } : null);
  if (!picture) return gone(told, 'noPreview');
  const { width, height, data, isPart } = picture;
  told.remarks.push({ kind: 'preview', of: format });
  told.lost.push({ unit: 'sensor data', count: 1, how: 'raw', of: format });
  if (isPart) told.lost.push({ unit: 'pictures', count: 1, how: 'inside' });
  const parts = { kind: 'preview', data, width, height } as const;
  return { ...survived(told, parts), handsOut: 'jpg' };
}

const cut = (bytes: Buffer, { start, end }: { start: number; end: number }) => bytes.subarray(start, end);

/** The first of the ways to set a head right after which nothing is wrong with the structure; null when none is. */
function soundCandidate({ format, bytes, deadline }: EngineJob): Candidate | null {
  const candidates = headCandidates(format, bytes);
  for (const { bytes: data, count } of undoings(bytes))
    candidates.unshift({ data, step: { kind: 'textmode', bytes: count } });
  for (const candidate of candidates) {
    deadline.check();
    if (faultsOf(format, candidate.data).length === 0) return candidate;
  }
  return null;
}
