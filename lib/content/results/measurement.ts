/** Mean values of some damaged files, in percent of what the original holds, to a tenth. */
export type MeasuredValues = {
  files: number;
  /** What can be read of the damaged files as they are. */
  damaged: number;
  repaired: number;
  /** With a working file of the same camera; null where one plays no part. */
  withSample: number | null;
  /** Other tools by name, each as it comes. */
  tools: Readonly<Record<string, number>>;
};

/** The files of one format, or of several that are scored together. */
export type MeasuredFormat = MeasuredValues & {
  name: string;
  family: 'video' | 'photo' | 'document';
  /** The third of the files that nothing was tuned on; null where there is none. */
  heldBack: { files: number; repaired: number } | null;
  /** How long a repair took: half of them, nine in ten, and the longest. */
  milliseconds: { median: number; most: number; longest: number };
  /** Results with under 2 % in them, results worse than the damaged file, and damage that was called healthy. */
  wrong: { nextToNothing: number; worse: number; unnoticed: number };
  damages: readonly (MeasuredValues & { damage: string })[];
  /** Kinds of file and damage of which less than half comes back. */
  failures: readonly { what: string; damaged: number; repaired: number }[];
};

/** What `npm run bench:results` measured, as it writes it to `measured.json`. */
export type Measurement = {
  /** ISO 8601. */
  day: string;
  /** The version of the product, and the state of the engine's sources. */
  engine: { version: string; state: string };
  machine: string;
  /** How often each kind of damage was done at another place. */
  seeds: number;
  tools: readonly { name: string; version: string }[];
  originals: number;
  /** Healthy files that were called damaged. */
  alarms: readonly string[];
  formats: readonly MeasuredFormat[];
};
