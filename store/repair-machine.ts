import type { OnlineTool } from '../lib/catalog/tools';
import type { RepairTask } from '../lib/contract/repair';

/** A file as the screen names it; the size is in bytes. */
export type NamedFile = { name: string; size: number };

/** A refused file of another tool's kind, which that tool takes. */
export type OtherTool = { tool: OnlineTool; file: File };

/** Where a repair waits for its turn: 1 is the next, `seconds` is about how long, null where nothing tells. */
export type Place = { position: number; seconds: number | null };

/** A repair that has ended: with a file to fetch, or without. `resultUrl` is the repaired file's address. */
type Ended<Phase = 'success' | 'failure'> = { phase: Phase; task: RepairTask; resultUrl: string | null };

/**
 * The online tool's states (lib/contract/README.md, 91). `uploading` sends a file, and knows its task once it has a place:
 * a first file (`sampleFor` is null) or a working video for a repair that has ended, which stays what it is until the
 * repair begins anew. `stopped` is an upload that broke off; `again` is the file to send once more, null after a
 * reload, when nobody has it any more. `gone` is a task whose files are deleted.
 */
export type RepairState =
  | { phase: 'idle'; error: string | null; other: OtherTool | null }
  | { phase: 'uploading'; file: File; sent: number; taskId: string | null; sampleFor: Ended | null }
  | { phase: 'waiting'; taskId: string; file: NamedFile | null; place: Place | null; unreachable: boolean }
  | (Ended<'success'> & { error: string | null })
  | (Ended<'failure'> & { error: string | null })
  | { phase: 'stopped'; taskId: string | null; file: NamedFile; error: string; again: File | null }
  | { phase: 'gone' };

/** One of the states, for the part of the screen that draws it. */
export type RepairStateOf<Phase extends RepairState['phase']> = Extract<RepairState, { phase: Phase }>;

/** What can happen to a tool. */
export type RepairEvent =
  /** A file was refused before it was sent, or one was dropped too many. */
  | { type: 'refuse'; error: string; other: OtherTool | null }
  /** A first file is sent. */
  | { type: 'send'; file: File }
  /** A working video is sent for the repair that has ended. */
  | { type: 'addSample'; file: File }
  /** The upload has its place on the server. */
  | { type: 'place'; taskId: string }
  /** Bytes sent so far. */
  | { type: 'progress'; sent: number }
  /** The server refused the upload. */
  | { type: 'refused'; error: string }
  /** The upload broke off. */
  | { type: 'broke'; error: string }
  /** The upload is complete and the repair under way; `lost`: that answer did not come. */
  | { type: 'started'; lost: boolean }
  /** A task that was begun before is asked for. */
  | { type: 'resume'; taskId: string }
  /** The server told how the task stands. */
  | { type: 'told'; task: RepairTask; resultUrl: string | null }
  /** The server did not answer: the task goes on there all the same. */
  | { type: 'silence' }
  /** The task is deleted, or nobody knows it. */
  | { type: 'gone' }
  /** Deleting the ended task did not work. */
  | { type: 'notDeleted'; error: string }
  /** What is under way is ended. */
  | { type: 'cancel' }
  /** Back to the empty place for a file. */
  | { type: 'startOver' };

/** A tool that waits for a file. */
export const idle: RepairStateOf<'idle'> = { phase: 'idle', error: null, other: null };

/** The task that a state is about: its key belongs into the page's address. */
export function taskOf(state: RepairState): string | null {
  switch (state.phase) {
    case 'uploading':
      return state.sampleFor ? state.sampleFor.task.taskId : state.taskId;
    case 'waiting':
    case 'stopped':
      return state.taskId;
    case 'success':
    case 'failure':
      return state.task.taskId;
    default:
      return null;
  }
}

/** What is said of an upload whose file is not there any more. */
const INTERRUPTED = 'The upload was interrupted. Please choose the file again.';

/** The upload's one transition function. What does not fit the state changes nothing, and the same object comes back. */
export function nextRepair(state: RepairState, event: RepairEvent): RepairState {
  switch (event.type) {
    case 'send':
      return { phase: 'uploading', file: event.file, sent: 0, taskId: null, sampleFor: null };
    case 'resume':
      return waiting(event.taskId, null);
    case 'startOver':
      return idle;
    case 'cancel':
      if (state.phase === 'uploading') return state.sampleFor ? back(state.sampleFor, null) : idle;
      return state.phase === 'waiting' ? idle : state;
  }
  switch (state.phase) {
    case 'idle':
      return event.type === 'refuse' ? { ...state, error: event.error, other: event.other } : state;
    case 'uploading':
      return whileUploading(state, event);
    case 'waiting':
      if (event.type === 'silence') return { ...state, unreachable: true };
      if (event.type === 'gone') return { phase: 'gone' };
      return event.type === 'told' ? told(event.task, event.resultUrl) : state;
    case 'success':
    case 'failure':
      return afterwards(state, event);
    default:
      return state;
  }
}

function waiting(taskId: string, file: NamedFile | null): RepairStateOf<'waiting'> {
  return { phase: 'waiting', taskId, file, place: null, unreachable: false };
}

/** A repair that has ended, as it was before a working video was tried. */
function back({ phase, task, resultUrl }: Ended, error: string | null): RepairState {
  return { phase, task, resultUrl, error };
}

const named = ({ name, size }: NamedFile): NamedFile => ({ name, size });
const fileOf = (task: RepairTask): NamedFile => ({ name: task.fileName, size: task.fileSize });

function whileUploading(state: RepairStateOf<'uploading'>, event: RepairEvent): RepairState {
  const { file, taskId, sampleFor } = state;
  switch (event.type) {
    case 'place':
      return { ...state, taskId: event.taskId };
    case 'progress':
      return { ...state, sent: event.sent };
    case 'refused':
      return sampleFor ? back(sampleFor, event.error) : { ...idle, error: event.error };
    case 'broke':
      if (sampleFor) return back(sampleFor, event.error);
      return { phase: 'stopped', taskId, file: named(file), error: event.error, again: file };
    case 'started':
      if (sampleFor) return waiting(sampleFor.task.taskId, fileOf(sampleFor.task));
      return taskId ? { ...waiting(taskId, named(file)), unreachable: event.lost } : state;
    default:
      return state;
  }
}

function afterwards(state: RepairStateOf<'success' | 'failure'>, event: RepairEvent): RepairState {
  switch (event.type) {
    case 'addSample':
      return {
        phase: 'uploading',
        file: event.file,
        sent: 0,
        taskId: null,
        sampleFor: { phase: state.phase, task: state.task, resultUrl: state.resultUrl },
      };
    case 'refuse':
    case 'notDeleted':
      return back(state, event.error);
    case 'gone':
      return { phase: 'gone' };
    default:
      return state;
  }
}

/** Of a repair that waits, and whose place the server tells. */
function placeOf({ status, queuePosition, queueSeconds }: RepairTask): Place | null {
  if (status !== 'waiting' || queuePosition === null || queuePosition <= 0) return null;
  return { position: queuePosition, seconds: queueSeconds };
}

/** What the server's word of a task makes of a tool that waits for it. */
function told(task: RepairTask, resultUrl: string | null): RepairState {
  const { taskId, status } = task;
  switch (status) {
    case 'success':
    case 'failure':
      // A report that calls the file not repairable is a failure, whatever the status beside it says.
      return { phase: task.report?.verdict === 'unrepairable' ? 'failure' : status, task, resultUrl, error: null };
    case 'deleted':
      return { phase: 'gone' };
    case 'uploading':
      return { phase: 'stopped', taskId, file: fileOf(task), error: INTERRUPTED, again: null };
    default:
      return { ...waiting(taskId, fileOf(task)), place: placeOf(task) };
  }
}
