import type { Edge } from '../layers.mjs';

/** Every import of some files below `root`, resolved. */
export function importGraph(root: string, files: readonly string[]): Promise<Edge[]>;
