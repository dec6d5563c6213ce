import { type Box, boxesIn, isBoxType } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import { type Leaves, soundLeaves } from './leaves';

/** What a box holds first tells its name, by the box that it stands in (ISO/IEC 14496-12, 8.1 to 8.8). */
const byFirst: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  moov: { tkhd: 'trak', mehd: 'mvex', trex: 'mvex' },
  trak: { elst: 'edts', mdhd: 'mdia' },
  mdia: { vmhd: 'minf', smhd: 'minf', gmhd: 'minf', nmhd: 'minf' },
  minf: { dref: 'dinf', stsd: 'stbl' },
};

/** Headers that stand first in their box, by their bytes in both versions (8.2.2, 8.3.2, 8.4.2). */
const firstIn: Readonly<Record<string, { name: string; bytes: readonly [number, number] }>> = {
  moov: { name: 'mvhd', bytes: [108, 120] },
  trak: { name: 'tkhd', bytes: [92, 104] },
  mdia: { name: 'mdhd', bytes: [32, 44] },
};

/** Tables by the bytes of an entry and of what stands before the first, in the order in which a name is tried (8.6 and 8.7). */
const tables = [
  { name: 'stsz', head: 20, width: 4 },
  { name: 'stts', head: 16, width: 8 },
  { name: 'ctts', head: 16, width: 8 },
  { name: 'stsc', head: 16, width: 12 },
  { name: 'stco', head: 16, width: 4 },
  { name: 'stss', head: 16, width: 4 },
] as const;

/** Other boxes that a sample table may hold (8.5 to 8.9; QuickTime File Format, sample table atoms). */
const alsoThere = [
  'stsd',
  'stz2',
  'co64',
  'stps',
  'stsh',
  'stdp',
  'sdtp',
  'sbgp',
  'sgpd',
  'subs',
  'padb',
  'cslg',
  'saiz',
  'saio',
];
const known: ReadonlySet<string> = new Set([...tables.map(({ name }) => name), ...alsoThere]);

/** Names by which programs take a box out without moving others (8.1.2): what it holds is no part of the file. */
const hidden: ReadonlySet<string> = new Set(['free', 'skip']);

const codeAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4);

/** Whether a name is another one but for a letter, or none at all; other boxes that are named well may be anything. */
const isNear = (one: string, other: string) =>
  !isBoxType(one) || [...one].filter((letter, index) => letter !== other[index]).length === 1;

/** The name of a table that lacks one, by its length and by what the others of its track say; null for others. */
function tableName(bytes: Buffer, { type, offset, end }: Box, beside: Leaves): string | null {
  if (known.has(type)) return null;
  const own = tables.find(({ name, head, width }) => {
    if (beside.has(name) || !isNear(type, name) || end - offset < head + width) return false;
    const leaf = Buffer.from(bytes.subarray(offset, end));
    leaf.write(name, 4, 'latin1');
    if (leaf.readUInt32BE(head - 4) * width + head !== leaf.length) return false;
    return !soundLeaves(new Map([...beside, [name, leaf]]), 0).gone.includes(name);
  });
  return own?.name ?? null;
}

/** The name of a box that is called like none that stands in `parent`; null where its name is right, or nothing tells. */
function nameOf(bytes: Buffer, parent: string, found: Box, index: number, beside: Leaves): string | null {
  const { type, offset, body, end } = found;
  if (hidden.has(type)) return null;
  const inner = body + 8 <= end ? byFirst[parent]?.[codeAt(bytes, body + 4)] : undefined;
  if (inner) return inner === type ? null : inner;
  const first = firstIn[parent];
  if (index === 0 && first && !beside.has(first.name) && first.bytes.includes(end - offset)) return first.name;
  return parent === 'stbl' ? tableName(bytes, found, beside) : null;
}

/** Boxes that are gone through, and how deep they stand in each other: more are no index. */
const most = { boxes: 100_000, depth: 5 };

/**
 * A moov box whose boxes have the names that their content and place prove, as a copy, where any had another: readers pass over a box whose
 * name they do not know. Null where all are named as they should be.
 */
export function renamed(bytes: Buffer, head: Box): Buffer | null {
  let copy = bytes;
  let left = most.boxes;
  const walk = (parent: string, from: number, to: number, depth: number): void => {
    const { boxes } = boxesIn(copy, from, to);
    left -= boxes.length;
    if (left < 0 || depth > most.depth) return;
    const beside = new Map(boxes.map(({ type, offset, end }) => [type, copy.subarray(offset, end)]));
    for (const [index, found] of boxes.entries()) {
      const name = nameOf(copy, parent, found, index, beside);
      if (name && copy === bytes) copy = Buffer.from(bytes);
      if (name) copy.write(name, found.offset + 4, 'latin1');
      const type = name ?? found.type;
      if (type in byFirst || type === 'stbl') walk(type, found.body, found.end, depth + 1);
    }
  };
  walk('moov', head.body, head.end, 1);
  return copy === bytes ? null : copy;
}
