import type { OnlineTool } from '../lib/catalog/tools';
import { refuseFile, toolFor } from '../lib/catalog/upload-rules';
import { isPartFailure, partFailed } from './parts';
import { type OtherTool, taskOf } from './repair-machine';
import { beginRun, endRun } from './repair-run';
import { stateOf, step } from './repair-state';
import { send } from './repair-upload';
import { isGone, watch } from './repair-watch';
import { keepInAddress, showAddressOf, taskInAddress } from './task-address';
import { forgetUpload } from './unfinished-uploads';

let handOver: OtherTool | null = null;

/** A tool's page is on the screen: its task's key belongs into the address. Called back when the page goes. */
export function showTool(tool: OnlineTool): () => void {
  const hide = showAddressOf(tool);
  const taskId = taskOf(stateOf(tool));
  if (taskId && !taskInAddress()) keepInAddress(tool, taskId);
  const handed = handOver?.tool.kind === tool.kind ? handOver.file : null;
  handOver = null;
  if (handed) void chooseFile(tool, handed);
  return hide;
}

/** Sends a refused file to the tool that takes it: that page finds it when it opens. The address of its page. */
export function handToOther(tool: OnlineTool): string | null {
  const state = stateOf(tool);
  handOver = state.phase === 'idle' ? state.other : null;
  step(tool, { type: 'startOver' });
  return handOver?.tool.route ?? null;
}

/** Takes a file: refused with a sentence, or sent and repaired. */
export async function chooseFile(tool: OnlineTool, file: File): Promise<void> {
  const refusal = refuseFile(tool, file);
  if (refusal) {
    const fitting = toolFor(tool, file);
    const other = fitting && !refuseFile(fitting, file) ? { tool: fitting, file } : null;
    step(tool, { type: 'refuse', error: refusal, other });
    return;
  }
  step(tool, { type: 'send', file });
  await send(tool, file);
}

/** Several files were dropped, or one where none is taken. */
export function refuseDrop(tool: OnlineTool, words: string): void {
  step(tool, { type: 'refuse', error: words, other: null });
}

/** Sends the file of a stopped upload again. */
export async function sendAgain(tool: OnlineTool): Promise<void> {
  const state = stateOf(tool);
  const file = state.phase === 'stopped' ? state.again : null;
  if (file) await chooseFile(tool, file);
}

/** Adds a working video from the same camera to a repair that could not do without, and has it done again. */
export async function addSample(tool: OnlineTool, file: File): Promise<void> {
  const refusal = refuseFile(tool, file);
  if (refusal) {
    step(tool, { type: 'refuse', error: refusal, other: null });
    return;
  }
  const state = step(tool, { type: 'addSample', file });
  if (state.phase === 'uploading' && state.sampleFor) await send(tool, file, state.sampleFor.task.taskId);
}

/** After a reload or a return: goes on with the task that the address names. */
export async function resumeTask(tool: OnlineTool): Promise<void> {
  const taskId = taskInAddress();
  if (taskId && taskOf(stateOf(tool)) !== taskId) await resume(tool, taskId);
}

async function resume(tool: OnlineTool, taskId: string): Promise<void> {
  const signal = beginRun(tool);
  step(tool, { type: 'resume', taskId });
  try {
    await watch(tool, taskId, signal);
  } catch (error) {
    if (!isPartFailure(error)) throw error;
    step(tool, { type: 'startOver' });
    // A reload is to find it all the same.
    keepInAddress(tool, taskId);
    partFailed(() => void resume(tool, taskId));
  }
}

/** Ends an upload or a repair that is under way; what has arrived is deleted on the server, a sample by who sent it. */
export async function cancel(tool: OnlineTool): Promise<void> {
  const state = stateOf(tool);
  endRun(tool);
  step(tool, { type: 'cancel' });
  const isFirst = state.phase === 'waiting' || (state.phase === 'uploading' && !state.sampleFor);
  if (!isFirst || !state.taskId) return;
  forgetUpload(state.taskId);
  const { deleteTask } = await import('../services/repair-tool');
  await deleteTask(state.taskId);
}

/** "Fix another": back to the empty drop zone. The finished task stays on the server until it expires. */
export function startOver(tool: OnlineTool): void {
  endRun(tool);
  step(tool, { type: 'startOver' });
}

/** Asks whether the files of a finished task are still there: another tab may have deleted them, or their day is over. */
export async function lookAgain(tool: OnlineTool): Promise<void> {
  const taskId = taskOf(stateOf(tool));
  if (!taskId) return;
  const { readTask } = await import('../services/repair-tool');
  const answer = await readTask(taskId);
  const isDeleted = answer.ok ? answer.value.status === 'deleted' : isGone(answer.error);
  if (isDeleted && taskOf(stateOf(tool)) === taskId) step(tool, { type: 'gone' });
}

/** "Delete now": upload, result and report are gone from the server at once. */
export async function deleteNow(tool: OnlineTool): Promise<void> {
  const taskId = taskOf(stateOf(tool));
  if (!taskId) return;
  const { deleteTask } = await import('../services/repair-tool');
  const answer = await deleteTask(taskId);
  if (!answer.ok && answer.error.kind !== 'refusal') step(tool, { type: 'notDeleted', error: answer.error.msg });
  else step(tool, { type: 'gone' });
}
