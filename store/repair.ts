import { create } from 'zustand';
import type { OnlineTool } from '../lib/catalog/tools';
import { refuseFile, toolFor } from '../lib/catalog/upload-rules';
import type { RepairTask } from '../lib/contract/repair';
import { logEvent } from './event-log';
import { holdPage, isPartFailure, PART_FAILED, partFailed } from './parts';

/**
 * The online tool's states (specification section 4): idle, uploading, waiting, then success or failure. `stopped` is
 * an upload that broke off and can be sent again; `gone` is a task whose files are deleted.
 */
export type RepairPhase = 'idle' | 'uploading' | 'waiting' | 'success' | 'failure' | 'stopped' | 'gone';

export type RepairState = {
  phase: RepairPhase;
  file: { name: string; size: number } | null;
  /** A working video that is being added to a repair that needs one. */
  sample: { name: string; size: number } | null;
  sent: number;
  task: RepairTask | null;
  error: string | null;
  /** A refused file of another tool's kind, which that tool takes. */
  other: { tool: OnlineTool; file: File } | null;
  /** Address of the repaired file, once there is one. */
  resultUrl: string | null;
  /** True while the server does not answer; the task goes on there all the same. */
  unreachable: boolean;
};

const initial: RepairState = {
  phase: 'idle',
  file: null,
  sample: null,
  sent: 0,
  task: null,
  error: null,
  other: null,
  resultUrl: null,
  unreachable: false,
};

type Kind = OnlineTool['kind'];

/** States of the three tools: what happened in one never shows in another. */
export const useRepairs = create<Record<Kind, RepairState>>(() => ({ video: initial, file: initial, photo: initial }));

/** State of a tool, or a part of it. */
export function useRepair(tool: OnlineTool): RepairState {
  return useRepairs((state) => state[tool.kind]);
}

function stateOf({ kind }: OnlineTool): RepairState {
  return useRepairs.getState()[kind];
}

function set({ kind }: OnlineTool, change: Partial<RepairState>): void {
  useRepairs.setState((state) => ({ [kind]: { ...state[kind], ...change } }));
}

const POLL_MS = 1000;
const POLL_SLOW_MS = 4000;

/** What is under way in a tool: ended by the next thing that is begun there. */
const runs: Record<Kind, AbortController> = {
  video: new AbortController(),
  file: new AbortController(),
  photo: new AbortController(),
};
const chosen: Partial<Record<Kind, File>> = {};
/** While a file is being sent the page must not be loaded anew. */
const holds: Partial<Record<Kind, () => void>> = {};
/** The page of a tool may be gone while its upload goes on: only its own address names its task. */
let shown: OnlineTool | null = null;

/** Calls of the tool; loaded with the first file or the first task, not with the page. */
const services = () => import('../services/repair-tool');

function begin(tool: OnlineTool): AbortSignal {
  runs[tool.kind].abort();
  runs[tool.kind] = new AbortController();
  release(tool);
  return runs[tool.kind].signal;
}

function release({ kind }: OnlineTool): void {
  holds[kind]?.();
  delete holds[kind];
}

/** The task's key lives in the fragment: never sent to a server, never in a referrer, found again after a reload. */
function keepInAddress(tool: OnlineTool, taskId: string | null): void {
  if (shown?.kind !== tool.kind) return;
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', `${pathname}${search}${taskId ? `#task=${taskId}` : ''}`);
}

/** The task named in the address, if there is one. */
function taskInAddress(): string | null {
  return /^#task=([\w-]{16,64})$/.exec(window.location.hash)?.[1] ?? null;
}

/** A tool's page is on the screen: its task's key belongs into the address. Called back when the page goes. */
export function showTool(tool: OnlineTool): () => void {
  shown = tool;
  const { task } = stateOf(tool);
  if (task && !taskInAddress()) keepInAddress(tool, task.taskId);
  const handed = handOver?.tool.kind === tool.kind ? handOver.file : null;
  handOver = null;
  if (handed) void chooseFile(tool, handed);
  return () => {
    if (shown === tool) shown = null;
  };
}

let handOver: RepairState['other'] = null;

/** Sends a refused file to the tool that takes it: that page finds it when it opens. The address of its page. */
export function handToOther(tool: OnlineTool): string | null {
  handOver = stateOf(tool).other;
  set(tool, { error: null, other: null });
  return handOver?.tool.route ?? null;
}

/** Takes a file: refused with a sentence, or sent and repaired. */
export async function chooseFile(tool: OnlineTool, file: File): Promise<void> {
  const refusal = refuseFile(tool, file);
  if (refusal) {
    const fitting = toolFor(tool, file);
    const other = fitting && !refuseFile(fitting, file) ? { tool: fitting, file } : null;
    set(tool, { ...initial, error: refusal, other });
    return;
  }
  chosen[tool.kind] = file;
  await send(tool, file);
}

/** Several files were dropped, or one where none is taken. */
export function refuseDrop(tool: OnlineTool, words: string): void {
  set(tool, { error: words, other: null });
}

/** Sends the file of a stopped upload again. */
export async function sendAgain(tool: OnlineTool): Promise<void> {
  const file = chosen[tool.kind];
  if (file) await send(tool, file);
}

async function send(tool: OnlineTool, file: File): Promise<void> {
  const signal = begin(tool);
  holds[tool.kind] = holdPage();
  set(tool, { ...initial, phase: 'uploading', file: { name: file.name, size: file.size } });
  try {
    await upload(tool, file, signal);
  } catch (error) {
    if (!isPartFailure(error)) throw error;
    if (!signal.aborted) stop(tool, 'stopped', PART_FAILED);
  }
}

async function upload(tool: OnlineTool, file: File, signal: AbortSignal): Promise<void> {
  const { sendUpload, startTask, uploadSignature } = await services();
  const signature = await uploadSignature({ type: tool.type, fileName: file.name, fileSize: file.size });
  if (signal.aborted) return;
  if (!signature.ok) return stop(tool, signature.error.kind === 'refusal' ? 'idle' : 'stopped', signature.error.msg);
  const { taskId } = signature.value;
  tasks[tool.kind] = taskId;
  keepInAddress(tool, taskId);
  const sent = await sendUpload(signature.value, file, {
    signal,
    onProgress: (bytes) => set(tool, { sent: bytes }),
  });
  if (signal.aborted) return;
  if (!sent.ok) return stop(tool, sent.error.kind === 'refusal' ? 'idle' : 'stopped', sent.error.msg);
  const started = await startTask(taskId);
  if (signal.aborted) return;
  if (!started.ok && started.error.kind === 'refusal') return stop(tool, 'idle', started.error.msg);
  release(tool);
  logEvent('repair_start', { type: String(tool.type) });
  set(tool, { phase: 'waiting', unreachable: !started.ok });
  await watch(tool, taskId, signal, !started.ok);
}

/** The task that is under way in a tool. */
const tasks: Partial<Record<Kind, string>> = {};

/**
 * Adds a working video from the same camera to a repair that could not do without, and has it done again. Until the
 * repair has started anew, what is there stays as it is: after a refusal or a broken connection the old state is back.
 */
export async function addSample(tool: OnlineTool, file: File): Promise<void> {
  const { task, resultUrl } = stateOf(tool);
  if (!task) return;
  const refusal = refuseFile(tool, file);
  if (refusal) {
    set(tool, { error: refusal });
    return;
  }
  const signal = begin(tool);
  const back = (error: string | null) => {
    // Another file was chosen meanwhile: what is on the screen is not ours any more.
    if (runs[tool.kind].signal !== signal) return;
    release(tool);
    const phase = task.status === 'success' ? 'success' : 'failure';
    set(tool, { ...initial, phase, file: fileOf(task), task, resultUrl, error });
  };
  holds[tool.kind] = holdPage();
  const sample = { name: file.name, size: file.size };
  set(tool, { phase: 'uploading', sample, file: sample, sent: 0, error: null });
  try {
    await sendSample(tool, file, task.taskId, signal, back);
  } catch (error) {
    if (!isPartFailure(error)) throw error;
    back(PART_FAILED);
  }
}

async function sendSample(
  tool: OnlineTool,
  file: File,
  taskId: string,
  signal: AbortSignal,
  back: (error: string | null) => void,
): Promise<void> {
  const { deleteTask, sendUpload, startTask, uploadSignature } = await services();
  const signature = await uploadSignature({ type: tool.type, fileName: file.name, fileSize: file.size });
  if (signal.aborted) return back(null);
  if (!signature.ok) return back(signature.error.msg);
  const sent = await sendUpload(signature.value, file, {
    signal,
    onProgress: (bytes) => set(tool, { sent: bytes }),
  });
  const sampleTaskId = signature.value.taskId;
  if (signal.aborted || !sent.ok) {
    back(signal.aborted || sent.ok ? null : sent.error.msg);
    await deleteTask(sampleTaskId);
    return;
  }
  const started = await startTask(taskId, { sampleTaskId });
  if (signal.aborted) return;
  if (!started.ok) return back(started.error.msg);
  release(tool);
  set(tool, { phase: 'waiting', sample: null });
  await watch(tool, taskId, signal);
}

function stop(tool: OnlineTool, phase: 'idle' | 'stopped', error: string): void {
  release(tool);
  if (phase === 'idle') keepInAddress(tool, null);
  set(tool, { phase, error, sent: 0 });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Asks until the task has ended. A lost answer is no failure: the task runs on the server, and is asked for again. */
async function watch(tool: OnlineTool, taskId: string, signal: AbortSignal, startLost = false): Promise<void> {
  const { readTask, resultAddress, startTask } = await services();
  tasks[tool.kind] = taskId;
  let needsStart = startLost;
  for (let turn = 0; !signal.aborted; turn += 1) {
    if (needsStart) needsStart = !(await startTask(taskId)).ok;
    const answer = await readTask(taskId, signal);
    if (signal.aborted) return;
    if (answer.ok) {
      const task = answer.value;
      const resultUrl = task.downloadUrl ? resultAddress(task.downloadUrl) : null;
      if (show(tool, task, resultUrl)) return;
    } else if (answer.error.kind === 'refusal') {
      set(tool, { ...initial, phase: 'gone' });
      keepInAddress(tool, null);
      return;
    } else set(tool, { unreachable: true });
    await pause(turn < 20 ? POLL_MS : POLL_SLOW_MS, signal);
  }
}

const fileOf = (task: RepairTask) => ({ name: task.fileName, size: task.fileSize });

/** Shows a task's state; true when it is final. */
function show(tool: OnlineTool, task: RepairTask, resultUrl: string | null): boolean {
  // A key of another tool's task: its result is not this tool's to show.
  if (task.type !== tool.type) {
    set(tool, initial);
    keepInAddress(tool, null);
    return true;
  }
  const common = { task, file: fileOf(task), sample: null, error: null, unreachable: false, resultUrl };
  if (task.status === 'success' || task.status === 'failure') {
    set(tool, { ...common, phase: task.status });
    logEvent('repair_result', { type: String(task.type), verdict: task.report?.verdict ?? task.status });
    return true;
  }
  if (task.status === 'deleted') {
    set(tool, { ...initial, phase: 'gone' });
    keepInAddress(tool, null);
    return true;
  }
  if (task.status === 'uploading') {
    set(tool, { ...common, phase: 'stopped', error: 'The upload was interrupted. Please choose the file again.' });
    return true;
  }
  set(tool, { ...common, phase: 'waiting' });
  return false;
}

/** After a reload or a return: goes on with the task that the address names. */
export async function resumeTask(tool: OnlineTool): Promise<void> {
  const taskId = taskInAddress();
  if (!taskId || tasks[tool.kind] === taskId) return;
  const signal = begin(tool);
  set(tool, { ...initial, phase: 'waiting' });
  try {
    await watch(tool, taskId, signal);
  } catch (error) {
    if (!isPartFailure(error)) throw error;
    set(tool, { ...initial });
    partFailed(() => void resumeTask(tool));
  }
}

/** Ends an upload or a repair that is under way; what has arrived is deleted on the server. */
export async function cancel(tool: OnlineTool): Promise<void> {
  if (stateOf(tool).sample) {
    runs[tool.kind].abort();
    return;
  }
  const taskId = tasks[tool.kind];
  startOver(tool);
  if (!taskId) return;
  const { deleteTask } = await services();
  await deleteTask(taskId);
}

/** "Fix another": back to the empty drop zone. The finished task stays on the server until it expires. */
export function startOver(tool: OnlineTool): void {
  begin(tool);
  delete chosen[tool.kind];
  delete tasks[tool.kind];
  keepInAddress(tool, null);
  set(tool, initial);
}

/** "Delete now": upload, result and report are gone from the server at once. */
export async function deleteNow(tool: OnlineTool): Promise<void> {
  const { task } = stateOf(tool);
  if (!task) return;
  const { deleteTask } = await services();
  const answer = await deleteTask(task.taskId);
  if (!answer.ok && answer.error.kind !== 'refusal') {
    set(tool, { error: answer.error.msg });
    return;
  }
  startOver(tool);
  set(tool, { phase: 'gone' });
}
