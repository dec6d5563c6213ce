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
 * Work for the decoder of AV1, which ffmpeg in WebAssembly is built without: the first track of pictures of the file at `path`. It prints a
 * line of each packet: whether a picture was `taken` of it or it was `refused`, and when it is shown and for how long, in seconds, and the
 * bytes of the picture.
 */
export type PictureJob = { path: string; pictures: 'av1' };

/**
 * A line of JSON for that process: a job under a number, or the number of one that is to be stopped. Each line that a job prints comes back
 * with its number and a space before it, so that nothing in a file can pass for another job's; a number, `=` and a code tell that it is
 * done, 0 if all went well.
 */
export type MediaOrder = { id: number; job: MediaJob | PictureJob | null };
