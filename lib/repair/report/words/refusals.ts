import type { ForeignKind } from '../../formats/foreign';
import { foreignWords } from '../../formats/foreign';
import type { Family, Reason } from '../types';

/** Why a file is not looked into by any format. */
export type Refusal =
  | { why: 'empty' | 'unrecognised' }
  | { why: 'blank'; byte: number }
  | { why: 'foreign'; what: ForeignKind }
  | { why: 'large'; most: number }
  | { why: 'family'; format: string; family: Family }
  | { why: 'limit'; message: string }
  | { why: 'unreadable'; error: string };

/** Where the content may be that somebody looked for in such a file. */
export const foreignAdvice = {
  html: 'A download that turns out to be a web page is often that of a sign-in or of an error: sign in where it came from, and download the file once more.',
  text: 'A text editor opens it; a table in text opens in a spreadsheet program under the ending .csv.',
  xml: 'Word and Excel open documents that they saved as XML.',
  torrent: 'It names a download and does not hold it.',
  appleDouble:
    'A Mac keeps notes in it about the file of the same name without “._” in front: that one holds the content.',
  shortcut: 'It leads to a file and does not hold it: send the file itself.',
  googleLink: 'The document is at Google and not in this file: open it there, and download it as DOCX, XLSX or PPTX.',
  officeLock: 'Office keeps it beside a document while that is open: the document lies beside it, under its own name.',
} as const satisfies Partial<Record<ForeignKind, string>>;
const advice: Partial<Record<ForeignKind, string>> = foreignAdvice;

const familyWords: Record<Family, string> = { video: 'video', document: 'document', photo: 'photo' };

/** What a refusal says: how the repair ended, what a person should know besides, and that nothing is broken where the file is only of another kind. */
type Said = { summary: string; notes: string[]; reason?: Reason };

/** A refusal in words. */
export function refusalInWords(refusal: Refusal): Said {
  switch (refusal.why) {
    case 'empty':
      return {
        summary: 'The file is empty: it holds no bytes at all, so there is nothing to bring back.',
        notes: [],
      };
    case 'blank':
      return {
        summary:
          refusal.byte === 0
            ? 'Every byte of this file is zero: its place was set aside, but its content was never written there, or was wiped.'
            : 'Every byte of this file is FF, as erased memory reads: its content was never written there, or was wiped.',
        notes: [
          'Nothing of it is left in this file. If the card or drive that it comes from still works, write nothing more to it, and search that.',
        ],
      };
    case 'unrecognised':
      return {
        summary: 'The content was not recognised as any format this tool repairs, so nothing was changed.',
        notes: [],
      };
    case 'foreign': {
      const what = foreignWords[refusal.what];
      const more = advice[refusal.what];
      return {
        summary: `This file is ${what}, which this tool does not repair.`,
        notes: [`By its content this file is ${what}.`, ...(more ? [more] : [])],
        // What holds no content of the kind that was looked for is lost to somebody who takes it for that.
        ...(!more && { reason: 'not-looked-into' }),
      };
    }
    case 'large': {
      const size = `${Math.floor(refusal.most / (1024 * 1024)).toLocaleString('en-US')} MB`;
      return {
        summary: `The file is larger than ${size}, the most this tool opens.`,
        notes: [],
        reason: 'not-looked-into',
      };
    }
    case 'family': {
      const tool = familyWords[refusal.family];
      const format = refusal.format.toUpperCase();
      return {
        summary: `This is a ${tool} file, which this tool does not repair; use the ${tool} repair tool.`,
        notes: [`By its content this is a ${format} file; the ${tool} repair tool takes it.`],
        reason: 'not-looked-into',
      };
    }
    case 'limit':
      return { summary: refusal.message, notes: [] };
    case 'unreadable':
      return {
        summary: 'The damage is of a kind this tool could not read its way through, so nothing was written.',
        notes: [`Details for support: ${refusal.error}`],
      };
  }
}

/** A file of which nothing came back, and whose bytes are as even as those of encryption. */
export const evenInWords =
  'From beginning to end its bytes come as evenly as those of encrypted files. If a program encrypted it, only the key brings it back.';

/** A name that says another format than the content does. */
export function wrongNameInWords(fileName: string, format: string): string {
  return `The name ends in “${fileName.slice(fileName.lastIndexOf('.'))}”, but the content is ${format.toUpperCase()}.`;
}
