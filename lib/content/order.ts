import type { PageFile } from './page';

/** The pages of a set of files with their addresses, in the order that they say. */
export function byOrder<File extends PageFile>(set: Readonly<Record<string, File>>): (File & { path: string })[] {
  return Object.entries(set)
    .map(([path, file]) => ({ ...file, path }))
    .sort((a, b) => a.order - b.order);
}
