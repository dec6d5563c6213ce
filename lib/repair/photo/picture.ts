import type { Buffer } from '../host/bytes';
import { openPicture, type Picture } from '../readers/pictures';
import type { Draft, EngineJob, Outcome } from '../report';

/**
 * Opens a rebuilt picture with the independent decoder and closes the report; what cannot be opened is never handed out. `opened` is what
 * that decoder made of the damaged file, which it read in another thread meanwhile.
 */
export async function repairedPicture(
  job: EngineJob,
  draft: Draft,
  output: Buffer | null,
  opened: Promise<Picture | null> | null,
): Promise<Outcome> {
  if (draft.found.length === 0) draft.find('data', 'A decoder has to look past faults to show the picture.');
  const before = await opened;
  const after = output ? await openPicture(output, job.limits, true) : null;
  // One colour all over is no content, unless the file opened before and nothing of it is missing: a blank page is one, too.
  const blank = after?.blank === true && (before?.blank ?? true) && (!before || draft.lost.length > 0);
  if (!output || !after || blank) {
    if (before && !before.blank) {
      draft.steps.length = 0;
      draft.rebuilt.length = 0;
      draft.kept.push({
        unit: 'pixels',
        count: before.width * before.height,
        detail: `${before.width} × ${before.height}`,
      });
      draft.lost.push({ unit: 'structure', count: 1, detail: 'the damage is still in the file' });
      draft.note('Programs can show the photo as it is; rebuilding it would not have brought back more.');
      return draft.done(
        { kind: 'bytes', bytes: job.bytes },
        { repaired: '', partly: 'The photo can be shown as it is, with the damage still visible.' },
      );
    }
    return draft.unrepairable('No part of this picture could be brought back.');
  }
  const size = `${after.width} × ${after.height}`;
  draft.kept.push({ unit: 'pixels', count: after.width * after.height, detail: size });
  draft.step('Check the result', `The repaired photo was opened by another decoder: ${size} pixels.`);
  return draft.done(
    { kind: 'bytes', bytes: output },
    {
      repaired: `The photo was repaired: ${size} pixels.`,
      partly: `The photo opens again with ${size} pixels, but parts of it were lost.`,
    },
  );
}
