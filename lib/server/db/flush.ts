import 'server-only';
import fs from 'node:fs';
import path from 'node:path';

/** Has what was written to a file, or the names in a folder, reach the disk. */
export function flush(file: string): void {
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The same for a folder and all that is in it. */
export function flushTree(directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) flushTree(file);
    else flush(file);
  }
  flush(directory);
}
