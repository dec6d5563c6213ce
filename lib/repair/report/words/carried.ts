import type { Encoding } from '../../core/transfer/envelope';

const ways: Record<Encoding, string> = {
  plain: 'as it is',
  chunked: 'in chunks, each behind its size',
  base64: 'as letters and digits (base64)',
  quoted: 'as text with codes (quoted-printable)',
};

/** How a file, or a video, lay in what carried it. */
export const carriedInWords = (how: Encoding, what: 'file' | 'video' = 'file'): string =>
  `The ${what} lay in the message that it was sent with, ${ways[how]}.`;

/** That a stretch stood in a file twice. */
export const twiceInWords =
  'A stretch of the file stood in it twice, as happens when a piece is copied or sent a second time.';
