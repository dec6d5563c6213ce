import { byName } from '../../core/named';
import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { childrenIn, type Element, eight, element, elementsIn, floatOf, ids, numberIn, textOf } from './elements';
import { type Packing, readEncodings } from './encodings';
import { type Firsts, firstsOf, isOf, toldApart } from './fits';
import { settingsOf } from './settings';
import type { Walk } from './walk';

/** TrackType (RFC 9559, 5.1.4.1.3) of what is repaired here. */
export const trackTypes = { video: 1, audio: 2 } as const;

/**
 * A track as its entry describes it. `isEncoded`: its frames are compressed once more, encrypted, or without their first bytes
 * (RFC 9559, 5.1.4.1.31); `isEncrypted` names the second of these.
 */
export type Track = {
  kind: number;
  codec: string;
  setup: Buffer | null;
  isEncoded: boolean;
  isEncrypted: boolean;
  packing: Packing | null;
  /** Whether the settings of its pictures or sound can be what they are. */
  isSet: boolean;
};

/** Longest CodecID, and longest CodecPrivate, that is read, in bytes. */
const longest = { codec: 64, setup: 65536 };

/** Children of a track entry (RFC 9559, 5.1.4.1), among them those of old programs; read only where an entry is damaged. */
const inEntry = new Set<number>([
  ids.trackNumber,
  ids.trackUid,
  ids.trackType,
  ids.codecId,
  ids.codecPrivate,
  ids.contentEncodings,
  ids.codecDelay,
  ids.seekPreRoll,
  ids.video,
  ids.audio,
  ids.void,
  ids.crc,
  ...[0xb9, 0x88, 0x55aa, 0x55ab, 0x55ac, 0x55ad, 0x55ae, 0x55af, 0x9c, 0x6de7, 0x6df8, 0x23e383, 0x234e7a, 0x23314f],
  ...[0x537f, 0x55ee, 0x41e4, 0x536e, 0x22b59c, 0x22b59d, 0x258688, 0x7446, 0xaa, 0x6fab, 0x6624, 0xe2],
]);
const inTracks = new Set<number>([ids.trackEntry, ids.void, ids.crc]);
const noParents = new Set<number>();
const entryAlone = new Set<number>([ids.trackEntry]);

/** What a track entry says, and its elements; whether its elements fill it and say all that they must. */
type Entry = {
  number: number;
  track: Track;
  children: Element[];
  isWhole: boolean;
  settings: Buffer | null;
  /** The name of the codec where the entry has another. */
  codec: string | null;
};

/** Samples a second, channels and pixels that files have; far beyond what cameras and studios make. */
const rates = { least: 1000, most: 1_000_000 };
const mostChannels = 64;
const mostPixels = 65535;

/** Settings of pictures and of sound (RFC 9559, 5.1.4.1.28 and 29). */
const settingsKnown = new Set<number>([
  ...[0x9a, 0x9d, 0x53b8, 0x53c0, 0x53b9, ids.pixelWidth, ids.pixelHeight, 0x54aa, 0x54bb, 0x54cc, 0x54dd, 0x54b0],
  ...[0x54ba, 0x54b2, 0x54b3, 0x2eb524, 0x2fb523, 0x2383e3, 0x55b0, 0x7670],
  ...[ids.samplingFrequency, 0x78b5, ids.channels, 0x7d7b, 0x6264, 0x52f1],
]);

/** Whether the settings of pictures or sound can be what they are: each must say its size, and may leave out rate and channels (5.1.4.1.28 and 29). */
function readsSettings(source: Source, { id, body, end }: Element): boolean {
  const children = elementsIn(source, body, end);
  // None of the standard's stands there twice: what one of a wrong size swallows looks like others.
  const all = children?.flatMap((child) => (settingsKnown.has(child.id) ? [child.id] : [])) ?? [];
  if (!children || new Set(all).size < all.length) return false;
  const childOf = (wanted: number) => children.find((child) => child.id === wanted);
  const isWithin = (child: Element | undefined, most: number) =>
    child !== undefined && numberIn(source, child) >= 1 && numberIn(source, child) <= most;
  if (id === ids.video)
    return isWithin(childOf(ids.pixelWidth), mostPixels) && isWithin(childOf(ids.pixelHeight), mostPixels);
  // One without content says what is taken where it is missing (RFC 8794, 6.1).
  const filled = (wanted: number) => children.find(({ id, body, end }) => id === wanted && end > body);
  const [rate, channels] = [filled(ids.samplingFrequency), filled(ids.channels)];
  const told = rate ? floatOf(source.copy(rate.body, Math.min(8, rate.end - rate.body))) : rates.least;
  return told >= rates.least && told <= rates.most && (!channels || isWithin(channels, mostChannels));
}

/** Colour, and its children (RFC 9559, 5.1.4.1.28.16 to 30). */
const colour = 0x55b0;
const inColour = new Set<number>([
  ...Array.from({ length: 13 }, (_, index) => 0x55b1 + index),
  ...[0x55d0, ids.void, ids.crc],
]);

/** Settings of pictures with what can be read of their Colour, where its elements do not fill it: readers open no track of such. Null where they do. */
function withColour(source: Source, { body, end }: Element): Buffer | null {
  const copyOf = (one: Element) => source.copy(one.offset, one.end - one.offset);
  const children = elementsIn(source, body, end) ?? [];
  const own = children.find(({ id }) => id === colour);
  const read = own && childrenIn(source, own.body, own.end, inColour, noParents);
  if (!own || read?.isWhole) return null;
  const left = element(colour, ...(read?.elements ?? []).map(copyOf));
  return element(ids.video, ...children.map((one) => (one === own ? left : copyOf(one))));
}

/** A track entry, as far as it can be read. */
function readEntry(source: Source, entry: Element): Entry {
  const { elements: children, isWhole } = childrenIn(source, entry.body, entry.end, inEntry, noParents);
  let number = 0;
  const track: Track = {
    kind: 0,
    codec: '',
    setup: null,
    isEncoded: false,
    isEncrypted: false,
    packing: null,
    isSet: true,
  };
  const settings = new Set<number>();
  let filled: Buffer | null = null;
  for (const child of children) {
    const { id, body, end } = child;
    const length = end - body;
    if (id === ids.trackNumber) number = numberIn(source, child);
    if (id === ids.trackType) track.kind = numberIn(source, child);
    if (id === ids.codecId) track.codec = textOf(source.copy(body, Math.min(longest.codec, length)));
    if (id === ids.contentEncodings) {
      track.isEncoded = true;
      Object.assign(track, readEncodings(source, child));
    }
    if (id === ids.codecPrivate) track.setup = source.copy(body, Math.min(longest.setup, length));
    if (id !== ids.video && id !== ids.audio) continue;
    settings.add(id);
    track.isSet &&= readsSettings(source, child);
    if (id === ids.video && track.isSet) filled = withColour(source, child);
  }
  if (track.kind === trackTypes.video) track.isSet &&= settings.has(ids.video);
  return { number, track, children, isWhole: isWhole && !filled, settings: filled, codec: null };
}

/** Tracks by their numbers, the entries that describe them as they are to be written, and whether these stand in the file as they should. */
export type Listed = { tracks: Map<number, Track>; entries: Map<number, Buffer>; isWhole: boolean };

/** Share of the letters of a codec's name that must be left. */
const leastSame = 0.6;

/** Blocks of a track by which it is one, where no entry has its number. */
const leastBlocks = 2;

/** Numbers of tracks that have blocks, those of most blocks first. */
function numbersUsed({ clusters }: Walk): number[] {
  const counts = new Map<number, number>();
  for (const { blocks } of clusters) for (const { track } of blocks) counts.set(track, (counts.get(track) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= leastBlocks)
    .sort((one, other) => other[1] - one[1])
    .map(([number]) => number);
}

/** Of two entries of one number the one that has the wrong one: whose codec the frames of the number that is left are of, else the one that then stands in order. */
function wrongOf(
  entries: readonly Entry[],
  left: number,
  isOwn: (number: number, codec: string) => boolean | null,
): Entry | null {
  const pair = entries.filter(({ number }) => entries.filter((other) => other.number === number).length > 1);
  const [first, second] = pair;
  if (!first || !second || pair.length > 2) return null;
  const of = (one: Entry, other: Entry) =>
    Number(isOwn(left, one.track.codec) === true) + Number(isOwn(one.number, other.track.codec) === true);
  const [own, others] = [of(first, second), of(second, first)];
  if (own !== others) return own > others ? first : second;
  return left < first.number ? first : second;
}

/**
 * Gives entries without a number, or with one that no block has, that of a track without an entry, where one of each is left: the number is
 * what stands in the blocks.
 */
function settleNumbers(
  entries: readonly Entry[],
  used: readonly number[],
  isOwn: (number: number, codec: string) => boolean | null,
): boolean {
  const isFree = ({ number }: Entry, index: number) =>
    !used.includes(number) || entries.findIndex((other) => other.number === number) < index;
  const [free, second] = entries.filter(isFree);
  const [left, other] = used.filter((number) => !entries.some((one) => one.number === number));
  if (!free || second || left === undefined || other !== undefined) return entries.every(({ number }) => number > 0);
  const wrong = wrongOf(entries, left, isOwn) ?? free;
  wrong.number = left;
  wrong.isWhole = false;
  return true;
}

/** Gives a codec whose name is garbled the one that its frames and its setup are of, where that differs in few letters; others may be new. */
function settleCodec(entry: Entry, isOwn: (number: number, codec: string) => boolean | null): void {
  const { track, number } = entry;
  const { codec } = track;
  if (toldApart.includes(codec)) return;
  const near = toldApart.filter((name) => {
    const same = [...name].filter((letter, index) => letter === codec[index]).length;
    return name.length === codec.length && same >= name.length * leastSame && isSetUp({ ...track, codec: name });
  });
  const [name, other] = near.filter((one) => isOwn(number, one) === true);
  if (!name || other) return;
  track.codec = name;
  entry.codec = name;
  entry.isWhole = false;
}

/** The kind of a track by the first letter of its codec's name (RFC 9559, codec mappings), where its entry names none that goes with it. */
function settleKind(entry: Entry): void {
  const { track } = entry;
  const kind = { V_: trackTypes.video, A_: trackTypes.audio }[track.codec.slice(0, 2)];
  if (!kind || track.kind === kind) return;
  track.kind = kind;
  entry.isWhole = false;
}

/** Gives an entry whose settings of pictures or sound cannot be what they are those that its setup tells. */
function settleSettings(entry: Entry): void {
  const told = entry.track.isSet ? null : settingsOf(entry.track);
  if (!told) return;
  entry.settings = told;
  entry.track.isSet = true;
  entry.isWhole = false;
}

/** An entry to be written: its number, kind and identifier anew, and the elements that can be read. */
function entryBytes(source: Source, { number, track, children, settings, codec }: Entry): Buffer {
  const anew = new Set<number>([ids.trackNumber, ids.trackType, ids.trackUid, ids.void, ids.crc]);
  if (settings) for (const id of [ids.video, ids.audio]) anew.add(id);
  if (codec) anew.add(ids.codecId);
  const uid = children.find(({ id, body, end }) => id === ids.trackUid && end > body);
  const kept = children.filter(({ id }) => inEntry.has(id) && !anew.has(id));
  return element(
    ids.trackEntry,
    element(ids.trackNumber, Buffer.from([number])),
    uid ? source.copy(uid.offset, uid.end - uid.offset) : element(ids.trackUid, eight(number)),
    element(ids.trackType, Buffer.from([track.kind])),
    ...kept.map(({ offset, end }) => source.copy(offset, end - offset)),
    ...(codec ? [element(ids.codecId, Buffer.from(codec))] : []),
    ...(settings ? [settings] : []),
  );
}

/** Whether an element of another identifier holds what an entry does: a number and a codec, among elements that stand in entries. */
function isEntry(source: Source, { id, body, end }: Element): boolean {
  if (inTracks.has(id)) return false;
  const children = elementsIn(source, body, end);
  const has = (wanted: number) => children?.some((child) => child.id === wanted) === true;
  return children?.every((child) => inEntry.has(child.id)) === true && has(ids.trackNumber) && has(ids.codecId);
}

/** Bytes behind the end of a Tracks element that may be of it. */
const mostBehind = 65536;
/** Highest number of a track that is written in one byte. */
const mostNumber = 127;

/** Tracks by their numbers as the Tracks element describes them (RFC 9559, 5.1.4), as far as it can be read; those that cannot be what they are called are left out. */
export function tracksOf(source: Source, walk: Walk): Listed {
  const listed: Listed = { tracks: new Map(), entries: new Map(), isWhole: true };
  const part = walk.parts.find(({ id }) => id === ids.tracks);
  if (!part) return listed;
  // Where bytes were put in it ends later than it says.
  const behind = walk.gaps.find(({ offset }) => offset === part.end)?.length ?? 0;
  const read = childrenIn(source, part.body, part.end + Math.min(behind, mostBehind), inTracks, entryAlone);
  const found = read.elements.filter((one) => one.id === ids.trackEntry || isEntry(source, one));
  const entries = found.map((entry) => readEntry(source, entry));
  let firsts: Firsts | null = null;
  const isOwn = (number: number, codec: string) => {
    firsts ??= firstsOf(source, walk);
    return isOf(source, firsts, number, codec);
  };
  const areNumbered = settleNumbers(entries, numbersUsed(walk), isOwn);
  for (const entry of entries) {
    settleCodec(entry, isOwn);
    settleKind(entry);
    settleSettings(entry);
  }
  listed.isWhole =
    read.isWhole &&
    behind === 0 &&
    !part.isMoved &&
    areNumbered &&
    found.every(({ id }) => id === ids.trackEntry) &&
    entries.every(({ isWhole }) => isWhole);
  for (const entry of entries) {
    const { number, track } = entry;
    if (number < 1 || (number > mostNumber && !listed.isWhole)) continue;
    if (!isPlausible(track)) {
      listed.isWhole = false;
      continue;
    }
    listed.tracks.set(number, track);
    if (number <= mostNumber) listed.entries.set(number, entryBytes(source, entry));
  }
  return listed;
}

/** Whether bytes begin with a text, or a number. */
const begins =
  (...wanted: (string | number)[]) =>
  (setup: Buffer) =>
    wanted.some((one) =>
      typeof one === 'number' ? setup[0] === one : setup.toString('latin1', 0, one.length) === one,
    );
/** The packets of a setup of Vorbis: their number, and the first of them by its mark (RFC 9559, codec mappings). */
const twoMore = 2;
const vorbisHead = Buffer.from('\u0001vorbis', 'latin1');

/** OpusHead (RFC 7845, 5.1): its mark, bytes without a channel mapping, and where version, channels and the family of the mapping stand. */
const opus = { mark: 'OpusHead', bytes: 19, version: 8, channels: 9, family: 18, mapping: 21 };

/** Whether a setup is that of Opus: a version below 16, some channels, and as many bytes as its family has. */
function isOpusHead(setup: Buffer): boolean {
  if (setup.length < opus.bytes || setup.toString('latin1', 0, opus.mark.length) !== opus.mark) return false;
  const [version, channels, family] = [setup[opus.version] ?? 0, setup[opus.channels] ?? 0, setup[opus.family] ?? 0];
  return version >> 4 === 0 && channels > 0 && (family === 0 || setup.length >= opus.mapping + channels);
}

/** How CodecPrivate begins for codecs whose decoders refuse any other (RFC 9559, codec mappings). */
const beginnings: Readonly<Record<string, (setup: Buffer) => boolean>> = byName({
  A_OPUS: isOpusHead,
  A_VORBIS: (setup) => setup[0] === twoMore && setup.includes(vorbisHead),
  A_FLAC: begins('fLaC'),
  'V_MPEG4/ISO/AVC': begins(1),
  'V_MPEGH/ISO/HEVC': begins(0, 1),
  V_AV1: begins(0x81),
});

/** Whether a codec's setup, where there is one, begins as its codec demands; Vorbis cannot be without. */
function isSetUp({ codec, setup }: Track): boolean {
  const isRight = beginnings[codec];
  return !isRight || (setup ? isRight(setup) : codec !== 'A_VORBIS');
}

/** All kinds of tracks that there are: pictures, sound, both, logos, subtitles, buttons, controls and metadata (RFC 9559, 5.1.4.1.3). */
const allTypes = new Set([1, 2, 3, 16, 17, 18, 32, 33]);

/** Whether a track can be what its entry says: a kind that there is, a codec of that kind (RFC 9559, codec mappings), its setup, and settings. */
function isPlausible(track: Track): boolean {
  const { kind, codec, isSet } = track;
  if (!isSet || !isSetUp(track)) return false;
  if (kind === trackTypes.video) return codec.startsWith('V_');
  if (kind === trackTypes.audio) return codec.startsWith('A_');
  return allTypes.has(kind);
}

/** Kinds of tracks by their numbers. */
export const kindsOf = (tracks: ReadonlyMap<number, Track>): Map<number, number> =>
  new Map([...tracks].map(([number, { kind }]) => [number, kind]));

/** Codecs of tracks by their numbers. */
export const codecsOf = (tracks: ReadonlyMap<number, Track>): Map<number, string> =>
  new Map([...tracks].map(([number, { codec }]) => [number, codec]));
