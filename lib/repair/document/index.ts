import { repairOle } from '../formats/ole';
import { Draft, type Engine, type EngineJob, type Outcome } from '../report';
import { repairPdf } from './pdf';

const engines: Record<string, Engine> = {
  pdf: repairPdf,
  doc: repairOle,
  xls: repairOle,
  ppt: repairOle,
};

const oleStart = 0xe011cfd0;

/** Repairs documents. Word, Excel and PowerPoint files with a password are OLE files around an encrypted package ([MS-OFFCRYPTO]). */
export async function repairDocument(job: EngineJob): Promise<Outcome> {
  const wrapped = job.bytes.length >= 4 && job.bytes.readUInt32LE(0) === oleStart;
  const engine = wrapped ? repairOle : engines[job.format];
  if (engine) return engine(job);
  return new Draft(job.format).unrepairable('This format is not repaired by the document tool.');
}
