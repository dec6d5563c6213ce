import type { OnlineTool } from '../lib/catalog/tools';
import type { UploadSignature } from '../lib/contract/repair';
import type { Result } from '../lib/contract/result';
import type { ApiError } from '../services/api-error';
import { logEvent } from './event-log';
import { isPartFailure, PART_FAILED } from './parts';
import { beginRun, hold, release } from './repair-run';
import { step } from './repair-state';
import { watch } from './repair-watch';
import { forgetUpload, rememberUpload, unfinishedTask } from './unfinished-uploads';
import { followUpload } from './upload-pace';

/**
 * Sends the file of a tool that is uploading, has it repaired and watches that. `sampleFor` is the task that a working
 * video is for; without it the file is the one to repair. Until the repair has begun anew, what was there stays as it
 * is on the server: after a refusal or a broken connection it is shown again.
 */
export async function send(tool: OnlineTool, file: File, sampleFor: string | null = null): Promise<void> {
  const signal = beginRun(tool);
  hold(tool);
  try {
    await transfer(tool, file, sampleFor, signal);
  } catch (error) {
    if (!isPartFailure(error)) throw error;
    if (!signal.aborted) fail(tool, { kind: 'network', msg: PART_FAILED });
  }
}

async function transfer(tool: OnlineTool, file: File, sampleFor: string | null, signal: AbortSignal): Promise<void> {
  const { deleteTask, nameVisitor, startTask } = await import('../services/repair-tool');
  await nameVisitor();
  if (signal.aborted) return;
  const signature = await placeFor(tool, file);
  if (signal.aborted) return;
  if (!signature.ok) return fail(tool, signature.error);
  const { taskId } = signature.value;
  step(tool, { type: 'place', taskId });
  const sent = await bring(tool, signature.value, file, signal);
  if (sent.ok || sampleFor || sent.error.kind === 'refusal') forgetUpload(taskId);
  if (sampleFor && (signal.aborted || !sent.ok)) void deleteTask(taskId);
  if (signal.aborted) return;
  if (!sent.ok) return fail(tool, sent.error);
  const started = await (sampleFor ? startTask(sampleFor, { sampleTaskId: taskId }) : startTask(taskId));
  if (signal.aborted) return;
  // A first repair that may not have begun is begun again by who watches it; a second one is not known to have begun.
  if (!started.ok && (sampleFor || started.error.kind === 'refusal')) return fail(tool, started.error);
  release(tool);
  if (!sampleFor) logEvent('repair_start', { type: String(tool.type) });
  step(tool, { type: 'started', lost: !started.ok });
  await watch(tool, sampleFor ?? taskId, signal, { startLost: !started.ok });
}

/** A place for the file: the one it had, if its upload did not come to its end here, else a new one. */
async function placeFor(tool: OnlineTool, file: File): Promise<Result<UploadSignature, ApiError>> {
  const { uploadSignature } = await import('../services/repair-tool');
  const wanted = { type: tool.type, fileName: file.name, fileSize: file.size };
  const unfinished = unfinishedTask(tool, file);
  if (unfinished) {
    const again = await uploadSignature({ ...wanted, taskId: unfinished });
    // One that asks to wait leaves the place as it is.
    const isGone = !again.ok && again.error.kind === 'refusal' && ![429, 503].includes(again.error.status);
    if (!isGone) return again;
    forgetUpload(unfinished);
  }
  return uploadSignature(wanted);
}

/** Sends the file as its place asks for it: by one form, or in pieces that go on after a break. */
async function bring(
  tool: OnlineTool,
  signature: UploadSignature,
  file: File,
  signal: AbortSignal,
): Promise<Result<null, ApiError>> {
  const follow = followUpload(tool, file.size);
  const onProgress = (bytes: number) => {
    step(tool, { type: 'progress', sent: bytes });
    follow.sent(bytes);
  };
  if (signature.upload.method === 'POST') {
    const { sendUpload } = await import('../services/repair-tool');
    return sendUpload(signature, file, { signal, onProgress });
  }
  rememberUpload(tool, file, signature);
  const [{ sendLarge }, { uploadSignature }] = await Promise.all([
    import('../services/large-upload'),
    import('../services/repair-tool'),
  ]);
  const { taskId } = signature;
  const renew = () => uploadSignature({ type: tool.type, fileName: file.name, fileSize: file.size, taskId });
  return sendLarge(signature, file, { renew, signal, onProgress, onCutOff: follow.cutOff });
}

function fail(tool: OnlineTool, { kind, msg }: Pick<ApiError, 'kind' | 'msg'>): void {
  release(tool);
  step(tool, { type: kind === 'refusal' ? 'refused' : 'broke', error: msg });
}
