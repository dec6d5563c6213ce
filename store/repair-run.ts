import type { OnlineTool } from '../lib/catalog/tools';
import { holdPage } from './parts';

type Kind = OnlineTool['kind'];

/** What is under way in a tool: ended by the next thing that is begun there. */
const runs: Partial<Record<Kind, AbortController>> = {};
/** While a file is being sent the page must not be loaded anew. */
const holds: Partial<Record<Kind, () => void>> = {};

/** Ends what is under way in a tool. */
export function endRun(tool: OnlineTool): void {
  runs[tool.kind]?.abort();
  delete runs[tool.kind];
  release(tool);
}

/** Begins something in a tool, in place of what was under way; its signal says when it is over itself. */
export function beginRun(tool: OnlineTool): AbortSignal {
  endRun(tool);
  const run = new AbortController();
  runs[tool.kind] = run;
  return run.signal;
}

/** Holds the page until the file has been sent, or the run ends. */
export function hold({ kind }: OnlineTool): void {
  holds[kind] ??= holdPage();
}

/** The file has been sent: the page may be loaded anew. */
export function release({ kind }: OnlineTool): void {
  holds[kind]?.();
  delete holds[kind];
}
