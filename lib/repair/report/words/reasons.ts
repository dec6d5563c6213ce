import type { Reason } from '../types';

/** The two ends without a result that are no failure, in words, alike for every family. `what` is the file: "video", "photo", "PDF". */
export const reasonWords = (what: string): Record<Reason, string> => ({
  'reads-best-as-is': `This ${what} is damaged, but programs show more of it as it is than of anything that a repair could make of it. Nothing was changed; keep your file.`,
  'not-looked-into': `The data of this ${what} is of a kind that this tool cannot look into, so it cannot say whether it is damaged. Nothing was changed.`,
});
