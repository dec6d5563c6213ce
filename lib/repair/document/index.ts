import { Draft, type EngineJob, type Outcome } from '../report';
import { repairPdf } from './pdf';

/** Repairs PDF. */
export async function repairDocument(job: EngineJob): Promise<Outcome> {
  if (job.format === 'pdf') return repairPdf(job);
  return new Draft(job.format).unrepairable('This format is not repaired by the document tool.');
}
