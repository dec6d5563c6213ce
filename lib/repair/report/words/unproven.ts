import { counted } from '../counted';
import type { Remark } from '../facts/video';

const bits =
  'Structure, index and every frame were read to their end. Changed or overwritten bytes with which a frame still decodes would not be noticed: they all do in pictures and sound that are not compressed, most in compressed sound, nearly all in Huffyuv, Windows Media and Microsoft’s MPEG-4, and a good part in AV1, MPEG-2, MPEG-4, H.263, DNxHD, H.264 that is interlaced, in full colours or without arithmetic coding, and HEVC in full colours or in tiles.';
const end =
  'Nor would an end that was cut off exactly between two packets, where the file does not say how long it is.';

const others = 'As bits had changed in this file, others may be among them.';

/** What would go unnoticed in a video in which nothing wrong was found, or nothing more than what was set right. */
export const unseenOf = ({ isEndUnseen, areBitsWrong }: Extract<Remark, { kind: 'bitsUnseen' }>): string =>
  [bits, ...(isEndUnseen ? [end] : []), ...(areBitsWrong ? [others] : [])].join(' ');

/** How fast sound is played whose own frames do not say. */
export const soundRateOf = ({ rate, isGuess }: Extract<Remark, { kind: 'soundRate' }>): string =>
  isGuess
    ? `How fast the sound is played, ${counted(rate, 'sample')} a second, is a guess: the file no longer says. If picture and sound run too fast or too slow, add a working video from the same camera.`
    : `How fast the sound is played, ${counted(rate, 'sample')} a second, was told by the pictures, which are shown at a usual rate with it.`;
