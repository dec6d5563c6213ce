/** For so long the files of a replaced release are served, in milliseconds. */
export const KEPT_MS: number;

/** Before a build: puts the files of the release that is there aside. */
export function putLastReleaseAside(distDir: string, now: number): void;

/** Releases that were replaced less than a day ago, the newest first; older ones are removed. */
export function lastReleases(distDir: string, now: number): { folder: string; until: number }[];
