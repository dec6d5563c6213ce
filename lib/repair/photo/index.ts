import { Draft, type Engine, type EngineJob, type Outcome } from '../report';
import { repairJpeg } from './jpeg';
import { repairRaw } from './raw';
import { repairTiff } from './tiff';

const engines: Record<string, Engine> = {
  jpg: repairJpeg,
  tif: repairTiff,
  cr2: repairRaw,
  cr3: repairRaw,
  nef: repairRaw,
  nrw: repairRaw,
  arw: repairRaw,
  dng: repairRaw,
  gpr: repairRaw,
  raf: repairRaw,
  crw: repairRaw,
};

/** Repairs photos of every format the online tool takes. */
export async function repairPhoto(job: EngineJob): Promise<Outcome> {
  const engine = engines[job.format];
  return engine ? engine(job) : new Draft(job.format).unrepairable('This format is not repaired by the photo tool.');
}
