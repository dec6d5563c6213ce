import type { Plugin } from 'vite';

/** Has tests load the repair engine as the build compiles it; `root` is the folder of the project. */
export function compiledEngine(root: string): Plugin;
