import { limits } from '@/lib/catalog/limits';

const KEY = 'chunkReloadAt';

type Memory = { read: (key: string) => string | null; write: (key: string, value: string) => void };

/** True for the errors with which bundlers and browsers report a part of the program that did not load. */
export function isChunkFailure(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  return (
    reason.name === 'ChunkLoadError' ||
    /Loading (CSS )?chunk|Failed to load chunk|dynamically imported module|Importing a module script failed/i.test(
      reason.message,
    )
  );
}

/** Reloads the page for a failed chunk, at most once per 60 seconds (specification sections 4 and 8). */
export function reloadOnce(memory: Memory, now: number, reload: () => void): boolean {
  const last = Number(memory.read(KEY) ?? 0);
  if (Number.isFinite(last) && now - last < limits.chunkReloadEveryMs) return false;
  memory.write(KEY, String(now));
  reload();
  return true;
}

/** Watches the page for chunks that fail to load: after a new release the old names are gone. */
export function watchChunkFailures(memory: Memory): void {
  const react = (reason: unknown) => {
    if (isChunkFailure(reason)) reloadOnce(memory, Date.now(), () => window.location.reload());
  };
  window.addEventListener('error', (event) => react(event.error));
  window.addEventListener('unhandledrejection', (event) => react(event.reason));
}
