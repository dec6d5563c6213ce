import type { OnlineTool } from '../lib/catalog/tools';

/** The page of a tool may be gone while its upload goes on: only its own address names its task. */
let shown: OnlineTool | null = null;

/** A tool's page is on the screen; called back when it goes. */
export function showAddressOf(tool: OnlineTool): () => void {
  shown = tool;
  return () => {
    if (shown === tool) shown = null;
  };
}

/** The task's key lives in the fragment: never sent to a server, never in a referrer, found again after a reload. */
export function keepInAddress(tool: OnlineTool, taskId: string | null): void {
  if (shown?.kind !== tool.kind) return;
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', `${pathname}${search}${taskId ? `#task=${taskId}` : ''}`);
}

/** The task named in the address, if there is one. */
export function taskInAddress(): string | null {
  return /^#task=([\w-]{16,64})$/.exec(window.location.hash)?.[1] ?? null;
}
