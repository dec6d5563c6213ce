import { nothingSchema } from '../lib/contract/fields';
import { repairTaskSchema, uploadSignatureSchema } from '../lib/contract/repair';
import type { SignatureRequest, StartRequest } from '../lib/contract/requests/repair';
import { apiBase, get, post, remove } from './http';

/** GET /oss/signature: a place for one upload, with the signed form that fills it. */
export const uploadSignature = ({ type, fileName, fileSize }: SignatureRequest) =>
  get('/oss/signature', uploadSignatureSchema, { type, fileName, fileSize });

const taskPath = (taskId: string) => `/repair/tasks/${encodeURIComponent(taskId)}`;

/** POST /repair/tasks/{taskId}: the upload is complete, start; or start again with a working video from the same camera. */
export const startTask = (taskId: string, body: StartRequest = {}) => post(taskPath(taskId), repairTaskSchema, body);

/** GET /repair/tasks/{taskId}. */
export const readTask = (taskId: string, signal?: AbortSignal) =>
  get(taskPath(taskId), repairTaskSchema, undefined, signal ? { signal } : undefined);

/** DELETE /repair/tasks/{taskId}: the upload, the result and the report are gone at once. */
export const deleteTask = (taskId: string) => remove(taskPath(taskId), nothingSchema);

/** Address of the repaired file, for an API on another origin too. */
export function resultAddress(downloadUrl: string): string {
  return new URL(downloadUrl, new URL(apiBase, window.location.origin)).href;
}
