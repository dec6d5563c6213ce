import 'server-only';
import { z } from 'zod';
import { verdicts } from '../../contract/repair';

const measures = z.array(z.object({ unit: z.string(), count: z.number(), detail: z.string().optional() }));
const digestOf = z.object({ bytes: z.number(), sha256: z.string() });

/** The engine's report as it crosses the process border: the contract's RepairReport. */
export const reportSchema = z.object({
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
