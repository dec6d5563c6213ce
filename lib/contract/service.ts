import * as z from 'zod/mini';
import { momentSchema } from './fields';

/** What a server that is ready could do just now: write a row and a byte. `disk` is low when uploads are refused for want of room. */
const readinessSchema = z.object({
  database: z.literal('written'),
  store: z.literal('written'),
  disk: z.enum(['enough', 'low', 'unknown']),
  /** Jobs that are due, those being done, and how long the oldest due one has waited. */
  queue: z.object({ waiting: z.number(), running: z.number(), oldestSeconds: z.number() }),
  /** Connections to the database; null on the embedded one. */
  pool: z.nullable(z.object({ open: z.number(), idle: z.number(), waiting: z.number() })),
});
export type Readiness = z.infer<typeof readinessSchema>;

/** `obj` of `GET /health`. `sandbox` is how repairs are shut in, null where none run in this process; `ready` is null when only asked whether it lives. */
export const healthSchema = z.object({
  status: z.literal('ok'),
  database: z.string(),
  sandbox: z.nullable(z.unknown()),
  ready: z.nullable(readinessSchema),
});

/** The query of `GET /health`: `live` asks whether the process answers, `ready` (also without it) whether it can do its work. */
export const healthQuerySchema = z.object({ check: z.optional(z.enum(['live', 'ready'])) });

/** `obj` of `POST /pay/webhook/{provider}`: whether the message moved an order. */
export const appliedSchema = z.object({ applied: z.boolean() });

/** `obj` of `POST /licences/activate`: what a program learns of its licence. */
export const activatedSchema = z.object({
  product: z.string(),
  plan: z.string(),
  pcs: z.nullable(z.number()),
  expirationDate: z.nullable(momentSchema),
});
export type Activated = z.infer<typeof activatedSchema>;
