import * as z from 'zod/mini';

/*
 * What leaves the engine, as data: the one definition of a report's shape, for the engine's process, the API and the
 * browser alike. In zod/mini, which is small enough for a browser, and free of `node:`.
 */

/** The four ends a repair can have. A file is never called damaged when nothing was found, nor repaired before it was read again. */
export const verdictSchema = z.enum(['healthy', 'repaired', 'partly', 'unrepairable']);

/** One kind of damage: what it is in plain words, and where it begins in the input, in bytes. */
const findingSchema = z.object({ kind: z.string(), detail: z.string(), offset: z.nullable(z.number()) });

/** One step of the repair and what it did. */
const repairStepSchema = z.object({ name: z.string(), detail: z.string() });

/** An amount in the format's own units: pages, words, sheets, slides, blocks, frames. */
export const measureSchema = z.object({ unit: z.string(), count: z.number(), detail: z.optional(z.string()) });

/** Length in bytes and SHA-256 (lower-case hexadecimal) of a file. */
const fileDigestSchema = z.object({ bytes: z.number(), sha256: z.string() });

/**
 * Two kinds of `unrepairable` that are no failure: data of a kind that nothing here can judge, and a damaged file of which every result would
 * read worse than the file itself. Nothing is changed; the summary says which.
 */
export const reasonSchema = z.enum(['not-looked-into', 'reads-best-as-is']);

/** What a repair found, did, kept and lost; the same shape for every format. */
export const reportSchema = z.object({
  engineVersion: z.string(),
  verdict: verdictSchema,
  reason: z.optional(reasonSchema),
  /** Detected format, lower-case extension such as `pdf` or `docx`; null when nothing was recognised. */
  format: z.nullable(z.string()),
  /** One sentence for a person. */
  summary: z.string(),
  /** Things a person should know: renamed type, password protection, what was guessed. */
  notes: z.array(z.string()),
  found: z.array(findingSchema),
  steps: z.array(repairStepSchema),
  kept: z.array(measureSchema),
  rebuilt: z.array(measureSchema),
  lost: z.array(measureSchema),
  /** A working video from the same camera would help (videos without their index). */
  wantsSample: z.optional(z.boolean()),
  input: fileDigestSchema,
  output: z.nullable(fileDigestSchema),
  durationMs: z.number(),
});

export type Verdict = z.infer<typeof verdictSchema>;
export type Reason = z.infer<typeof reasonSchema>;
export type Finding = z.infer<typeof findingSchema>;
export type RepairStep = z.infer<typeof repairStepSchema>;
export type Measure = z.infer<typeof measureSchema>;
export type RepairReport = z.infer<typeof reportSchema>;
