import * as z from 'zod/mini';
import type { measureSchema } from '../repair/report/schema';
import { reportSchema, verdictSchema } from '../repair/report/schema';
import { momentSchema, orElse, webAddressSchema } from './fields';
import { toolTypes } from './tool-types';

export type Verdict = z.infer<typeof verdictSchema>;
export type Measure = z.infer<typeof measureSchema>;

/** The written report of a repair, as the engine makes it and the result screen shows it. */
export type RepairReport = z.infer<typeof reportSchema>;

/**
 * `obj` of `GET /oss/signature`: a form POST, fields first and the part named `file` last; or, for a large file, an upload in pieces (tus
 * 1.0, begun already) whose requests carry the fields as headers. Times are ISO 8601 in UTC.
 */
export const uploadSignatureSchema = z.object({
  taskId: z.string().check(z.regex(/^[\w-]{16,64}$/)),
  upload: z.object({
    url: webAddressSchema,
    method: orElse(z.enum(['POST', 'TUS']), 'POST'),
    fields: orElse(z.record(z.string(), z.string()), {}),
  }),
  statusUrl: orElse(z.string(), ''),
  expiresAt: orElse(z.string(), ''),
});
export type UploadSignature = z.infer<typeof uploadSignatureSchema>;

/** States of a repair task. */
const taskStatuses = ['uploading', 'waiting', 'running', 'success', 'failure', 'deleted'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

const toolTypeSchema = z.literal([toolTypes.video, toolTypes.file, toolTypes.photo]);

/** `obj` of `GET /repair/tasks/{taskId}`. */
export const repairTaskSchema = z.object({
  taskId: z.string(),
  type: toolTypeSchema,
  fileName: z.string(),
  fileSize: z.number(),
  status: z.enum(taskStatuses),
  queuePosition: orElse(z.nullable(z.number()), null),
  /** About how long it waits for its turn, in seconds; null or left out where nothing tells. */
  queueSeconds: orElse(z.nullable(z.number()), null),
  report: orElse(z.nullable(reportSchema), null),
  downloadUrl: orElse(z.nullable(webAddressSchema), null),
  /** Name under which the repaired file is offered. */
  downloadName: orElse(z.nullable(z.string()), null),
  expiresAt: momentSchema,
});
export type RepairTask = z.infer<typeof repairTaskSchema>;

/** `obj` of `GET /repair/tasks`: what counts towards a visitor's share. `id` deletes one, for that visitor; it opens no file. */
export const ownRepairsSchema = z.object({
  most: z.number(),
  tasks: z.array(
    z.object({
      id: z.string(),
      type: toolTypeSchema,
      fileName: z.string(),
      fileSize: z.number(),
      status: z.enum(taskStatuses),
      /** How the repair ended; null before, and where nothing tells. */
      verdict: orElse(z.nullable(verdictSchema), null),
      createdAt: momentSchema,
      expiresAt: momentSchema,
    }),
  ),
});
export type OwnRepairs = z.infer<typeof ownRepairsSchema>;
