import { type Encoding, encodings } from '../../core/transfer/carried';
import { counted } from '../counted';

/** What carries a file as letters, and what stands twice, is told in a sentence of its own; the others are ways to lie in a message. */
const inMessage = {
  plain: 'as it is',
  chunked: 'in chunks, each behind its size',
  base64: 'as letters and digits (base64)',
  quoted: 'as text with codes (quoted-printable)',
  uuencode: 'as lines of letters (uuencode)',
} as const;

const byThemselves: Record<Exclude<Encoding, keyof typeof inMessage>, (what: string) => string> = {
  hex: (what) => `The ${what} was written as hexadecimal digits, as databases do.`,
  utf16le: (what) => `Every byte of the ${what} was written as two (UTF-16), as happens when a file is stored as text.`,
  utf16be: (what) => `Every byte of the ${what} was written as two (UTF-16), as happens when a file is stored as text.`,
  gzip: (what) => `The ${what} was still packed (gzip), as servers send files.`,
  deflated: (what) => `The ${what} was packed in a ZIP archive.`,
  stored: (what) => `The ${what} lay in a ZIP archive.`,
  tar: (what) => `The ${what} lay in a TAR archive.`,
  again: (what) =>
    `The beginning of the ${what} stood in it a second time, as happens when a transfer breaks off and begins anew.`,
};

const isInMessage = (how: Encoding): how is keyof typeof inMessage => how in inMessage;

/** How a file, or a video, lay in what carried it. */
export const carriedInWords = (how: Encoding, what: 'file' | 'video' = 'file'): string =>
  isInMessage(how)
    ? `The ${what} lay in the message that it was sent with, ${inMessage[how]}.`
    : byThemselves[how](what);

/** What taking a file out of what carried it is called. */
export function takingOut(how: Encoding): string {
  if (isInMessage(how)) return 'Take the file out of its message';
  if (how === 'again') return 'Take out what stood twice';
  if (how === 'deflated' || how === 'stored' || how === 'tar') return 'Take the file out of its archive';
  return how === 'gzip' ? 'Unpack the file' : 'Undo text mode';
}

/** What taking a file out of what carried it did to its size; packed ones become larger. */
export function takenOut(count: number): string {
  const named = counted(Math.abs(count), 'byte');
  return count < 0
    ? `The file is ${named} larger than what it was packed in.`
    : `${named} that the transfer had added were taken out.`;
}

/** Something for each way in which a file lies in what carried it. */
export const forEachWay = <T, P extends string>(prefix: P, of: (how: Encoding) => T): Record<`${P}${Encoding}`, T> =>
  Object.fromEntries(encodings.map((how) => [`${prefix}${how}`, of(how)])) as Record<`${P}${Encoding}`, T>;

/** That a stretch stood in a file twice. */
export const twiceInWords =
  'A stretch of the file stood in it twice, as happens when a piece is copied or sent a second time.';
