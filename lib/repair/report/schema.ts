import { z } from 'zod';
import { type RepairReport, verdicts } from './types';

const measures = z.array(z.object({ unit: z.string(), count: z.number(), detail: z.string().optional() }));
const digestOf = z.object({ bytes: z.number(), sha256: z.string() });

/** A report in JSON, as it leaves the engine's process. Apart from the index of this folder, so that the engine loads without it. */
export const reportSchema: z.ZodType<RepairReport> = z.object({
  engineVersion: z.string(),
  verdict: z.enum(verdicts),
  format: z.string().nullable(),
  summary: z.string(),
  notes: z.array(z.string()),
  found: z.array(z.object({ kind: z.string(), detail: z.string(), offset: z.number().nullable() })),
  steps: z.array(z.object({ name: z.string(), detail: z.string() })),
  kept: measures,
  rebuilt: measures,
  lost: measures,
  wantsSample: z.boolean().optional(),
  input: digestOf,
  output: digestOf.nullable(),
  durationMs: z.number(),
});
