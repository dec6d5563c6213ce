import { createHash } from 'node:crypto';
import { constants, createReadStream, readSync, writeSync } from 'node:fs';
import { copyFile as copy, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';

/** A file that is open: positioned reads and writes. Offsets and lengths in bytes; all of it fails with the file system's error. */
export class OpenFile {
  readonly size: number;
  readonly #handle: Awaited<ReturnType<typeof open>>;

  private constructor(handle: Awaited<ReturnType<typeof open>>, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** Opens a file to be read, or made anew to be written. */
  static async open(path: string, use: 'read' | 'write'): Promise<OpenFile> {
    const handle = await open(path, use === 'read' ? 'r' : 'w+');
    return new OpenFile(handle, (await handle.stat()).size);
  }

  /** Fills bytes from an offset on; how many there were. */
  read(bytes: Uint8Array, offset: number): number {
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(this.#handle.fd, bytes, filled, bytes.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  /** Writes bytes at an offset. */
  write(bytes: Uint8Array, offset: number): void {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#handle.fd, bytes, done, bytes.length - done, offset + done);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Length and SHA-256 of a file, read in pieces. */
export async function digestFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const piece = chunk as Uint8Array;
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** What stands at a path, links followed: whether it is a file, and `id`, which is the same for all names of one file; null for nothing. */
export async function lookAt(path: string): Promise<{ isFile: boolean; id: string } | null> {
  const seen = await stat(path).catch(() => null);
  return seen && { isFile: seen.isFile(), id: `${seen.dev}:${seen.ino}` };
}

export const sizeOf = async (path: string): Promise<number> => (await stat(path)).size;

/** Copies a file, by reference where the file system can. */
export const copyFile = (from: string, to: string): Promise<void> => copy(from, to, constants.COPYFILE_FICLONE);

/** Gives a file another path of the same folder, in place of what is there. */
export const moveFile = (from: string, to: string): Promise<void> => rename(from, to);

export const writeWhole = (path: string, bytes: Uint8Array): Promise<void> => writeFile(path, bytes);

/** Takes a file away, if there is one. */
export const removeFile = (path: string): Promise<void> => rm(path, { force: true });

/** Whether an error is the file system's, rather than one of content. */
export function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && String((error as { code?: unknown }).code).startsWith('E');
}

/** Paths with slashes, as they stand inside containers. */
export const { dirname, join: joinPaths, normalize: normalizePath, parse: parsePath, relative: relativePath } = posix;
