import * as z from 'zod/mini';
import type { ToolType } from '../tool-types';

/** Query of `GET /oss/signature`. */
export const signatureSchema = z.object({
  type: z.coerce.number('There is no repair tool of this type.').check(z.int()),
  fileName: z.string().check(z.minLength(1), z.maxLength(1000)),
  fileSize: z.coerce.number('The size of the file must be a number of bytes.').check(z.int(), z.minimum(0)),
  /** A place that was given out before, for an upload in pieces that goes on. */
  taskId: z.optional(z.string().check(z.regex(/^([\w-]{16,64})?$/))),
});
/** What is asked for, before anybody looked whether there is such a tool. */
export type SignatureQuery = z.infer<typeof signatureSchema>;
export type SignatureRequest = SignatureQuery & { type: ToolType };

/**
 * Body of `POST /repair/tasks/{taskId}`, which may be left out: the task id of an uploaded, working video from the same
 * camera. A failed repair is done again with it.
 */
export const startSchema = z.object({
  sampleTaskId: z.optional(z.string().check(z.minLength(16), z.maxLength(64))),
});
export type StartRequest = z.infer<typeof startSchema>;
