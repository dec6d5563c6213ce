import { limits } from '../lib/catalog/limits';
import { readStored, writeStored } from '../lib/utils/browser-storage';
import { showToast } from './toasts';

/** What is said of a part of the program that did not load. */
export const PART_FAILED = 'A part of this page didn’t load. Check your connection and try again.';

const RELOADED_AT = 'chunkReloadAt';
let isLeaving = false;
let isTyped = false;
let holds = 0;

/** True for the errors with which bundlers and browsers report a part of the program that did not load. */
export function isPartFailure(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  return (
    reason.name === 'ChunkLoadError' ||
    /Loading (CSS )?chunk|Failed to load chunk|dynamically imported module|Importing a module script failed/i.test(
      reason.message,
    )
  );
}

/** Something was chosen or is being sent: the page must not be reloaded until the answer is called. */
export function holdPage(): () => void {
  let isHeld = true;
  holds += 1;
  return () => {
    if (isHeld) holds -= 1;
    isHeld = false;
  };
}

/** A new page: what was typed on the last one is gone with it. */
export function forgetTyped(): void {
  isTyped = false;
}

/** Notes typing and leaving from now on. */
export function watchPage(): void {
  document.addEventListener('input', () => {
    isTyped = true;
  });
  window.addEventListener('pagehide', () => {
    isLeaving = true;
  });
  window.addEventListener('beforeunload', () => {
    isLeaving = true;
  });
  window.addEventListener('pageshow', () => {
    isLeaving = false;
  });
  const onFailure = (reason: unknown) => {
    if (isPartFailure(reason)) partFailed();
  };
  window.addEventListener('error', (event) => onFailure(event.error));
  window.addEventListener('unhandledrejection', (event) => onFailure(event.reason));
}

/**
 * A part of the program did not load, as after a new release when the old names are gone. The page is reloaded, at most
 * once per 60 seconds (lib/contract/README.md, 100); not while it is being left, not off line, and not when something
 * was typed, chosen or is being sent: then a sentence says so, with a way to try again.
 */
export function partFailed(retry: () => void = reload, loadAnew: () => void = reload): void {
  if (isLeaving) return;
  if (mayReload()) {
    writeStored(RELOADED_AT, String(Date.now()), 'sessionStorage');
    loadAnew();
    return;
  }
  showToast(PART_FAILED, 'error', { action: { label: 'Try again', run: retry } });
}

function mayReload(): boolean {
  if (!navigator.onLine || isTyped || holds > 0) return false;
  // What is no number there counts as no reload.
  return !(Date.now() - Number(readStored(RELOADED_AT, 'sessionStorage')) < limits.chunkReloadEveryMs);
}

function reload(): void {
  window.location.reload();
}

/** Does something that loads a part of the program first; when that fails, it can be done again from the message. */
export async function withPart(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isPartFailure(error)) throw error;
    partFailed(() => void withPart(work));
  }
}
