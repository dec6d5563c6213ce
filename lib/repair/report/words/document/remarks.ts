import { counted } from '../../counted';
import type { Remark, RemarkFigures } from '../../facts/document';
import { findingOf } from './damages';
import { kindWords, said, type Words, wasOrWere } from './said';

const remarks: Words<RemarkFigures, string> = {
  'support.faults': ({ faults }) =>
    `Details for support: ${faults.map(({ part, fault }) => `${part}: ${fault}`).join('; ')}`,
  'support.damages': ({ damages }) =>
    `Details for support: ${damages.map((damage) => findingOf(damage).detail).join(' ')}`,
  unseen: ({ count }) =>
    `${counted(count, 'photo')} ${wasOrWere(count)} not looked into: the document holds more of them than one repair looks through.`,
  sheetsGone: () => 'The sheets themselves are gone. Only the texts of the cells could be saved, without their places.',
  formatGuess: ({ count }) =>
    `${counted(count, 'cell')} named formats that are not there and got usual ones of the sheet, so dates and figures there may look different.`,
  sheetNames: () => 'The names of the sheets could not be recovered; they are called Sheet1, Sheet2 and so on.',
  writing: () => 'The beginning of the document is gone; what reads as writing was saved as plain text.',
  presentation: () =>
    'The main part of the presentation is gone; a new plain one lists the slides in the order they were found in.',
  password: ({ of }) => `The ${kindWords[of]} is protected with a password, so its content cannot be looked at.`,
  passwordPdf: () =>
    'The file asks for a password. Its structure is sound; the pages themselves cannot be looked at without the password.',
  opensEncrypted: () =>
    'The file is encrypted but opens without a password. Whether all of its packed content is whole cannot be told.',
  opensChecked: () => 'The file is encrypted but opens without a password. It stays encrypted.',
  older: () => 'It was written by PowerPoint 95 or an earlier version, whose slides this tool does not look into.',
  identifier: () =>
    'The file is encrypted, and the identifier that its key is made from was lost with the end of the file.',
  pageGuess: () => 'Where the description of a page was lost, its size is a guess and pictures on it may be missing.',
  fontGuess: () =>
    'Some fonts were lost with the missing part of the file; another font stands in for them, so letters may look different.',
  lettersTold: ({ languages }) =>
    `What says which letters the text is made of is lost. They were told by which letters follow each other in ${languages}: most words come out right, but capitals may be wrong, and figures and rare signs are missing.`,
  lettersLost: () =>
    'The text is stored as numbers of letters in fonts that are lost, so nobody can tell which letters they are.',
  lettersPart: ({ percent }) =>
    `About ${percent} % of the text cannot be read, as the font that says which letters it is made of is lost.`,
  textHidden: () =>
    'The pages show something, but none of the text on them can be read: what says which letters it is made of is gone.',
  streamsLeft: ({ count }) =>
    count === 1
      ? 'Readers make more of one damaged piece of the pages as it is than of what a repair could make of it, so it was left alone.'
      : `Readers make more of ${count} damaged pieces of the pages as they are than of what a repair could make of them, so they were left alone.`,
  asItIs: () => 'Rebuilding the file would have lost text that readers can still reach, so it is left as it is.',
  capitals: ({ count }) =>
    `${counted(count, 'part')} ${wasOrWere(count)} named in other capitals than the rest of the document calls ${count === 1 ? 'it' : 'them'}. That is allowed, but some programs do not find ${count === 1 ? 'it' : 'them'} so.`,
  noSums: () =>
    'Structure and content were read to their end; the format has no check sums, so a changed letter, figure or format that still makes sense cannot be told.',
  fewSums: () =>
    'Structure and packed data were checked, and a reader opened the pages; only what is packed by Flate has check sums, so a changed byte elsewhere that still makes sense cannot be told.',
};

/** A remark in words. */
export const noteOf = (remark: Remark): string => said(remarks, remark.kind, remark);
