import { setFlagsFromString } from 'node:v8';

/** By how many per cent the heap may outgrow what was alive in it at the last collection. */
export const HEAP_GROWTH = '--heap-growing-percent=60';

/**
 * Collects earlier than the engine does by itself: it lets the heap grow to several times what is alive, and more where much memory lies
 * outside it, as the embedded database does (lib/server/README.md, 45). To be called before there is much to collect.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(HEAP_GROWTH);
}
