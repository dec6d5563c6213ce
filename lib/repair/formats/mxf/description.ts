import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { isEssence, isIndex, isPicture, isSound, type Klv, pack, partitionKind } from './klv';
import { type LocalSet, localSet, ratioOf, valueAt } from './sets';

/** Tags of the items that lead from one set to others, and that name what they lead to (SMPTE 377-1, annexes A and B). */
export const tag = {
  instance: 0x3c0a,
  storage: 0x3b03,
  packages: 0x1901,
  essenceData: 0x1902,
  tracks: 0x4403,
  descriptor: 0x4701,
  sequence: 0x4803,
  components: 0x1001,
  descriptors: 0x3f01,
  package: 0x4401,
  linkedPackage: 0x2701,
  stream: 0x3f07,
  sourcePackage: 0x1101,
  sourceTrack: 0x1102,
  trackId: 0x4801,
  trackNumber: 0x4804,
  linkedTrack: 0x3006,
  editRate: 0x4b01,
  indexRate: 0x3f0b,
  definition: 0x0201,
  bits: 0x3d01,
  channels: 0x3d07,
  align: 0x3d0a,
};

/** Kinds of sets by their keys. */
const kind = {
  preface: '012f',
  storage: '0118',
  material: '0136',
  file: '0137',
  track: '013b',
  sequence: '010f',
};
export const essenceData = '0123';
const manyDescriptors = '0144';
/** Descriptors of samples as they are: waves and AES3 (SMPTE 382M). */
export const pcm = /^014[78]$/;

/** Kinds of what is usually led to: tracks, descriptors, and what is in a sequence. */
const trackKinds = /^013[9ab]$/;
const descriptorKinds = /^01(?:2[4-9]|4[2-8]|5[0-9a-f])$/;
const componentKinds = /^01(?:11|14|09|41)$/;
/** Any set, where makers have kinds of their own. */
const anySet = /^01/;

/**
 * What a kind leads to: by one reference, or by a batch of them, to sets of the kinds `to`, of which `usual` are likely. Without one that is
 * optional a set may be.
 */
type Rule = { tag: number; isBatch: boolean; to: RegExp; usual: RegExp; isOptional?: boolean };
const rule = (own: number, isBatch: boolean, usual: RegExp, to = usual): Rule => ({ tag: own, isBatch, to, usual });

const leads: Record<string, Rule[]> = {
  [kind.preface]: [rule(tag.storage, false, /^0118$/)],
  [kind.storage]: [
    rule(tag.packages, true, /^013[67]$/),
    { ...rule(tag.essenceData, true, /^0123$/), isOptional: true },
  ],
  [kind.material]: [rule(tag.tracks, true, trackKinds)],
  [kind.file]: [
    rule(tag.tracks, true, trackKinds),
    { ...rule(tag.descriptor, false, descriptorKinds, anySet), isOptional: true },
  ],
  [kind.track]: [rule(tag.sequence, false, /^010f$/, anySet)],
  [kind.sequence]: [rule(tag.components, true, componentKinds, anySet)],
  [manyDescriptors]: [rule(tag.descriptors, true, descriptorKinds, anySet)],
};

/** Bytes of items of one size each, by their tags. */
export const sizes = new Map([
  [tag.instance, 16],
  [tag.storage, 16],
  [tag.descriptor, 16],
  [tag.sequence, 16],
  [tag.package, 32],
  [tag.linkedPackage, 32],
  [tag.sourcePackage, 32],
  [tag.sourceTrack, 4],
  [tag.trackId, 4],
  [tag.trackNumber, 4],
  [tag.linkedTrack, 4],
  [tag.editRate, 8],
  [tag.definition, 16],
  [tag.bits, 4],
  [tag.channels, 4],
  [tag.align, 2],
  // Duration, start, origin; version and date of the preface; dates of a package; body and index streams.
  [0x0202, 8],
  [0x1201, 8],
  [0x4b02, 8],
  [0x3b02, 8],
  [0x3b05, 2],
  [0x4404, 8],
  [0x4405, 8],
  [0x3f06, 4],
  [tag.stream, 4],
  // Descriptors: rate, duration, container; codec, width, height, layout and shape of pictures; rate and codec of sound.
  [0x3001, 8],
  [0x3002, 8],
  [0x3004, 16],
  [0x3201, 16],
  [0x3202, 4],
  [0x3203, 4],
  [0x320c, 1],
  [0x320e, 8],
  [0x3d03, 8],
  [0x3d06, 16],
]);

/** Packages of essence of a description that are looked at. */
const mostPackages = 64;
/** Bytes of a reference, and of the count and size before a batch of them (377-1, 4.2). */
export const reference = 16;
export const batchHead = 8;
/** References of one set that are followed: a file has a few tracks and packages. */
const mostReferences = 512;
/** Sets of a description that are read: files of sixteen tracks have some two hundred. */
const mostSets = 4096;

/** Where a set leads to by one of its references: the identifier as hexadecimal. */
type Lead = { id: string; rule: Rule };

/** Key of the pack of local tags (377-1, 9.2), and the bytes of its head and of each tag with what that stands for. */
const primerKey = '060e2b34020501010d01020101050100';
export const primer = { head: 8, tag: 18 };

/** Primers that are looked at: a description has one. */
const mostPrimers = 4;

/** The primer packs of a description, with the number of tags that fills each. */
export const primersOf = (klvs: readonly Klv[]): { body: number; count: number }[] =>
  klvs
    .filter(({ key }) => key === primerKey)
    .slice(0, mostPrimers)
    .map(({ body, end }) => ({ body, count: (end - body - primer.head) / primer.tag }));

/** Whether a description has a primer that is filled by as many tags as it states. */
function isPrimed(source: Source, klvs: readonly Klv[]): boolean {
  const packs = primersOf(klvs);
  const isFilled = ({ body, count }: (typeof packs)[number]) =>
    source.copy(body, 4).readUInt32BE(0) === count && source.copy(body + 4, 4).readUInt32BE(0) === primer.tag;
  return packs.length > 0 && packs.every(isFilled);
}

/** The sets of a partition's header metadata, and where they lead to. */
export class Description {
  readonly sets: LocalSet[];
  readonly #byId: Map<string, LocalSet>;
  readonly #tracks = new Map<LocalSet, LocalSet[]>();

  constructor(source: Source, klvs: readonly Klv[]) {
    this.sets = klvs
      .slice(0, mostSets)
      .map((klv) => localSet(source, klv))
      .filter((set) => set.kind !== '');
    this.#byId = new Map(this.sets.map((set) => [idOf(set), set]));
  }

  /** Packages of essence, of which a file has a few. */
  get files(): LocalSet[] {
    return this.of(kind.file).slice(0, mostPackages);
  }

  /** The tracks of a package. */
  tracksOf(file: LocalSet): LocalSet[] {
    const known = this.#tracks.get(file);
    if (known) return known;
    const led = leadsOf(file).leads.map(({ id }) => this.at(id));
    const tracks = led.filter((set): set is LocalSet => set?.kind === kind.track);
    this.#tracks.set(file, tracks);
    return tracks;
  }

  at = (id: string): LocalSet | undefined => this.#byId.get(id);
  of = (wanted: string): LocalSet[] => this.sets.filter((set) => set.kind === wanted);
}

export const idOf = (set: LocalSet): string => hexAt(set, tag.instance);

/** The references of a set, and whether all that its kind must have are there, whole. */
export function leadsOf(set: LocalSet): { leads: Lead[]; isWhole: boolean } {
  const found: Lead[] = [];
  let isWhole = true;
  for (const own of leads[set.kind] ?? []) {
    const value = valueAt(set, own.tag);
    if (!value) {
      isWhole &&= own.isOptional === true;
      continue;
    }
    const first = own.isBatch ? batchHead : 0;
    isWhole &&= own.isBatch ? isWholeBatch(value) : value.length === reference;
    for (let at = first; at + reference <= value.length && found.length < mostReferences; at += reference)
      found.push({ id: value.toString('hex', at, at + reference), rule: own });
  }
  return { leads: found, isWhole };
}

/** Whether a batch holds as many references as it says. */
export const isWholeBatch = (value: Buffer): boolean =>
  value.length >= batchHead &&
  value.length === batchHead + value.readUInt32BE(0) * reference &&
  (value.length === batchHead || value.readUInt32BE(4) === reference);

export const isLed = (description: Description, lead: Lead): boolean =>
  lead.rule.to.test(description.at(lead.id)?.kind ?? '');

/** A label of SMPTE's own begins so (SMPTE 298M). */
const isLabel = (bytes: Buffer | undefined): boolean => bytes?.toString('hex', 0, 4) === '060e2b34';

/** Whether the values of a set can be what their tags say. */
function isPlausible(set: LocalSet): boolean {
  if (!set.isFilled || idOf(set).length !== 2 * reference) return false;
  for (const { tag: own, value } of set.items) {
    const size = sizes.get(own);
    if (size !== undefined && value.length !== size) return false;
  }
  if (set.kind === kind.track && !(ratioOf(valueAt(set, tag.editRate)) > 0)) return false;
  if (set.kind === kind.sequence && !isLabel(valueAt(set, tag.definition))) return false;
  return !pcm.test(set.kind) || isSampleSize(set);
}

export const wordOf = (set: LocalSet, own: number): number | null => {
  const value = valueAt(set, own);
  return value?.length === 4 ? value.readUInt32BE(0) : null;
};

/** Whether bits and channels of samples are as many as the bytes that they take together. */
function isSampleSize(set: LocalSet): boolean {
  const bits = wordOf(set, tag.bits);
  const channels = wordOf(set, tag.channels);
  const align = valueAt(set, tag.align)?.readUInt16BE(0);
  return bits === null || channels === null || !align || Math.ceil(bits / 8) * channels === align;
}

/** Whether each package of essence is one that is there, and each track that a descriptor tells of. */
function isLinked(description: Description): boolean {
  const files = new Map(description.files.map((set) => [hexAt(set, tag.package), set]));
  const isThere = description
    .of(essenceData)
    .map((set) => files.get(hexAt(set, tag.linkedPackage)))
    .every((file) => file !== undefined && valueAt(file, tag.descriptor) !== undefined);
  const isTold = [...files.values()].every((set) => untold(description, set).length === 0);
  return isThere && isTold && description.sets.every((set) => isClipOf(description, files, set));
}

/** Whether what a clip is taken from is a track of a package, where that is one of the file's. */
function isClipOf(description: Description, files: ReadonlyMap<string, LocalSet>, clip: LocalSet): boolean {
  const file = files.get(hexAt(clip, tag.sourcePackage));
  const track = wordOf(clip, tag.sourceTrack);
  if (!file || track === null) return true;
  return description.tracksOf(file).some((set) => wordOf(set, tag.trackId) === track);
}

/** The value of a set's item as hexadecimal; empty where it has none. */
export const hexAt = (set: LocalSet, own: number): string => valueAt(set, own)?.toString('hex') ?? '';

/** Descriptors of a package, those of many of them among them. */
function descriptorsOf(description: Description, file: LocalSet): LocalSet[] {
  const own = leadsOf(file).leads.map(({ id }) => description.at(id));
  const direct = own.filter((set) => set !== undefined && !trackKinds.test(set.kind)) as LocalSet[];
  const inner = direct.flatMap((set) => leadsOf(set).leads.map(({ id }) => description.at(id)));
  return [...direct, ...inner.filter((set) => set !== undefined)];
}

/** Descriptors that tell of a track which their package does not have. */
export function untold(description: Description, file: LocalSet): LocalSet[] {
  const ids = new Set(description.tracksOf(file).map((set) => wordOf(set, tag.trackId)));
  return descriptorsOf(description, file).filter((set) => {
    const linked = wordOf(set, tag.linkedTrack);
    return linked !== null && linked !== 0 && !ids.has(linked);
  });
}

/**
 * Whether pictures and sound belong to tracks by their numbers (SMPTE 379M, 7.1). A number that nothing has, beside elements whose number no
 * track has, is a wrong one; elements alone are damaged themselves.
 */
function isNumbered(description: Description, klvs: readonly Klv[]): boolean {
  const elements = klvs.filter((klv) => isEssence(klv.key) && (isPicture(klv) || isSound(klv)));
  const there = new Set(elements.map(({ key }) => Number.parseInt(key.slice(24), 16)));
  const tracks = description.files.flatMap((file) => description.tracksOf(file));
  const numbers = new Set(tracks.map((set) => wordOf(set, tag.trackNumber)).filter((number) => number));
  const isStranger = [...there].some((number) => !numbers.has(number));
  return !isStranger || [...numbers].every((number) => number !== null && there.has(number));
}

/** Partition packs that are looked at for the streams of essence that they begin: all of a file's are the same few. */
const mostPacks = 64;
/** Identifiers of the streams of essence that partitions say to hold; zero is none. */
export function streamsOf(source: Source, all: readonly Klv[]): Set<number> {
  const packs = all.filter(({ key, body, end }) => partitionKind(key) !== null && end - body >= pack.bytes);
  const told = packs.slice(0, mostPacks).map(({ body }) => source.copy(body + pack.bodySid, 4).readUInt32BE(0));
  return new Set(told.filter((sid) => sid !== 0));
}

/** Whether the stream of each package of essence is one that a partition holds, where partitions tell. */
function isStreamed(source: Source, description: Description, all: readonly Klv[]): boolean {
  const streams = streamsOf(source, all);
  const told = description.of(essenceData).map((set) => wordOf(set, tag.stream));
  return streams.size === 0 || told.every((sid) => !sid || streams.has(sid));
}

/**
 * Whether the sets of header metadata are filled by items of the right sizes, and lead to each other as SMPTE 377-1 has it (annex A): from the
 * preface to packages, tracks, what is in them, and what describes them. `klvs` are the partition's, `all` those of the file.
 */
export function isConsistent(source: Source, klvs: readonly Klv[], all: readonly Klv[]): boolean {
  const description = new Description(source, klvs);
  const isWhole = description.sets.every((set) => {
    const { leads: own, isWhole: isComplete } = leadsOf(set);
    return isComplete && own.every((lead) => isLed(description, lead));
  });
  const isFitting = () =>
    isPrimed(source, klvs) &&
    isLinked(description) &&
    isNumbered(description, all) &&
    isStreamed(source, description, all);
  return isWhole && description.sets.every(isPlausible) && isFitting();
}

/** Edit units of one essence element each, in a second at most: more are samples of sound in a clip in one piece. */
export const fastest = 120;

/** Frames a second by most tracks of a description, however damaged; null where fewer than two agree. */
export function rateOf(source: Source, klvs: readonly Klv[]): number | null {
  const votes = new Map<number, number>();
  for (const set of new Description(source, klvs).of(kind.track)) {
    const rate = ratioOf(valueAt(set, tag.editRate));
    if (rate > 0 && rate <= fastest) votes.set(rate, (votes.get(rate) ?? 0) + 1);
  }
  const [most] = [...votes].sort(([, one], [, other]) => other - one);
  return most && most[1] > 1 ? most[0] : null;
}

/** Index tables that are looked at for their rate: long files have one every few seconds. */
const mostTables = 1024;

/** Whether index tables count in the edit units of a track (377-1, 10): their rate, which places follow from. */
export function indexFits(source: Source, all: readonly Klv[], klvs: readonly Klv[]): boolean {
  const tracks = new Description(source, klvs).of(kind.track).map((set) => ratioOf(valueAt(set, tag.editRate)));
  const rates = new Set(tracks.filter((rate) => rate > 0));
  const tables = all.filter(({ key }) => isIndex(key)).slice(0, mostTables);
  const isOf = (klv: Klv) => rates.has(ratioOf(valueAt(localSet(source, klv), tag.indexRate)));
  return rates.size === 0 || tables.every(isOf);
}
