import type { CommonHopeless } from '../facts';
import type { Hopeless } from '../facts/video';
import type { Reason } from '../types';

/** The two ends without a result that are no failure, in words, alike for every family. `what` is the file: "video", "photo", "PDF". */
export const reasonWords = (what: string): Record<Reason, string> => ({
  'reads-best-as-is': `This ${what} is damaged, but programs show more of it as it is than of anything that a repair could make of it. Nothing was changed; keep your file.`,
  'not-looked-into': `The data of this ${what} is of a kind that this tool cannot look into, so it cannot say whether it is damaged. Nothing was changed.`,
});

/** Ends of videos without a result that are no failure, each in its own sentence. */
export const untouchedWords = {
  encrypted:
    'This video is encrypted, as streaming services, shops and broadcasters do it: its pictures and sound can only be read with the key, which their own player has. Nothing was changed.',
  unopened:
    'Programs do not open this video, and this tool cannot say why: what it can read of it is in order. Nothing was changed.',
  firstPiece:
    'This file is only the first piece of a streamed video: it describes picture and sound, and holds none. They lie in the other pieces of the stream.',
  laterPiece:
    'This file is one piece of a streamed video, and what describes its picture and sound lies in the first piece, often named “init”. Add that as the working video.',
} as const satisfies Partial<Record<Hopeless, string>>;

/** Which end that is no failure one without a result is, where it has a sentence of its own. */
export const reasonOf = (why: Hopeless | CommonHopeless): Reason | undefined =>
  why in untouchedWords ? 'not-looked-into' : undefined;
