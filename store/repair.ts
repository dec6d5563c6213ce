import { create } from 'zustand';
import type { OnlineTool } from '../lib/catalog/tools';
import { refuseFile } from '../lib/catalog/upload-rules';
import type { RepairTask } from '../lib/contract/repair';
import { logEvent } from './event-log';

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
  resultUrl: null,
  unreachable: false,
};

/** State of the tool on the screen. */
export const useRepair = create<RepairState>(() => initial);

const POLL_MS = 1000;
const POLL_SLOW_MS = 4000;

let run = new AbortController();
let chosen: File | null = null;

/** Calls of the tool; loaded with the first file or the first task, not with the page. */
const services = () => import('../services/repair-tool');

function begin(): AbortSignal {
  run.abort();
  run = new AbortController();
  return run.signal;
}

/** The task's key lives in the fragment: never sent to a server, never in a referrer, found again after a reload. */
function keepInAddress(taskId: string | null): void {
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', `${pathname}${search}${taskId ? `#task=${taskId}` : ''}`);
}

/** The task named in the address, if there is one. */
export function taskInAddress(): string | null {
  return /^#task=([\w-]{16,64})$/.exec(window.location.hash)?.[1] ?? null;
}

/** Takes a file: refused with a sentence, or sent and repaired. */
export async function chooseFile(tool: OnlineTool, file: File): Promise<void> {
  const refusal = refuseFile(tool, file);
  if (refusal) {
    useRepair.setState({ ...initial, error: refusal });
    return;
  }
  chosen = file;
  await send(tool, file);
}

/** Sends the file of a stopped upload again. */
export async function sendAgain(tool: OnlineTool): Promise<void> {
  if (chosen) await send(tool, chosen);
}

async function send(tool: OnlineTool, file: File): Promise<void> {
  const signal = begin();
  useRepair.setState({ ...initial, phase: 'uploading', file: { name: file.name, size: file.size } });
  const { sendUpload, startTask, uploadSignature } = await services();
  const signature = await uploadSignature({ type: tool.type, fileName: file.name, fileSize: file.size });
  if (signal.aborted) return;
  if (!signature.ok) return stop(signature.error.kind === 'refusal' ? 'idle' : 'stopped', signature.error.msg);
  const { taskId } = signature.value;
  keepInAddress(taskId);
  const upload = await sendUpload(signature.value, file, {
    signal,
    onProgress: (sent) => useRepair.setState({ sent }),
  });
  if (signal.aborted) return;
  if (!upload.ok) return stop(upload.error.kind === 'refusal' ? 'idle' : 'stopped', upload.error.msg);
  const started = await startTask(taskId);
  if (signal.aborted) return;
  if (!started.ok && started.error.kind === 'refusal') return stop('idle', started.error.msg);
  logEvent('repair_start', { type: String(tool.type) });
  useRepair.setState({ phase: 'waiting', unreachable: !started.ok });
  await watch(taskId, signal, !started.ok);
}

/**
 * Adds a working video from the same camera to a repair that could not do without, and has it done again. Until the
 * repair has started anew, what is there stays as it is: after a refusal or a broken connection the old state is back.
 */
export async function addSample(tool: OnlineTool, file: File): Promise<void> {
  const { task, resultUrl } = useRepair.getState();
  if (!task) return;
  const refusal = refuseFile(tool, file);
  if (refusal) {
    useRepair.setState({ error: refusal });
    return;
  }
  const signal = begin();
  const back = (error: string | null) => {
    // Another file was chosen meanwhile: what is on the screen is not ours any more.
    if (run.signal !== signal) return;
    const phase = task.status === 'success' ? 'success' : 'failure';
    useRepair.setState({ ...initial, phase, file: fileOf(task), task, resultUrl, error });
  };
  const sample = { name: file.name, size: file.size };
  useRepair.setState({ phase: 'uploading', sample, file: sample, sent: 0, error: null });
  const { deleteTask, sendUpload, startTask, uploadSignature } = await services();
  const signature = await uploadSignature({ type: tool.type, fileName: file.name, fileSize: file.size });
  if (signal.aborted) return back(null);
  if (!signature.ok) return back(signature.error.msg);
  const upload = await sendUpload(signature.value, file, {
    signal,
    onProgress: (sent) => useRepair.setState({ sent }),
  });
  const sampleTaskId = signature.value.taskId;
  if (signal.aborted || !upload.ok) {
    back(signal.aborted || upload.ok ? null : upload.error.msg);
    await deleteTask(sampleTaskId);
    return;
  }
  const started = await startTask(task.taskId, { sampleTaskId });
  if (signal.aborted) return;
  if (!started.ok) return back(started.error.msg);
  useRepair.setState({ phase: 'waiting', sample: null });
  await watch(task.taskId, signal);
}

function stop(phase: 'idle' | 'stopped', error: string): void {
  if (phase === 'idle') keepInAddress(null);
  useRepair.setState((state) => ({ ...state, phase, error, sent: 0 }));
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
async function watch(taskId: string, signal: AbortSignal, startLost = false): Promise<void> {
  const { readTask, resultAddress, startTask } = await services();
  let needsStart = startLost;
  for (let turn = 0; !signal.aborted; turn += 1) {
    if (needsStart) needsStart = !(await startTask(taskId)).ok;
    const answer = await readTask(taskId, signal);
    if (signal.aborted) return;
    if (answer.ok) {
      const task = answer.value;
      const resultUrl = task.downloadUrl ? resultAddress(task.downloadUrl) : null;
      if (show(task, resultUrl)) return;
    } else if (answer.error.kind === 'refusal') {
      useRepair.setState({ ...initial, phase: 'gone' });
      keepInAddress(null);
      return;
    } else useRepair.setState({ unreachable: true });
    await pause(turn < 20 ? POLL_MS : POLL_SLOW_MS, signal);
  }
}

const fileOf = (task: RepairTask) => ({ name: task.fileName, size: task.fileSize });

/** Shows a task's state; true when it is final. */
function show(task: RepairTask, resultUrl: string | null): boolean {
  const common = { task, file: fileOf(task), sample: null, error: null, unreachable: false, resultUrl };
  if (task.status === 'success' || task.status === 'failure') {
    useRepair.setState({ ...common, phase: task.status });
    logEvent('repair_result', { type: String(task.type), verdict: task.report?.verdict ?? task.status });
    return true;
  }
  if (task.status === 'deleted') {
    useRepair.setState({ ...initial, phase: 'gone' });
    keepInAddress(null);
    return true;
  }
  if (task.status === 'uploading') {
    useRepair.setState({
      ...common,
      phase: 'stopped',
      error: 'The upload was interrupted. Please choose the file again.',
    });
    return true;
  }
  useRepair.setState({ ...common, phase: 'waiting' });
  return false;
}

/** After a reload or a return: goes on with the task that the address names. */
export async function resumeTask(): Promise<void> {
  const taskId = taskInAddress();
  if (!taskId || useRepair.getState().task?.taskId === taskId) return;
  const signal = begin();
  useRepair.setState({ ...initial, phase: 'waiting' });
  await watch(taskId, signal);
}

/** Ends an upload that is under way; what has arrived is deleted on the server. */
export async function cancelUpload(): Promise<void> {
  if (useRepair.getState().sample) {
    run.abort();
    return;
  }
  const taskId = taskInAddress();
  startOver();
  if (!taskId) return;
  const { deleteTask } = await services();
  await deleteTask(taskId);
}

/** "Fix another": back to the empty drop zone. The finished task stays on the server until it expires. */
export function startOver(): void {
  begin();
  chosen = null;
  keepInAddress(null);
  useRepair.setState(initial);
}

/** "Delete now": upload, result and report are gone from the server at once. */
export async function deleteNow(): Promise<void> {
  const { task } = useRepair.getState();
  if (!task) return;
  const { deleteTask } = await services();
  const answer = await deleteTask(task.taskId);
  if (!answer.ok && answer.error.kind !== 'refusal') {
    useRepair.setState({ error: answer.error.msg });
    return;
  }
  startOver();
  useRepair.setState({ phase: 'gone' });
}
