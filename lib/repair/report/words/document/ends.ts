import { counted } from '../../counted';
import type { CommonHopeless, End } from '../../facts';
import type { DocumentFacts, Hopeless } from '../../facts/document';
import { reasonWords } from '../reasons';
import { kindWords, pagesInWords } from './said';

const whyHopeless: Record<Hopeless | CommonHopeless, (kind: string) => string> = {
  'reads-best-as-is': (kind) => reasonWords(kind)['reads-best-as-is'],
  'not-looked-into': (kind) => reasonWords(kind)['not-looked-into'],
  mainGone: (kind) => `Too little of this ${kind} is left: its main part is gone.`,
  littleRead: (kind) => `Less than one fiftieth of this ${kind} could be read, which is too little to hand out.`,
  notOpened: (kind) => `The rebuilt ${kind} could not be opened again, so it is not handed out.`,
  notReadable: (kind) => `The rebuilt ${kind} is still not readable, so it is not handed out.`,
  unproven: (kind) => `The rebuilt ${kind} did not pass its own check, so it is not handed out.`,
  nothing: (kind) => `No text, cell or picture of this ${kind} could be brought back.`,
  bare: (kind) => `Nothing of what stands in this ${kind} itself could be brought back.`,
  noText: (kind) => `No text of this ${kind} could be brought back.`,
  passwordDamaged: (kind) =>
    `This ${kind} is protected with a password and its structure is damaged; without the password it cannot be put together again.`,
  older: () => 'This presentation of an early PowerPoint is damaged, and its format is not one this tool repairs.',
  encrypted: () =>
    'This PDF is encrypted and damaged, and what is needed to put its pages together again is lost or encrypted itself.',
  noPage: () => 'No page of this PDF could be brought back.',
  noPageShown: () => 'No text or picture of this PDF could be brought back.',
  passwordUnchecked: () =>
    'This PDF is damaged and asks for a password, without which no repair can be checked, so nothing is handed out.',
};

/** Packages have a check sum for each of their parts (APPNOTE 4.3.7); of all others only what was found can be told. */
const summed: ReadonlySet<string> = new Set(['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp']);

/** How a repair ended, in one sentence. */
export function summaryOf(end: End<DocumentFacts>, format: string): string {
  const kind = kindWords[format] ?? 'document';
  if (end.verdict === 'unrepairable') return whyHopeless[end.why](kind);
  switch (end.how) {
    case 'whole':
      return `${summed.has(format) ? 'Nothing is wrong with' : 'Nothing wrong was found in'} this ${kind}; it is returned unchanged.`;
    case 'pages':
      return `Nothing wrong was found in this PDF of ${counted(end.pages, 'page')}; it is returned unchanged.`;
    case 'password':
      return `This ${kind} is protected with a password and its structure is sound; it is returned unchanged.`;
    case 'older':
      return 'The structure of this presentation of an early PowerPoint is sound; it is returned unchanged.';
    case 'passwordCleaned':
      return `What did not belong to this ${kind}, which is protected with a password, was taken off; its structure is sound.`;
    case 'rebuilt':
      return `The ${kind} was written anew.`;
    case 'words': {
      const words = counted(end.words, 'word');
      return end.verdict === 'partly'
        ? `The ${kind} opens again and ${words} can be read, but parts of it were lost.`
        : `The ${kind} was repaired with everything in it: ${words} can be read.`;
    }
    case 'shown':
      return end.verdict === 'partly'
        ? `The PDF opens again with ${pagesInWords(end, 'and')}, but parts of it were lost.`
        : `The PDF was repaired: ${pagesInWords(end, 'with')} can be read.`;
    case 'asItIs':
      return `Readers can open ${pagesInWords(end, 'with')} as the file is.`;
  }
}
