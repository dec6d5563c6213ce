import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { type EngineJob, LimitError } from '../../report';
import { entryTypes, shortLimit } from './constants';
import { type Directory, type DirectoryEntry, readDirectory } from './directory';
import { chainBytes, followChain, readSectors, type Sectors, unknown } from './sectors';

/** A stream as it was read; `sound` when all of it was told by the tables and is in the file. */
export type OleStream = { path: string[]; data: Buffer; size: number; sound: boolean; entry: DirectoryEntry | null };

/** Bytes of the pieces that short streams are cut into (2.2). */
const pieceSize = 64;

/** What stands for no entry in the tree of the directory (2.6.1). */
const noEntry = -1;

export type OleFile = {
  sectors: Sectors;
  directory: Directory;
  streams: OleStream[];
  rootClass: Buffer | null;
  miniStream: Buffer;
  /** What follows each piece of it. */
  miniTable: Int32Array;
};

/** Reads a compound file ([MS-CFB]) as far as its tables and directory survive. */
export function readOle(job: EngineJob, told: DocumentTold): OleFile {
  const sectors = readSectors(job, told);
  const directory = readDirectory(sectors, told);
  for (const sector of directory.sectors) sectors.reserved.add(sector);
  if (directory.entries.length > job.limits.entries)
    throw new LimitError('The file names more parts than this tool opens.');
  const root = directory.entries.find((entry) => entry.type === entryTypes.root);
  const short = new ShortStreams(sectors, root, directory);
  const starts = new Set(
    directory.entries.filter((entry) => entry.size >= shortLimit || entry === root).map((entry) => entry.start),
  );
  const paths = pathsOf(directory);
  if (hasBrokenLink(directory) || isLost(directory, paths)) directory.sound = false;
  const streams: OleStream[] = [];
  let budget = job.limits.inflatedBytes;
  for (const entry of directory.entries) {
    if (entry.type !== entryTypes.stream) continue;
    job.deadline.check();
    const read = entry.size < shortLimit ? short.read(entry) : readLong(sectors, entry, starts);
    budget -= read.data.length;
    if (budget < 0) throw new LimitError('The parts of the file add up to more than this tool opens.');
    streams.push({ path: paths.get(entry.index) ?? [entry.name], size: entry.size, entry, ...read });
  }
  return {
    sectors,
    directory,
    streams,
    rootClass: root?.classId ?? null,
    miniStream: short.bytes,
    miniTable: short.table,
  };
}

function readLong(
  sectors: Sectors,
  entry: DirectoryEntry,
  starts: ReadonlySet<number>,
): { data: Buffer; sound: boolean } {
  const wanted = Math.ceil(entry.size / sectors.size);
  const chain = followChain(sectors, entry.start, wanted, starts);
  const data = chainBytes(sectors, chain, entry.size);
  return { data, sound: chain.sound && data.length === entry.size };
}

/** Streams shorter than 4096 bytes: 64-byte pieces of one stream, with a table of their own (2.4). */
class ShortStreams {
  readonly bytes: Buffer;
  readonly table: Int32Array;
  readonly #sound: boolean;

  constructor(sectors: Sectors, root: DirectoryEntry | undefined, directory: Directory) {
    this.table = new Int32Array(0);
    this.bytes = Buffer.alloc(0);
    this.#sound = false;
    let tableSound = true;
    if (sectors.miniFatStart !== null) {
      const chain = followChain(sectors, sectors.miniFatStart, sectors.miniFatCount, new Set(directory.sectors));
      for (const sector of chain.sectors) sectors.reserved.add(sector);
      const data = chainBytes(sectors, chain, null);
      this.table = new Int32Array(data.length >> 2);
      for (let index = 0; index < this.table.length; index++) this.table[index] = data.readInt32LE(index * 4);
      tableSound = chain.sound && !isWiped(this.table);
    }
    if (!root || root.start < 0) return;
    const chain = followChain(sectors, root.start, Math.ceil(root.size / sectors.size), new Set());
    this.bytes = chainBytes(sectors, chain, root.size);
    this.#sound = chain.sound && tableSound && this.bytes.length === root.size;
  }

  read(entry: DirectoryEntry): { data: Buffer; sound: boolean } {
    if (entry.size === 0) return { data: Buffer.alloc(0), sound: true };
    const pieces: Buffer[] = [];
    let piece = entry.start;
    let sound = this.#sound;
    const wanted = Math.ceil(entry.size / pieceSize);
    const seen = new Set<number>();
    while (pieces.length < wanted && piece >= 0 && !seen.has(piece)) {
      const part = this.bytes.subarray(piece * pieceSize, (piece + 1) * pieceSize);
      if (part.length === 0) break;
      seen.add(piece);
      pieces.push(part);
      const next = isWiped(this.table) ? unknown : (this.table[piece] ?? unknown);
      if (next < 0 && pieces.length < wanted) sound = false;
      piece = next >= 0 ? next : piece + 1;
    }
    const data = Buffer.concat(pieces).subarray(0, entry.size);
    return { data, sound: sound && data.length === entry.size };
  }
}

function isWiped(table: Int32Array): boolean {
  return table.length > 2 && table.every((entry) => entry === 0);
}

/** Whether the tree does not lead to a stream, or goes on beside its root, which stands alone (2.6.2), or the root holds a piece of a short stream. */
function isLost({ entries }: Directory, paths: ReadonlyMap<number, string[]>): boolean {
  const root = entries.find((entry) => entry.type === entryTypes.root);
  if (root && (root.left !== noEntry || root.right !== noEntry || root.size % pieceSize !== 0)) return true;
  return entries.some(({ type, index }) => type === entryTypes.stream && !paths.has(index));
}

/** Whether an entry that the tree leads to leads on to one that is not there, to the root, or to one that is led to from elsewhere (2.6.4). */
function hasBrokenLink(directory: Directory): boolean {
  const byIndex = new Map(directory.entries.map((entry) => [entry.index, entry]));
  const stack = [directory.entries.find((entry) => entry.type === entryTypes.root)?.child ?? -1];
  const seen = new Set<number>();
  while (stack.length > 0) {
    const index = stack.pop() ?? -1;
    // No other number stands for nothing than -1.
    if (index < -1) return true;
    if (index < 0) continue;
    const entry = byIndex.get(index);
    if (!entry || entry.type === entryTypes.root || seen.has(index)) return true;
    seen.add(index);
    stack.push(entry.left, entry.right);
    if (entry.type === entryTypes.storage) stack.push(entry.child);
  }
  return false;
}

/** Paths of all entries, from the tree of siblings and children; entries that the tree lost stand at the top. */
function pathsOf(directory: Directory): Map<number, string[]> {
  const byIndex = new Map(directory.entries.map((entry) => [entry.index, entry]));
  const paths = new Map<number, string[]>();
  const root = directory.entries.find((entry) => entry.type === entryTypes.root);
  const stack: { index: number; parent: string[] }[] = root ? [{ index: root.child, parent: [] }] : [];
  follow();
  // Without the root its storages still tell what does not lie at the top.
  for (const entry of directory.entries) {
    if (entry.type !== entryTypes.storage || paths.has(entry.index)) continue;
    paths.set(entry.index, [entry.name]);
    stack.push({ index: entry.child, parent: [entry.name] });
    follow();
  }
  return paths;

  function follow(): void {
    while (stack.length > 0) {
      const item = stack.pop();
      const entry = item ? byIndex.get(item.index) : undefined;
      if (!item || !entry || paths.has(entry.index) || entry.type === entryTypes.root) continue;
      const path = [...item.parent, entry.name];
      paths.set(entry.index, path);
      stack.push({ index: entry.left, parent: item.parent }, { index: entry.right, parent: item.parent });
      if (entry.type === entryTypes.storage && path.length < 16) stack.push({ index: entry.child, parent: path });
    }
  }
}

/** The stream at the top of the file with this name; as in the file itself, small and capital letters are the same (2.6.4). */
export function topStream(file: OleFile, name: string): OleStream | undefined {
  const wanted = name.toUpperCase();
  return file.streams.find((stream) => stream.path.length === 1 && stream.path[0]?.toUpperCase() === wanted);
}
