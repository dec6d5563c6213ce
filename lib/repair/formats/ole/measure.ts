import { type DocumentContent, type DocumentReading, nothingToldYet } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Amount } from '../../report/facts/document';
import { holdsMore } from '../../verdict';
import { readOle } from './container';
import { amountsOf, checkContainer, checkContent } from './content';
import { checkLetters, type OleKnown } from './examine';

/** Damages that are told of a file that is still not readable. */
const mostTold = 3;

/**
 * Opens a rebuilt file as an unknown one, and counts what is in it. There is no other reader of the three formats that could stand in for
 * ours here: it is the one that looks at every file for damage.
 */
export async function measureOle(
  { bytes, known }: { bytes: Buffer; known: OleKnown },
  { job: given }: DocumentReading,
): Promise<DocumentContent> {
  const job = { ...given, bytes };
  const told = nothingToldYet();
  const file = readOle(job, told);
  checkContainer(file, told);
  checkContent(job, file, told);
  if (told.damages.length > 0)
    return { state: 'faulty', why: { kind: 'support.damages', damages: told.damages.slice(0, mostTold) } };
  const amounts = amountsOf(job, file);
  const count = (of: string) => amounts.find(({ unit }) => unit === of)?.count ?? 0;
  const words = count('words');
  // Without a word it may have been so from the beginning, where it holds sheets or slides.
  const hasUnits = amounts.every(({ unit, count }) => unit === 'words' || unit === 'cells' || count > 0);
  if (words + count('cells') + count('pictures') === 0 && !(hasUnits && known.isEmpty))
    return { state: 'empty', why: 'noText' };
  if (holdsMore(amountsBefore(given), amounts)) return { state: 'worse', instead: null };
  return {
    state: 'read',
    amounts,
    step: { kind: 'check.words', words },
    end: { how: 'words', words },
    lost: [],
    remarks: [],
  };
}

/** What the same reader counts in the damaged file: nothing where it would not hand that out either. */
function amountsBefore(job: EngineJob): Amount[] {
  if (job.undone) return [];
  const told = nothingToldYet();
  const file = readOle(job, told);
  checkContainer(file, told);
  checkContent(job, file, told);
  // What it was overwritten with would count as words.
  checkLetters(job, file, told);
  return told.damages.length === 0 ? amountsOf(job, file) : [];
}
