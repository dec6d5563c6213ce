import { lengthPlace } from '../../codecs/configuration';
import { type Box, box, boxesIn, isBoxType, words } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import { boxBytes } from './boxsizes';
import { chunksByPlaces } from './chunked';
import { describedAnew } from './described';
import { field, headerScale } from './headers';
import { soundLeaves } from './leaves';
import { renamed } from './names';
import { settleTimeTables } from './oddtimes';
import { pcmBlock, readTables, sampleCount, type Tables, type Track, tableNames, tablesOf } from './track';

/** A track whose tables tell each sample, but whose description is gone; `describedBy` is the same with one. */
export type Undescribed = { track: Track; describedBy: (stsd: Buffer) => Track | null };

/**
 * What is left of a moov box (ISO/IEC 14496-12, 8.2). `whole` tells that its tree was intact; `broken` are tracks whose description
 * is left, but whose tables no longer tell sizes or places: they have no samples.
 */
export type Movie = {
  tracks: Track[];
  broken: Track[];
  undescribed: Undescribed[];
  raw: Map<string, Buffer>;
  whole: boolean;
  fragmented: boolean;
  skipped: number;
  /** Types of leaves that could not be what they are called, and count as gone. */
  gone: ReadonlySet<string>;
};

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
const leaves = [
  'mvhd',
  'tkhd',
  'mdhd',
  'hdlr',
  'stsd',
  'elst',
  'vmhd',
  'smhd',
  'nmhd',
  'dref',
  'tref',
  'mvex',
  ...tableNames,
];

/** Levels of boxes below a trak (mdia, minf and stbl; 8.4 to 8.5), with one to spare: no file has more. */
const mostLevels = 4;

/** Collects boxes of one trak by walking its tree; false when the tree does not fit together. */
function collect(bytes: Buffer, from: number, to: number, into: Map<string, Buffer>, levels = mostLevels): boolean {
  if (levels === 0) return false;
  const { boxes, whole } = boxesIn(bytes, from, to);
  let sound = whole && boxes.every(({ type }) => isBoxType(type));
  for (const inner of boxes) {
    if (containers.has(inner.type)) sound = collect(bytes, inner.body, inner.end, into, levels - 1) && sound;
    else {
      // QuickTime has a second hdlr in minf, for the data handler; the media's own comes first.
      const key = into.has(inner.type) ? `${inner.type}2` : inner.type;
      into.set(key, bytes.subarray(inner.offset, inner.end));
    }
  }
  return sound;
}

/** The length of a leaf by its own content, since its size field may be wrong: counts decide for tables, else the size field if it fits. */
function leafEnd(bytes: Buffer, at: number, type: string, next: number): number {
  const stated = bytes.readUInt32BE(at);
  const body = at + 8;
  const count = body + 8 <= bytes.length ? bytes.readUInt32BE(body + 4) : 0;
  const widths: Record<string, number> = { stts: 8, ctts: 8, stss: 4, stsc: 12, stco: 4, co64: 8 };
  const width = widths[type];
  if (width !== undefined) {
    const end = body + 8 + count * width;
    return end <= bytes.length && end <= next + 8 ? end : Math.min(next, at + Math.max(16, stated));
  }
  if (type === 'stsz' && body + 12 <= bytes.length) {
    const fixed = bytes.readUInt32BE(body + 4);
    return Math.min(bytes.length, next, body + 12 + (fixed > 0 ? 0 : bytes.readUInt32BE(body + 8) * 4));
  }
  // A description is as long as its only entry says, which stands behind the count.
  const entry = type === 'stsd' && count === 1 && body + 12 <= bytes.length ? bytes.readUInt32BE(body + 8) : 0;
  if (entry >= boxBytes.stsdCodec - 8 && body + 8 + entry <= next) return body + 8 + entry;
  return stated >= 8 && at + stated <= next ? at + stated : next;
}

/** Boxes that are looked for by their codes besides leaves: they end the leaf before them. */
const others = ['trak', 'edts', 'mdia', 'minf', 'stbl', 'dinf', 'udta', 'meta', 'sgpd', 'sbgp', 'sdtp'];

type Mark = { at: number; type: string };

/** Boxes by their four-character codes alone, in the order in which they lie. */
function marksIn(bytes: Buffer): Mark[] {
  const marks: Mark[] = [];
  for (const type of [...leaves, ...others])
    for (let hit = bytes.indexOf(type, 4, 'latin1'); hit >= 0; hit = bytes.indexOf(type, hit + 4, 'latin1'))
      marks.push({ at: hit - 4, type });
  return marks.sort((left, right) => left.at - right.at);
}

/** Leaves of one track: where they begin, and where the first table does; the track's description lies in between. */
type Group = { leaves: Map<string, Buffer>; from: number; tables: number | null };

/** Whether a box begins another track: a trak, or a header of which this one has one already. */
const begins = ({ type }: Mark, current: Map<string, Buffer>) =>
  type === 'trak' || ((type === 'tkhd' || type === 'mdhd') && current.has(type));

const isTable = (type: string) => type.startsWith('st') && type !== 'stsd' && type !== 'stbl';

/** Kinds of samples that one track is believed to have. */
const mostDescriptions = 255;

/** Whether a sample description names a codec for at least one kind of samples (8.5.2); QuickTime calls those of Windows `ms` and a number. */
function describes(stsd: Buffer | undefined): stsd is Buffer {
  if (stsd === undefined || stsd.length < boxBytes.stsdCodec) return false;
  const codec = stsd.toString('latin1', 20, 24);
  const count = stsd.readUInt32BE(12);
  return count > 0 && count <= mostDescriptions && (isBoxType(codec) || codec.startsWith('ms'));
}

/** Finds leaves by their four-character codes alone and groups them into tracks at each tkhd or trak. */
function scan(bytes: Buffer): Map<string, Buffer>[] {
  const marks = marksIn(bytes);
  let group: Group = { leaves: new Map(), from: 0, tables: null };
  const groups = [group];
  for (const [index, mark] of marks.entries()) {
    if (begins(mark, group.leaves)) {
      group = { leaves: new Map(), from: mark.at, tables: null };
      groups.push(group);
    }
    if (isTable(mark.type)) group.tables ??= mark.at;
    if (!leaves.includes(mark.type) || group.leaves.has(mark.type)) continue;
    const end = leafEnd(bytes, mark.at, mark.type, marks[index + 1]?.at ?? bytes.length);
    const leaf = Buffer.from(bytes.subarray(mark.at, end));
    if (leaf.length < 12) continue;
    leaf.writeUInt32BE(leaf.length, 0);
    group.leaves.set(mark.type, leaf);
  }
  for (const { leaves: found, from, tables } of groups) {
    const made = describes(found.get('stsd')) || tables === null ? null : describedAnew(bytes, from, tables);
    if (made) found.set('stsd', made);
  }
  return groups.map(({ leaves: found }) => found);
}

/** Bytes of the NAL length field (ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1), or 0 for other codecs. */
function lengthField(stsd: Buffer): number {
  const place = lengthPlace(stsd);
  return place < 0 ? 0 : ((stsd[place] ?? 3) & 3) + 1;
}

/** Times and orders of a track whose tables tell no sizes or places any more: its samples must be looked for. */
function brokenTables(tables: Tables, step: number): ReturnType<typeof readTables> {
  const count = Math.min(2_000_000, sampleCount(tables.stts));
  const sized = Buffer.alloc(20);
  sized.writeUInt32BE(1, 12);
  sized.writeUInt32BE(count, 16);
  const read = readTables({ ...tables, stsz: sized }, step, 0);
  return (
    read && {
      ...read,
      sizes: new Uint32Array(),
      offsets: new Float64Array(),
      chunks: new Uint32Array(),
      entries: null,
      agreed: false,
    }
  );
}

/** Ticks a second of media whose header is gone. */
const usualScale = 30000;

/** The handler's type, or what the codec says where it is gone or overwritten (8.4.3): types are letters. */
function kindOf(hdlr: Buffer | undefined, codec: string): string {
  const handler = hdlr && hdlr.length >= 20 ? hdlr.toString('latin1', 16, 20) : '';
  if (/^[a-zA-Z]{3}[a-zA-Z0-9 ]$/.test(handler)) return handler;
  return /^(mp4a|samr|sowt|twos|lpcm|ac-3|alac|Opus)$/.test(codec) ? 'soun' : 'vide';
}

/** Whether the data of a track lies in this file, by its data reference (8.7.2); QuickTime's alias counts as this file too. */
const isInside = (dref: Buffer | undefined) =>
  !dref ||
  dref.length < boxBytes.dref ||
  (dref.readUInt32BE(24) & 1) === 1 ||
  // An entry without a place names no other file.
  dref.readUInt32BE(16) <= 12 ||
  dref.toString('latin1', 20, 24) === 'alis';

/** A description of nothing, in the place of one that is gone. */
const blank = Buffer.alloc(boxBytes.stsdCodec);

type Made = {
  track: Track;
  state: 'whole' | 'broken' | 'undescribed';
  raw: Map<string, Buffer>;
  index: number;
};

/** Tables of a track that tells how many samples it has, but not how large they are. */
const isUnsized = ({ sizes }: { sizes: Uint32Array }, { stts }: Tables) => sizes.length === 0 && sampleCount(stts) > 0;

/** Samples of a track by its table of sizes (8.7.3), and how long all of them last by the head of its media (8.4.2); null where either is gone. */
function lengthOf(raw: ReadonlyMap<string, Buffer>): { count: number; ticks: number } | null {
  const [media, sizes] = [raw.get('mdhd'), raw.get('stsz')];
  if (media?.[8] !== 0 || !sizes || sizes.length < boxBytes.stsz) return null;
  const [count, ticks] = [sizes.readUInt32BE(16), field(media, 24, 24)];
  return count > 0 && ticks >= count && ticks < 0xffffffff ? { count, ticks } : null;
}

/** Samples that sound is packed in: AAC, MP3, AC-3, Opus and Apple Lossless (ISO/IEC 14496-3, 11172-3; ETSI TS 102 366; RFC 6716), of which the last may be shorter. */
const usualPackets = [1024, 2048, 960, 1152, 576, 1536, 4096];

/** Ticks of each sample of a track whose table of durations is gone, by how long all of them last; 0 where nothing tells. */
function evenStep(raw: ReadonlyMap<string, Buffer>): number {
  const told = lengthOf(raw);
  if (!told) return 0;
  const { count, ticks } = told;
  return (raw.has('smhd') && usualPacket(ticks, count)) || Math.round(ticks / count);
}

/** The packets of a usual length, but for the last one, that so many are which last so long; undefined where none are. */
const usualPacket = (ticks: number, count: number) =>
  usualPackets.find((each) => each * (count - 1) < ticks && ticks <= each * count);

/** Whether all samples of a track may last equally long, by how long they last together; packets of sound but for the last of them. */
export function isEven(raw: ReadonlyMap<string, Buffer>): boolean {
  const told = lengthOf(raw);
  if (told === null) return false;
  return told.ticks % told.count === 0 || (raw.has('smhd') && usualPacket(told.ticks, told.count) !== undefined);
}

/** Makes a track of the boxes of one trak; `broken` when its samples must be looked for, null when there is nothing to go by. */
function toTrack(raw: Map<string, Buffer>, index: number): Made | null {
  const own = raw.get('stsd');
  const isDescribed = describes(own);
  const stsd = isDescribed ? own : blank;
  const tables = tablesOf(raw);
  const codec = isDescribed ? stsd.toString('latin1', 20, 24) : '';
  const timescale = headerScale(raw) || usualScale;
  const step = evenStep(raw) || Math.max(1, Math.round(timescale / 30));
  const placed = tables.stsc !== undefined && (tables.stco ?? tables.co64) !== undefined;
  const told = placed ? readTables(tables, step, pcmBlock(stsd)) : null;
  const full = told && !isUnsized(told, tables) ? told : null;
  if (!isDescribed && !full) return null;
  const read = full ?? brokenTables(tables, step);
  if (!read) return null;
  const tkhd = raw.get('tkhd');
  const track: Track = {
    id: tkhd && tkhd.length >= 32 ? field(tkhd, 20, 28) : index + 1,
    kind: isDescribed ? kindOf(raw.get('hdlr'), codec) : kindBy(raw),
    codec,
    timescale,
    lengthBytes: /^(avc[1-4]|hvc1|hev1|dvh[1e]|dva[1v])$/.test(codec) ? lengthField(stsd) : 0,
    inside: isInside(raw.get('dref') ?? raw.get('dinf')?.subarray(8)),
    raw,
    stsd,
    ...read,
  };
  return { track, state: !isDescribed ? 'undescribed' : full ? 'whole' : 'broken', raw, index };
}

/** The kind of a track whose description is gone: its handler, or the head of its media (12.1.2, 12.2.2). */
function kindBy(raw: Map<string, Buffer>): string {
  if (raw.has('hdlr')) return kindOf(raw.get('hdlr'), '');
  return raw.has('smhd') ? 'soun' : raw.has('vmhd') ? 'vide' : '';
}

/** The same track with a description: its tables are read again, as frames of PCM count otherwise than packets. */
function describedAs({ raw, index }: Made, stsd: Buffer): Track | null {
  const made = toTrack(new Map([...raw, ['stsd', stsd]]), index);
  return made?.state === 'whole' ? made.track : null;
}

/** The boxes of a moov box: its tracks, and all others by their types; boxes that are named like none are left out, and make it not whole. */
function sorted(bytes: Buffer, tree: { boxes: Box[]; whole: boolean }) {
  const raw = new Map<string, Buffer>();
  const groups: Map<string, Buffer>[] = [];
  const named = tree.boxes.filter(({ type }) => isBoxType(type));
  let whole = tree.whole && named.length === tree.boxes.length;
  for (const inner of named) {
    if (inner.type !== 'trak') raw.set(inner.type, bytes.subarray(inner.offset, inner.end));
    else {
      const group = new Map<string, Buffer>();
      whole = collect(bytes, inner.body, inner.end, group) && whole;
      groups.push(group);
    }
  }
  return { raw, groups, whole };
}

/** The leaves of a movie and of its tracks that can be what their types say; how many samples lie in each chunk is told by places where it is gone. */
function believed(raw: Map<string, Buffer>, parts: readonly Map<string, Buffer>[], areSized: boolean) {
  const movie = soundLeaves(raw, 0);
  const scale = field(movie.sound.get('mvhd'), 20, 28);
  const timed = parts.map((part) => settleTimeTables(part, movie.sound));
  const tracks = parts.map((part) => soundLeaves(part, scale, areSized));
  const sound = tracks.map((track) => track.sound);
  const gone = new Set([...movie.gone, ...tracks.flatMap((track) => track.gone)]);
  for (const track of sound) {
    const chunks = track.has('stsc') ? null : chunksByPlaces(track, sound);
    if (!chunks) continue;
    track.set('stsc', chunks);
    gone.add('stsc');
  }
  return {
    raw: movie.sound,
    parts: sound,
    gone,
    isMended: timed.includes(true) || tracks.some((track) => track.isMended),
  };
}

/** Boxes that every track has (8.3 to 8.7), of which the last two have another name where their fields are shorter or longer. */
const required = ['tkhd', 'mdhd', 'hdlr', 'stsd', 'stts', 'stsc'];
const hasAll = (group: ReadonlyMap<string, Buffer>) =>
  required.every((name) => group.has(name)) &&
  (group.has('stsz') || group.has('stz2')) &&
  (group.has('stco') || group.has('co64'));

/** Reads a moov box given as its bytes: by its tree, else by the codes of its leaves where that is broken. */
export function readMovie(bytes: Buffer, head: Box | null): Movie {
  const named = head && renamed(bytes, head);
  return named ? { ...readNamed(named, head), whole: false } : readNamed(bytes, head);
}

function readNamed(bytes: Buffer, head: Box | null): Movie {
  const tree = head ? boxesIn(bytes, head.body, head.end) : { boxes: [], whole: false };
  const { raw, groups, whole } = sorted(bytes, tree);
  const complete = whole && groups.length > 0 && groups.every((group) => group.has('stsd'));
  const parts = complete ? groups : scan(bytes);
  if (!complete)
    for (const name of ['mvhd', 'mvex'])
      for (const part of parts) {
        const found = part.get(name);
        if (found && !raw.has(name)) raw.set(name, found);
      }
  const checked = believed(raw, parts, complete);
  const { gone } = checked;
  const made = checked.parts.map(toTrack).filter((part) => part !== null);
  const [tracks, broken] = (['whole', 'broken'] as const).map((wanted) =>
    made.filter(({ state }) => state === wanted).map(({ track }) => track),
  );
  const undescribed = made
    .filter(({ state }) => state === 'undescribed')
    .map((one) => ({ track: one.track, describedBy: (stsd: Buffer) => describedAs(one, stsd) }));
  const told = ['tkhd', 'mdhd', 'stsz', 'stts'];
  const skipped = parts.filter((part) => told.some((name) => part.has(name))).length - made.length;
  return {
    tracks: tracks ?? [],
    broken: broken ?? [],
    undescribed,
    raw: checked.raw,
    whole:
      complete &&
      raw.has('mvhd') &&
      groups.every(hasAll) &&
      !checked.isMended &&
      gone.size + undescribed.length + (broken?.length ?? 0) === 0,
    fragmented: raw.has('mvex'),
    skipped: Math.max(0, skipped),
    gone,
  };
}

/** A plain media header for a track whose own was lost: kind decides (8.4.5, 12). */
export function mediaHeader(kind: string): Buffer {
  if (kind === 'vide') return box('vmhd', words(1, 0, 0));
  if (kind === 'soun') return box('smhd', words(0, 0));
  return box('nmhd', words(0));
}
