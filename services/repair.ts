import { nothingSchema } from '../lib/contract/fields';
import { ownRepairsSchema, repairTaskSchema, uploadSignatureSchema } from '../lib/contract/repair';
import type { SignatureRequest, StartRequest } from '../lib/contract/requests/repair';
import { apiBase, get, post, remove } from './http';

/** GET /oss/signature: a place for one upload, with the signed form that fills it; `taskId` is one that an upload goes on in. */
export const uploadSignature = ({ type, fileName, fileSize, taskId }: SignatureRequest) =>
  get('/oss/signature', uploadSignatureSchema, { type, fileName, fileSize, ...(taskId ? { taskId } : {}) });

const taskPath = (taskId: string) => `/repair/tasks/${encodeURIComponent(taskId)}`;

/** POST /repair/tasks/{taskId}: the upload is complete, start; or start again with a working video from the same camera. */
export const startTask = (taskId: string, body: StartRequest = {}) => post(taskPath(taskId), repairTaskSchema, body);

/** GET /repair/tasks/{taskId}. */
export const readTask = (taskId: string, signal?: AbortSignal) =>
  get(taskPath(taskId), repairTaskSchema, undefined, signal ? { signal } : undefined);

/** DELETE /repair/tasks/{taskId}: the upload, the result and the report are gone at once. */
export const deleteTask = (taskId: string) => remove(taskPath(taskId), nothingSchema);

/** GET /repair/tasks: what of this visitor's lies on the server. The first answer names the visitor by a cookie. */
export const ownRepairs = () => get('/repair/tasks', ownRepairsSchema);

let named: Promise<unknown> | undefined;

/**
 * Has the visitor named before a first place is asked for, so that it counts to their own share of the queue. An API on another origin
 * gets no cookie, and one that knows no shares refuses: then whatever it does with callers without a name holds.
 */
export function nameVisitor(): Promise<unknown> {
  named ??= apiBase.startsWith('/') ? ownRepairs() : Promise.resolve();
  return named;
}

/** Address of the repaired file, for an API on another origin too. */
export function resultAddress(downloadUrl: string): string {
  return new URL(downloadUrl, new URL(apiBase, window.location.origin)).href;
}
