import type { OnlineTool } from '../lib/catalog/tools';
import type { ApiError } from '../services/api-error';
import { logEvent } from './event-log';
import { isPartFailure, PART_FAILED } from './parts';
import { beginRun, hold, release } from './repair-run';
import { step } from './repair-state';
import { watch } from './repair-watch';

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
  const { deleteTask, nameVisitor, sendUpload, startTask, uploadSignature } = await import('../services/repair-tool');
  await nameVisitor();
  if (signal.aborted) return;
  const signature = await uploadSignature({ type: tool.type, fileName: file.name, fileSize: file.size });
  if (signal.aborted) return;
  if (!signature.ok) return fail(tool, signature.error);
  const { taskId } = signature.value;
  step(tool, { type: 'place', taskId });
  const sent = await sendUpload(signature.value, file, {
    signal,
    onProgress: (bytes) => step(tool, { type: 'progress', sent: bytes }),
  });
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

function fail(tool: OnlineTool, { kind, msg }: Pick<ApiError, 'kind' | 'msg'>): void {
  release(tool);
  step(tool, { type: kind === 'refusal' ? 'refused' : 'broke', error: msg });
}
