import type { Family } from '../formats/table';

/** The four ends a repair can have. A file is never called damaged when nothing was found, nor repaired before it was read again. */
export const verdicts = ['healthy', 'repaired', 'partly', 'unrepairable'] as const;
export type Verdict = (typeof verdicts)[number];

/** One kind of damage: what it is in plain words, and where it begins in the input, in bytes. */
export type Finding = { kind: string; detail: string; offset: number | null };

/** One step of the repair and what it did. */
export type RepairStep = { name: string; detail: string };

/** An amount in the format's own units: pages, words, sheets, slides, blocks, frames. */
export type Measure = { unit: string; count: number; detail?: string | undefined };

/** Length in bytes and SHA-256 (lower-case hexadecimal) of a file. */
export type FileDigest = { bytes: number; sha256: string };

/** What a repair found, did, kept and lost; the same shape for every format. */
export type RepairReport = {
  engineVersion: string;
  verdict: Verdict;
  /** Detected format, lower-case extension such as `pdf` or `docx`; null when nothing was recognised. */
  format: string | null;
  /** One sentence for a person. */
  summary: string;
  /** Things a person should know: renamed type, password protection, what was guessed. */
  notes: string[];
  found: Finding[];
  steps: RepairStep[];
  kept: Measure[];
  rebuilt: Measure[];
  lost: Measure[];
  /** A working video from the same camera would help (videos without their index). */
  wantsSample?: boolean | undefined;
  input: FileDigest;
  output: FileDigest | null;
  durationMs: number;
};

/** Families of formats; the numbers are the type codes of the three online tools. */
export const families = { video: 17, document: 18, photo: 19 } as const satisfies Record<Family, number>;
export type { Family };
export type FamilyCode = (typeof families)[Family];
