import type { Buffer } from '../../host/bytes';
import type { Envelope, Pieces } from './carried';

/** Bytes at the end of a ZIP archive that are looked through for its directory: its last record with the longest comment, and the directory of few files. */
export const mostTail = 1 << 17;
/** Files of an archive that are looked at: one with more than these holds more than one. */
const mostMembers = 64;
const [localHead, centralHead, lastRecord] = ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06'] as const;
const sizes = { local: 30, central: 46, last: 22, block: 512 };
/** Ways in which a file lies in an archive (APPNOTE 4.4.5): as it is, and packed by DEFLATE; the flag of one that is locked (4.4.4). */
const [asItIs, packed, locked] = [0, 8, 1] as const;

/** What a system puts beside a file that is packed: its folders, and what a Mac knows of it. */
const isAside = (name: string, size: number): boolean =>
  size === 0 || name.endsWith('/') || name.startsWith('__MACOSX/') || /(?:^|\/)\._[^/]*$/.test(name);

type Member = { at: number; size: number };

/** The files in the directory of a ZIP archive (APPNOTE 4.3.12), without what lies beside them; null where there is none. */
function membersOf(file: Pieces): Member[] | null {
  const from = Math.max(0, file.size - mostTail);
  const tail = file.copy(from, mostTail);
  const last = tail.lastIndexOf(lastRecord, undefined, 'latin1');
  if (last < 0 || last + sizes.last > tail.length) return null;
  const members: Member[] = [];
  let at = tail.readUInt32LE(last + 16) - from;
  for (let seen = 0; at >= 0 && at + sizes.central <= last; seen++) {
    if (seen >= mostMembers || tail.toString('latin1', at, at + 4) !== centralHead) return null;
    const [name, extra, comment] = [28, 30, 32].map((place) => tail.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const text = tail.toString('latin1', at + sizes.central, at + sizes.central + name);
    const size = tail.readUInt32LE(at + 20);
    if (!isAside(text, size)) members.push({ at: tail.readUInt32LE(at + 42), size });
    at += sizes.central + name + extra + comment;
  }
  return members;
}

/** The file of a ZIP archive that holds one and no other; office documents are archives of many. */
function inZip(file: Pieces): Envelope | null {
  const members = membersOf(file);
  const [member] = members ?? [{ at: 0, size: null }];
  if (!member || (members && members.length !== 1)) return null;
  const head = file.copy(member.at, sizes.local);
  if (head.length < sizes.local || head.toString('latin1', 0, 4) !== localHead) return null;
  const from = member.at + sizes.local + head.readUInt16LE(26) + head.readUInt16LE(28);
  const size = member.size ?? head.readUInt32LE(18);
  // Without its directory nothing tells of other files, unless the archive is cut off within the first one.
  if (!members && from + size < file.size) return null;
  const [flags, way] = [head.readUInt16LE(6), head.readUInt16LE(8)];
  if ((flags & locked) !== 0 || (way !== asItIs && way !== packed)) return null;
  return { from, encoding: way === packed ? 'deflated' : 'stored', length: size, boundary: null };
}

/** Places in the head of a file in a TAR archive: its size, its check sum and its kind. */
const tar = { size: [124, 136], sum: [148, 156], kind: 156 } as const;

/** The head of a file in a TAR archive: its name, kind and size; null where its check sum is wrong. */
function tarHead(block: Buffer): { name: string; kind: string; size: number } | null {
  if (block.length < sizes.block || block.toString('latin1', 257, 262) !== 'ustar') return null;
  const octal = ([from, to]: readonly [number, number]) =>
    Number.parseInt(block.toString('latin1', from, to).trim(), 8);
  const blanks = 8 * 32;
  const sum = block.reduce((all, byte, at) => all + (at >= tar.sum[0] && at < tar.sum[1] ? 0 : byte), blanks);
  const size = octal(tar.size);
  if (octal(tar.sum) !== sum || !(size >= 0)) return null;
  const [name = ''] = block.toString('latin1', 0, 100).split('\0');
  return { name, kind: block.toString('latin1', tar.kind, tar.kind + 1), size };
}

/** The file of a TAR archive (POSIX.1-2017, pax: ustar) that holds one and no other. */
function inTar(file: Pieces): Envelope | null {
  let found: Envelope | null = null;
  let at = 0;
  for (let seen = 0; seen < mostMembers; seen++) {
    const head = tarHead(file.copy(at, sizes.block));
    if (!head) return found;
    const isFile = (head.kind === '0' || head.kind === '\0') && !isAside(head.name, head.size);
    if (isFile && found) return null;
    if (isFile) found = { from: at + sizes.block, encoding: 'tar', length: head.size, boundary: null };
    at += sizes.block + Math.ceil(head.size / sizes.block) * sizes.block;
  }
  return null;
}

/** The file that an archive was made of to send it: gzip (RFC 1952), or a ZIP or TAR archive with nothing else in it; null for anything else. */
export function inArchive(file: Pieces): Envelope | null {
  const head = file.copy(0, 4).toString('latin1');
  if (head === localHead) return inZip(file);
  if (head.startsWith('\x1f\x8b\x08')) return { from: 0, encoding: 'gzip', length: null, boundary: null };
  return inTar(file);
}
