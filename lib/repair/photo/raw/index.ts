import type { Buffer } from '../../host/bytes';
import { Draft, type EngineJob, type Outcome } from '../../report';
import { withoutAddedReturns } from '../textmode';
import { headCandidates } from './heads';
import { findPreviews } from './previews';
import { checkCr3, checkCrw, checkRaf, checkTiffRaw, type Faults } from './structure';

const checks: Record<string, (bytes: Buffer) => Faults> = { cr3: checkCr3, raf: checkRaf, crw: checkCrw };

/** Repairs raw photos: their structure first, and when the sensor data is beyond repair, the camera's own full-size JPEG inside. */
export async function repairRaw(job: EngineJob): Promise<Outcome> {
  const draft = new Draft(job.format);
  const name = job.format.toUpperCase();
  const check = checks[job.format] ?? checkTiffRaw;
  const faults = check(job.bytes);
  const previews = await findPreviews(job);
  const shown = previews[0] ? `${previews[0].width} × ${previews[0].height}` : null;
  if (faults.length === 0) {
    if (previews[0])
      draft.kept.push({ unit: 'pixels', count: previews[0].width * previews[0].height, detail: `preview ${shown}` });
    draft.note(
      'The structure and the pictures inside were checked; the sensor data itself cannot be judged without the camera maker’s own software.',
    );
    return draft.healthy(`Nothing is wrong with the structure of this ${name} photo; it is returned unchanged.`);
  }
  for (const fault of faults) draft.find(fault.kind, fault.detail, fault.offset);
  job.progress(0.4);
  const repaired = repairStructure(job, check);
  if (repaired && (await findPreviews({ ...job, bytes: repaired.data }, 2)).length > 0) {
    draft.step('Rewrite head', repaired.detail);
    draft.step(
      'Check the result',
      'The structure of the repaired file was read again, and the picture inside was decoded.',
    );
    if (previews[0])
      draft.kept.push({ unit: 'pixels', count: previews[0].width * previews[0].height, detail: `preview ${shown}` });
    return draft.done(
      { kind: 'bytes', bytes: repaired.data },
      { repaired: `The structure of this ${name} photo was repaired.`, partly: '' },
    );
  }
  return preview(job, draft, name, previews[0]);
}

function repairStructure(job: EngineJob, check: (bytes: Buffer) => Faults): { data: Buffer; detail: string } | null {
  const stripped = withoutAddedReturns(job.bytes);
  const candidates = headCandidates(job.format, job.bytes);
  if (stripped)
    candidates.unshift({ data: stripped, detail: 'Bytes that a transfer in text mode had added were taken out.' });
  for (const candidate of candidates) {
    job.deadline.check();
    if (check(candidate.data).length === 0) return candidate;
  }
  return null;
}

/** The largest JPEG inside, handed out as a JPEG and named as that. */
function preview(
  job: EngineJob,
  draft: Draft,
  name: string,
  best: { start: number; end: number; width: number; height: number } | undefined,
): Outcome {
  if (!best)
    return draft.unrepairable(
      `Neither the sensor data nor any picture inside this ${name} photo could be brought back.`,
    );
  const size = `${best.width} × ${best.height}`;
  const jpeg = new Draft('jpg');
  for (const finding of draft.found) jpeg.find(finding.kind, finding.detail, finding.offset);
  jpeg.step('Take out the picture', `The camera’s own JPEG of ${size} pixels was taken out of the raw photo.`);
  jpeg.step('Check the result', `The JPEG was decoded: ${size} pixels.`);
  jpeg.note(
    `This is the JPEG picture that the camera had put inside the ${name} file, not the raw photo itself; save it with the ending .jpg.`,
  );
  jpeg.kept.push({ unit: 'pixels', count: best.width * best.height, detail: size });
  jpeg.lost.push({ unit: 'sensor data', count: 1, detail: `the raw data of the ${name} photo` });
  const bytes = job.bytes.subarray(best.start, best.end);
  return jpeg.done(
    { kind: 'bytes', bytes },
    {
      repaired: '',
      partly: `The raw data is beyond repair, but the camera’s own picture of ${size} pixels inside it was saved as a JPEG.`,
    },
  );
}
