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
