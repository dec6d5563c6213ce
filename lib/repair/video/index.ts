import { Draft, type EngineJob, type Outcome } from '../report';

/** Says honestly that videos are not repaired by this version of the engine; the file is left as it is. */
export async function repairVideo(job: EngineJob): Promise<Outcome> {
  const draft = new Draft(job.format);
  draft.note(
    `The file was recognised as ${job.format.toUpperCase()} video. This version of the engine does not repair video yet.`,
  );
  return draft.unrepairable('This version of the engine does not repair video, so nothing was changed.');
}
