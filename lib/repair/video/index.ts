import { repairIso } from '../formats/iso';
import { type EngineJob, LimitError, type Outcome } from '../report';
import { judgeByDecoding } from './decode';
import { type Session, withSession } from './session';
import { withoutTextMode } from './textmode';

const containers: Record<string, (session: Session) => Promise<Outcome>> = {};

/**
 * Checks and repairs one video. The file is read in pieces; a healthy one is left alone, a repaired one is written to the job's
 * output path, opened again and decoded before the verdict. Everything but MKV, TS and MXF is read as ISO base media.
 */
export async function repairVideo(job: EngineJob): Promise<Outcome> {
  const outcome = await withSession(job, async (session) => {
    try {
      return await withoutTextMode(session, containers[job.format] ?? repairIso);
    } catch (error) {
      if (error instanceof LimitError || !(error instanceof RangeError)) throw error;
      session.draft.note(`Details for support: ${error.message}`);
      return session.draft.unrepairable(
        'The damage is of a kind this tool could not read its way through, so nothing was written.',
      );
    }
  });
  return judgeByDecoding(job, outcome);
}
