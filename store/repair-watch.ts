import type { OnlineTool } from '../lib/catalog/tools';
import type { RepairTask } from '../lib/contract/repair';
import type { ApiError } from '../services/api-error';
import { isNoVerdict } from '../services/no-verdict';
import { logEvent } from './event-log';
import { step } from './repair-state';

const POLL_MS = 1000;
const POLL_SLOW_MS = 4000;
/** So many times the task is asked for at the shorter interval. */
const QUICK_TURNS = 20;

/** Whether an answer says that a task is not there: one to too many questions, or of a server in trouble, says nothing of it. */
export const isGone = (error: ApiError): boolean => error.kind === 'refusal' && !isNoVerdict(error);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * Asks until the task has ended. A lost answer is no failure: the task runs on the server, and is asked for again.
 * `startLost`: whether the start arrived is not known either, so it is sent again.
 */
export async function watch(
  tool: OnlineTool,
  taskId: string,
  signal: AbortSignal,
  { startLost = false } = {},
): Promise<void> {
  const { readTask, resultAddress, startTask } = await import('../services/repair-tool');
  let needsStart = startLost;
  for (let turn = 0; !signal.aborted; turn += 1) {
    if (needsStart) needsStart = !(await startTask(taskId)).ok;
    const answer = await readTask(taskId, signal);
    if (signal.aborted) return;
    if (answer.ok) {
      const task = answer.value;
      if (tell(tool, task, task.downloadUrl ? resultAddress(task.downloadUrl) : null)) return;
    } else if (isGone(answer.error)) {
      step(tool, { type: 'gone' });
      return;
    } else step(tool, { type: 'silence' });
    await pause(turn < QUICK_TURNS ? POLL_MS : POLL_SLOW_MS, signal);
  }
}

/** Shows a task's state; true when it is final. */
function tell(tool: OnlineTool, task: RepairTask, resultUrl: string | null): boolean {
  // A key of another tool's task: its result is not this tool's to show.
  if (task.type !== tool.type) {
    step(tool, { type: 'startOver' });
    return true;
  }
  const { phase } = step(tool, { type: 'told', task, resultUrl });
  if (phase === 'success' || phase === 'failure') {
    logEvent('repair_result', { type: String(task.type), verdict: task.report?.verdict ?? phase });
  }
  return phase !== 'waiting';
}
