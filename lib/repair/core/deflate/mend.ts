/**
 * What a kind of content (text, rows of a picture) knows of itself, for the mender: it reads the content out of packed data, sees where it
 * goes wrong, and can tell what sets it right. `Trouble` is what it knows of a place where it does.
 */
export interface MendJudge<Trouble> {
  /** Reads on as far as the content is right. The trouble where it is not; null where all is read, or nothing more can be. */
  read(): Trouble | null;
  /** Changes the bits that are wrong, so that the content is right further on; false where none are found. */
  correct(trouble: Trouble): boolean;
  /** Goes on behind what cannot be set right; false where that cannot be done either. */
  goOn(trouble: Trouble): boolean;
}

/**
 * Mends packed content, from one trouble to the next: a wrong bit makes all that follows go wrong, so that only with it set right, or with
 * its place known to be lost, the next can be seen. Ends when there is no trouble left, none that the judge can deal with, or at one
 * for which `isEnough` says so.
 */
export function mend<Trouble>(judge: MendJudge<Trouble>, isEnough: (troubles: number) => boolean): void {
  let troubles = 0;
  for (let trouble = judge.read(); trouble !== null; trouble = judge.read()) {
    if (isEnough(++troubles)) return;
    if (!judge.correct(trouble) && !judge.goOn(trouble)) return;
  }
}
