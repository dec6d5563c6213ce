/**
 * Work for ffmpeg in a process of its own. Inputs are `/in/0`, `/in/1` and so on: ranges of the file at `path` as offset and length in
 * bytes, one after another, or null for all of it. The output is `/output`, which becomes the file at `outputPath`.
 */
export type MediaJob = {
  path: string;
  inputs: ((readonly [number, number])[] | null)[];
  outputPath: string | null;
  options: string[];
};

/**
 * A line of JSON for that process: a job under a number, or the number of one that is to be stopped. Each line that a job prints comes back
 * with its number and a space before it, so that nothing in a file can pass for another job's; a number, `=` and a code tell that it is
 * done, 0 if all went well.
 */
export type MediaOrder = { id: number; job: MediaJob } | { id: number; job: null };
