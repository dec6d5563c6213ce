import { Buffer } from '../../host/bytes';
import { listedInHeader, longestName, oleSignature, shortLimit, special } from './constants';

export type StreamToWrite = { path: readonly string[]; data: Buffer };

/** Why no file is put together: no text is left, or it is encrypted. */
export type Unmade = 'noText' | 'passwordDamaged';

/** What a compound file is to hold; the class of its root tells Windows which program opens it ([MS-CFB] 2.6.1). */
export type Container = { streams: readonly StreamToWrite[]; rootClass: Buffer | null };

type Node = {
  name: string;
  children: Node[];
  data: Buffer | null;
  start: number;
  index: number;
  left: number;
  right: number;
  child: number;
};

/** Writes a compound file of version 3 ([MS-CFB]): streams in one run each, then short streams, tables and directory. */
export function writeOle(streams: readonly StreamToWrite[], rootClass: Buffer | null): Buffer {
  const root: Node = node('Root Entry', null);
  for (const stream of streams) insert(root, stream);
  const nodes: Node[] = [];
  number(root, nodes);
  const short = nodes.filter((entry) => entry.data !== null && entry.data.length > 0 && entry.data.length < shortLimit);
  const long = nodes.filter((entry) => entry.data !== null && entry.data.length >= shortLimit);
  const builder = new SectorBuilder();
  for (const entry of long) entry.start = builder.add(entry.data ?? Buffer.alloc(0));
  const miniTable: number[] = [];
  const pieces: Buffer[] = [];
  for (const entry of short) {
    const count = Math.ceil((entry.data?.length ?? 0) / 64);
    entry.start = miniTable.length;
    for (let index = 1; index <= count; index++) miniTable.push(index === count ? special.end : miniTable.length + 1);
    pieces.push(Buffer.concat([entry.data ?? Buffer.alloc(0)], count * 64));
  }
  const miniStream = Buffer.concat(pieces);
  const miniStart = miniStream.length > 0 ? builder.add(miniStream) : special.end;
  const table = Buffer.alloc(Math.ceil(miniTable.length / 128) * 512, 0xff);
  for (const [index, value] of miniTable.entries()) table.writeInt32LE(value, index * 4);
  const miniTableStart = table.length > 0 ? builder.add(table) : special.end;
  const directory = writeDirectory(nodes, miniStart, miniStream.length, rootClass);
  const directoryStart = builder.add(directory);
  return builder.finish({ directoryStart, miniTableStart, miniTableSectors: table.length / 512 });
}

function node(name: string, data: Buffer | null): Node {
  return { name, children: [], data, start: 0, index: 0, left: -1, right: -1, child: -1 };
}

function insert(root: Node, stream: StreamToWrite): void {
  let at = root;
  for (const name of stream.path.slice(0, -1)) {
    let next = at.children.find((child) => child.name === name && child.data === null);
    if (!next) {
      next = node(name, null);
      at.children.push(next);
    }
    at = next;
  }
  const name = stream.path.at(-1) ?? '';
  if (!at.children.some((child) => child.name === name)) at.children.push(node(name, stream.data));
}

/** Order of siblings: shorter names first, then by capital letters (2.6.4). */
function compareNames(left: Node, right: Node): number {
  if (left.name.length !== right.name.length) return left.name.length - right.name.length;
  const [first, second] = [left.name.toUpperCase(), right.name.toUpperCase()];
  return first < second ? -1 : first > second ? 1 : 0;
}

function number(root: Node, nodes: Node[]): void {
  root.index = nodes.length;
  nodes.push(root);
  for (const child of root.children) number(child, nodes);
  root.child = balance([...root.children].sort(compareNames))?.index ?? -1;
}

/** Siblings as a balanced search tree; all nodes black is allowed when readers only search. */
function balance(nodes: readonly Node[]): Node | null {
  const middle = nodes.length >> 1;
  const top = nodes[middle];
  if (!top) return null;
  top.left = balance(nodes.slice(0, middle))?.index ?? -1;
  top.right = balance(nodes.slice(middle + 1))?.index ?? -1;
  return top;
}

function writeDirectory(nodes: readonly Node[], miniStart: number, miniSize: number, rootClass: Buffer | null): Buffer {
  const directory = Buffer.alloc(Math.ceil(nodes.length / 4) * 512);
  for (let at = 0; at < directory.length; at += 128) directory.fill(0xff, at + 68, at + 80);
  for (const entry of nodes) {
    const at = entry.index * 128;
    const root = entry.index === 0;
    const name = entry.name.slice(0, longestName);
    directory.write(name, at, 'utf16le');
    directory.writeUInt16LE((name.length + 1) * 2, at + 64);
    directory[at + 66] = root ? 5 : entry.data === null ? 1 : 2;
    directory[at + 67] = 1;
    directory.writeInt32LE(entry.left, at + 68);
    directory.writeInt32LE(entry.right, at + 72);
    directory.writeInt32LE(entry.child, at + 76);
    if (root && rootClass) rootClass.copy(directory, at + 80);
    const size = root ? miniSize : (entry.data?.length ?? 0);
    directory.writeInt32LE(
      root ? miniStart : size === 0 ? (entry.data === null ? 0 : special.end) : entry.start,
      at + 116,
    );
    directory.writeUInt32LE(size, at + 120);
  }
  return directory;
}

class SectorBuilder {
  readonly #pieces: Buffer[] = [];
  readonly #table: number[] = [];

  /** Adds content in a run of sectors; returns the first. */
  add(data: Buffer): number {
    const count = Math.ceil(data.length / 512);
    const start = this.#table.length;
    for (let index = 1; index <= count; index++) this.#table.push(index === count ? special.end : start + index);
    this.#pieces.push(data, Buffer.alloc(count * 512 - data.length));
    return start;
  }

  finish(places: { directoryStart: number; miniTableStart: number; miniTableSectors: number }): Buffer {
    const content = this.#table.length;
    let tables = 0;
    let lists = 0;
    for (;;) {
      const total = content + tables + lists;
      const needed = Math.ceil(total / 128);
      const neededLists = needed > listedInHeader ? Math.ceil((needed - listedInHeader) / 127) : 0;
      if (needed === tables && neededLists === lists) break;
      tables = needed;
      lists = neededLists;
    }
    const fat = Buffer.alloc(tables * 512, 0xff);
    for (const [index, value] of this.#table.entries()) fat.writeInt32LE(value, index * 4);
    for (let index = 0; index < tables; index++) fat.writeInt32LE(special.table, (content + index) * 4);
    for (let index = 0; index < lists; index++) fat.writeInt32LE(special.list, (content + tables + index) * 4);
    const further = Buffer.alloc(lists * 512, 0xff);
    for (let index = 109; index < tables; index++) {
      const place = index - 109;
      further.writeInt32LE(content + index, Math.floor(place / 127) * 512 + (place % 127) * 4);
    }
    for (let index = 0; index < lists; index++) {
      further.writeInt32LE(index + 1 < lists ? content + tables + index + 1 : special.end, index * 512 + 508);
    }
    return Buffer.concat([this.#header(places, content, tables, lists), ...this.#pieces, fat, further]);
  }

  #header(
    places: { directoryStart: number; miniTableStart: number; miniTableSectors: number },
    content: number,
    tables: number,
    lists: number,
  ): Buffer {
    const header = Buffer.alloc(512);
    oleSignature.copy(header);
    header.writeUInt16LE(0x3e, 24);
    header.writeUInt16LE(3, 26);
    header.writeUInt16LE(0xfffe, 28);
    header.writeUInt16LE(9, 30);
    header.writeUInt16LE(6, 32);
    header.writeUInt32LE(tables, 44);
    header.writeInt32LE(places.directoryStart, 48);
    header.writeUInt32LE(shortLimit, 56);
    header.writeInt32LE(places.miniTableStart, 60);
    header.writeUInt32LE(places.miniTableSectors, 64);
    header.writeInt32LE(lists > 0 ? content + tables : special.end, 68);
    header.writeUInt32LE(lists, 72);
    header.fill(0xff, 76);
    for (let index = 0; index < Math.min(109, tables); index++) header.writeInt32LE(content + index, 76 + index * 4);
    return header;
  }
}
