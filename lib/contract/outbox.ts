import * as z from 'zod/mini';
import { momentSchema } from './fields';

/** One line of `GET /outbox`, newest first. Development only. */
export const outboxRowSchema = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  createdAt: momentSchema,
});
export type OutboxRow = z.infer<typeof outboxRowSchema>;
export const outboxRowsSchema = z.array(outboxRowSchema);

/** `obj` of `GET /outbox/{id}`. */
export const outboxMailSchema = z.extend(outboxRowSchema, { text: z.string(), html: z.string() });
export type OutboxMail = z.infer<typeof outboxMailSchema>;
