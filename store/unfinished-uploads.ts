import type { OnlineTool } from '../lib/catalog/tools';
import { readStored, removeStored, writeStored } from '../lib/utils/browser-storage';

const KEY = 'unfinishedUploads';
/** More than anybody leaves behind in a day. */
const KEPT = 8;

type Unfinished = { file: string; taskId: string; expiresAt: string };

/**
 * Large uploads that began in this browser and may go on: a mark of the file, and its place on the server. Needed for the service, so
 * kept before Agree too; an entry goes with its upload, and after a day.
 */
function all(): Unfinished[] {
  try {
    const list: unknown = JSON.parse(readStored(KEY) ?? '[]');
    // What somebody else has put there has no such date.
    return Array.isArray(list) ? list.filter((entry) => Date.parse(entry?.expiresAt) > Date.now()) : [];
  } catch {
    return [];
  }
}

function keep(list: readonly Unfinished[]): void {
  if (list.length === 0) removeStored(KEY);
  else writeStored(KEY, JSON.stringify(list.slice(-KEPT)));
}

/** The same file chosen again has the same mark; one that was changed since has not. */
const markOf = (tool: OnlineTool, { name, size, lastModified }: File) =>
  [tool.type, size, lastModified, name].join(':');

/** The place of a file whose upload did not come to its end here. */
export function unfinishedTask(tool: OnlineTool, file: File): string | null {
  return all().find((entry) => entry.file === markOf(tool, file))?.taskId ?? null;
}

/** Whether an upload can go on once its file is chosen again. */
export function isUnfinished(taskId: string): boolean {
  return all().some((entry) => entry.taskId === taskId);
}

/** A large upload begins, or goes on. */
export function rememberUpload(tool: OnlineTool, file: File, place: { taskId: string; expiresAt: string }): void {
  const mark = markOf(tool, file);
  const { taskId, expiresAt } = place;
  keep([...all().filter((entry) => entry.file !== mark), { file: mark, taskId, expiresAt }]);
}

/** It has come to its end, whichever. */
export function forgetUpload(taskId: string): void {
  keep(all().filter((entry) => entry.taskId !== taskId));
}
