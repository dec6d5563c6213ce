import { Draft, type Engine, type EngineJob, type Outcome } from '../report';
import { repairJpeg } from './jpeg';
import { repairPng } from './png';

const engines: Record<string, Engine> = { jpg: repairJpeg, png: repairPng };

/** Repairs photos; formats without an engine yet are said so honestly. */
export async function repairPhoto(job: EngineJob): Promise<Outcome> {
  const engine = engines[job.format];
  if (engine) return engine(job);
  const draft = new Draft(job.format);
  draft.note(
    `The file was recognised as ${job.format.toUpperCase()}. This version of the engine does not repair that format yet.`,
  );
  return draft.unrepairable('This version of the engine does not repair this format, so nothing was changed.');
}
