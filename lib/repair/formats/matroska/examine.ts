import { unitReaderFor } from '../../codecs/following';
import { byName } from '../../core/named';
import { encrypted, type VideoExamined } from '../../families/video';
import type { Buffer } from '../../host/bytes';
import type { Amount, Damage, Loss, Rebuilt, Remark, Step } from '../../report/facts/video';
import { beginsPicture } from '../../video/begins';
import { framesBeforeKey, isKeyed } from '../../video/keyed';
import { addMending, factsOf, type Mending, mendFrames, mendUnits, nothingMended, setsOf } from '../../video/mend';
import { countOverwritten, overwrittenFacts } from '../../video/overwritten';
import { codedUnits, mendMpeg2, planeReaderFor } from '../../video/pictures';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { lostBefore, settleOrphans, settleTimes } from './before';
import { mendBlocks } from './blocks';
import { element, ids } from './elements';
import { type DocType, docTypeOf, readHead } from './head';
import { lostAtEnd } from './info';
import { framesOf, judgeTracks } from './judged';
import { mendBySums, type PartSums } from './partsums';
import { wrongSums } from './sums';
import { tellTracks } from './tell';
import { brokenParts } from './tiling';
import { withoutTorn } from './torn';
import { codecsOf, kindsOf, type Listed, type Track, tracksOf, trackTypes } from './tracks';
import { type Block, type Cluster, type Walk, walkSegment } from './walk';

/** A Tracks element: bytes of a file that holds it, or one made from the frames. */
type TracksElement = { source: Source; from: number; length: number } | Buffer;

/**
 * What survives of a file: its walk, what its head is written anew as where it does not fit, the offsets of parts that are not kept, what
 * describes its tracks, the kind of each by its number, and clusters with blocks of those.
 */
export type MatroskaParts = {
  walk: Walk;
  docType: DocType | null;
  broken: ReadonlySet<number>;
  tracks: TracksElement | null;
  kinds: ReadonlyMap<number, number>;
  clusters: Cluster[];
};

/** Tracks by what they are, however that was come by, with what there is to say of it. */
type Told = Pick<MatroskaParts, 'tracks'> & {
  described: ReadonlyMap<number, Track>;
  steps: Step[];
  remarks: Remark[];
  lost: Loss[];
  wantsSample: boolean;
};

/** The blocks of tracks whose codec leaves no runs of zeroes, by the names of RFC 9559's codec mappings. */
function* packedFrames(walk: Walk, tracks: ReadonlyMap<number, Track>): Generator<{ from: number; to: number }> {
  for (const { blocks } of walk.clusters)
    for (const { track, data, dataEnd } of blocks)
      if (/^V_(?:MPEG4\/ISO\/AVC|MPEGH\/ISO\/HEVC|VP9|AV1)/.test(tracks.get(track)?.codec ?? ''))
        yield { from: data, to: dataEnd };
}

/** Sets wrong bits right in the frames of tracks whose slices can be read. */
async function mendTracks(reading: Reading, walk: Walk, tracks: ReadonlyMap<number, Track>): Promise<Mending> {
  const all = nothingMended();
  for (const [number, { codec, setup }] of tracks) {
    const { effort } = reading.job.deadline;
    const spans = framesOf(walk, number);
    if (/^V_(?:MPEG4\/ISO\/(?:SP|ASP|AP)|MS\/VFW\/FOURCC)$/.test(codec)) {
      const planes = planeReaderFor(setup, codedUnits(reading.source, spans), effort);
      if (planes) addMending(all, await mendUnits(reading, planes, codedUnits(reading.source, spans)));
    }
    if (codec === 'V_MPEG2') addMending(all, await mendMpeg2(reading, () => codedUnits(reading.source, spans)));
    const kind = codec === 'V_MPEG4/ISO/AVC' ? 'avc' : codec === 'V_MPEGH/ISO/HEVC' ? 'hevc' : null;
    const reader = kind && setup ? unitReaderFor(kind, setsOf(kind, setup), effort) : null;
    if (reader) addMending(all, await mendFrames(reading, reader, spans));
  }
  return all;
}

/**
 * What is wrong inside blocks and clusters, set right on reading or beyond repair, of tracks however they are known; `areAll`: the file has no
 * others. What is in frames that are encoded once more is not seen.
 */
async function examineInside(reading: Reading, walk: Walk, all: ReadonlyMap<number, Track>, areAll: boolean) {
  const { source } = reading;
  const tracks = new Map([...all].filter(([, { isEncoded }]) => !isEncoded));
  const overwritten = overwrittenFacts(countOverwritten(source, packedFrames(walk, tracks)));
  const heads = areAll ? mendBlocks(source, walk, new Set(all.keys())) : { mended: 0, stray: 0 };
  const mending = factsOf(await mendTracks(reading, walk, tracks));
  const sums = await wrongSums(reading, walk);
  const steps: Step[] = heads.mended > 0 ? [{ kind: 'blocks', count: heads.mended }] : [];
  const rebuilt: Rebuilt[] = heads.mended > 0 ? [{ unit: 'packet heads', count: heads.mended, how: 'anew' }] : [];
  const unreadable = judgeTracks(reading, walk, all);
  const lost: Loss[] = [...overwritten.lost, ...unreadable.flatMap((one) => one.lost)];
  if (heads.stray > 0) lost.push({ unit: 'packets', count: heads.stray, how: 'untold' });
  lost.push(...mending.lost);
  if (sums.clusters > 0) lost.push({ unit: 'parts', count: sums.clusters, how: 'changed' });
  // Blocks of no track have to be left out, so that the file is written anew.
  const blocks: Damage[] =
    heads.mended + heads.stray > 0 ? [{ kind: 'blocks', count: heads.mended + heads.stray }] : [];
  const judged = unreadable.flatMap((one) => one.damages);
  const damages = [...overwritten.damages, ...judged, ...(heads.stray > 0 ? [] : blocks), ...mending.damages];
  if (sums.clusters > 0) damages.push({ kind: 'sums', count: sums.clusters, offset: sums.offset });
  return {
    inside: damages,
    damages: heads.stray > 0 ? blocks : [],
    steps: [...steps, ...mending.steps],
    rebuilt: [...rebuilt, ...mending.rebuilt],
    lost,
  };
}

/** What is wrong with the file as a whole. */
function damagesOf({ source }: Reading, walk: Walk, isDescribed: boolean, broken: ReadonlySet<number>): Damage[] {
  const damages: Damage[] = [];
  if (!walk.headOk || !readHead(source).fits) damages.push({ kind: 'header', how: 'missing', offset: 0 });
  else if (!walk.sizeOk) damages.push({ kind: 'sizes', of: 'parts', offset: source.size });
  for (const { offset, length } of walk.gaps) damages.push({ kind: 'gap', bytes: length, offset });
  for (const offset of broken) damages.push({ kind: 'structure', how: 'chain', offset });
  if (!isDescribed) damages.push({ kind: 'tracks' });
  return damages;
}

/** The Tracks element of a file, as bytes of it. */
function elementOf(source: Source, walk: Walk): TracksElement | null {
  const part = walk.parts.find(({ id }) => id === ids.tracks);
  return part ? { source, from: part.offset, length: part.end - part.offset } : null;
}

/** What describes the tracks: the file itself, a working video, or their own frames, where the file describes none or not all. Null where nothing does. */
async function describeTracks(reading: Reading, walk: Walk, own: Listed): Promise<Told | null> {
  const { source, sample, job } = reading;
  const nothing = { steps: [], remarks: [], lost: [], wantsSample: false };
  if (own.isWhole && own.tracks.size > 0) return { ...nothing, tracks: elementOf(source, walk), described: own.tracks };
  const other = sample && (await walkSegment(sample, async () => job.deadline.check()));
  const lent = sample && other ? tracksOf(sample, other) : null;
  if (sample && other && lent?.isWhole && lent.tracks.size > 0)
    return {
      ...nothing,
      remarks: [{ kind: 'description', from: 'sample' }],
      tracks: elementOf(sample, other),
      described: lent.tracks,
    };
  const steps: Step[] = [];
  const told = await tellTracks(reading, walk, new Set(own.tracks.keys()), (step) => void steps.push(step));
  const described = new Map([...own.tracks, ...told.described]);
  if (described.size === 0) return null;
  const remarks: Remark[] = steps.some(({ kind }) => kind === 'search') ? [{ kind: 'search' }] : [];
  if (![...described.values()].some(({ kind }) => kind === trackTypes.video)) remarks.push({ kind: 'soundAlone' });
  return {
    steps: [...steps, { kind: 'tracks', count: described.size }],
    remarks,
    lost: told.unknown.length > 0 ? [{ unit: 'tracks', count: told.unknown.length, how: 'untold' }] : [],
    wantsSample: own.tracks.size === 0 || told.unknown.length > 0,
    tracks: element(ids.tracks, ...own.entries.values(), ...told.entries.values()),
    described,
  };
}

/** How many blocks of a kind clusters hold. */
const blocksOf = (clusters: readonly Cluster[], kinds: ReadonlyMap<number, number>, kind: number) =>
  clusters.reduce((sum, { blocks }) => sum + blocks.filter(({ track }) => kinds.get(track) === kind).length, 0);

/** Whether the first picture that is left builds on others, as none does at the beginning of a recording. */
const startsInside = ([first]: readonly Cluster[], kinds: ReadonlyMap<number, number>) =>
  first?.blocks.find(({ track }) => kinds.get(track) === trackTypes.video)?.key === false;

/** Clusters without the frames at the beginning that no decoder shows without a key frame that is gone, and how many those are. */
function withoutAdrift(clusters: readonly Cluster[], codecs: ReadonlyMap<number, string>) {
  const byTrack = new Map<number, Block[]>();
  for (const block of clusters.flatMap(({ blocks }) => blocks)) {
    if (!isKeyed(codecs.get(block.track) ?? '')) continue;
    const blocks = byTrack.get(block.track) ?? [];
    byTrack.set(block.track, blocks);
    blocks.push(block);
  }
  const adrift = new Set<Block>();
  for (const blocks of byTrack.values()) {
    const count = framesBeforeKey(blocks, ({ key }) => key);
    for (const block of blocks.slice(0, count)) adrift.add(block);
  }
  const shown = clusters.map((cluster) => ({ ...cluster, blocks: cluster.blocks.filter((one) => !adrift.has(one)) }));
  return { clusters: shown.filter(({ blocks }) => blocks.length > 0), adrift: adrift.size };
}

/** Codecs whose pictures lie in units behind lengths, by their names in Matroska; lengths of four bytes are what programs write. */
const unitKinds: Readonly<Record<string, 'avc' | 'hevc'>> = byName({
  'V_MPEG4/ISO/AVC': 'avc',
  'V_MPEGH/ISO/HEVC': 'hevc',
});
const lengthBytes = 4;

/** How many pictures of H.264 and HEVC at the beginning build on a key frame that is gone: decoders do not show them, or not as they were. */
function leadAdrift(source: Source, clusters: readonly Cluster[], codecs: ReadonlyMap<number, string>): number {
  let adrift = 0;
  for (const [number, codec] of codecs) {
    const kind = unitKinds[codec];
    const blocks = kind ? clusters.flatMap((cluster) => cluster.blocks.filter(({ track }) => track === number)) : [];
    const begins = ({ key, data, dataEnd }: Block) =>
      key || (kind && beginsPicture(source, { from: data, to: dataEnd }, kind, lengthBytes));
    const first = blocks.findIndex(begins);
    adrift += first < 0 ? blocks.length : first;
  }
  return adrift;
}

/** Whether the end of the file is gone: its segment was longer, or it ends in what is no part of it. */
const isCut = ({ size }: Source, { segment, gaps }: Walk): boolean =>
  (segment !== null && !segment.unknown && segment.end > size) ||
  (gaps.at(-1)?.offset ?? 0) + (gaps.at(-1)?.length ?? 0) >= size;

/** Parts whose check sum did not fit, set right or not. */
const damagesOfSums = ({ offset, mended, changed }: PartSums): Damage[] =>
  mended + changed.length > 0 ? [{ kind: 'sums', count: mended + changed.length, offset }] : [];

/** What the head of the file is written anew as; null where it may stay. */
function headType(source: Source, { headOk }: Walk, codecs: ReadonlyMap<number, string>): DocType | null {
  const { docType, fits } = readHead(source);
  return headOk && fits ? null : (docType ?? docTypeOf(codecs.values()));
}

/** Surveys Matroska (RFC 9559): head, open or wrong sizes, clusters and blocks one by one, tracks, check sums, slices. */
export async function examineMatroska(reading: Reading): Promise<VideoExamined<MatroskaParts>> {
  const { source, tell } = reading;
  const walk = await walkSegment(source, (offset) => tell(offset, 0, 0.4));
  const sums = mendBySums(source, walk);
  settleOrphans(walk);
  const settled = settleTimes(walk);
  const listed = tracksOf(source, walk);
  const own = listed.tracks;
  const isDescribed = listed.isWhole && own.size > 0;
  const broken = brokenParts(source, walk.parts);
  const none = { walk, docType: null, broken, tracks: null, kinds: new Map<number, number>(), clusters: [] };
  if ([...own.values()].some(({ isEncrypted }) => isEncrypted)) return encrypted(none);
  const hasBlocks = walk.clusters.some(({ blocks }) => blocks.length > 0);
  const told = hasBlocks ? await describeTracks(reading, walk, listed) : null;
  const areAll = own.size > 0 && (told === null || told.lost.length === 0);
  const found = await examineInside(reading, walk, told?.described ?? own, areAll);
  const { inside, steps, rebuilt, lost } = found;
  const damages = [...found.damages, ...damagesOf(reading, walk, isDescribed, broken)];
  if (settled > 0) damages.push({ kind: 'times', how: 'apart' });
  damages.push(...damagesOfSums(sums));
  // What was wrong in those that are written anew is known.
  const changed = sums.changed.filter(({ id, offset }) => (id === ids.tracks ? isDescribed : !broken.has(offset)));
  if (changed.length > 0) lost.push({ unit: 'parts', count: changed.length, how: 'changed' });
  const nothing = { damages, inside, steps, remarks: [], kept: [], rebuilt, lost, wantsSample: false };
  if (!hasBlocks) return { ...nothing, hopeless: 'empty', parts: none };
  if (damages.length === 0) {
    const frames = blocksOf(walk.clusters, kindsOf(own), trackTypes.video);
    return { ...nothing, kept: [{ unit: 'frames', count: frames }], hopeless: null, parts: none };
  }
  if (!told) return { ...nothing, wantsSample: true, hopeless: 'undescribed', parts: none };
  const { tracks, described } = told;
  const [kinds, codecs] = [kindsOf(described), codecsOf(described)];
  const left = walk.clusters
    .map((cluster) => ({ ...cluster, blocks: cluster.blocks.filter(({ track }) => kinds.has(track)) }))
    .filter(({ blocks }) => blocks.length > 0);
  const { clusters: untorn, torn } = withoutTorn(source, walk, left, codecs);
  if (torn > 0) lost.push({ unit: 'frames', count: torn, how: 'inside' });
  const { clusters, adrift } = withoutAdrift(untorn, codecs);
  if (clusters.length === 0) return { ...nothing, hopeless: 'adrift', parts: none };
  const unshown = leadAdrift(source, clusters, codecs);
  if (adrift + unshown > 0) lost.push({ unit: 'frames', count: adrift + unshown, how: 'adrift' });
  const amounts: Amount[] = [
    { unit: 'frames', count: blocksOf(clusters, kinds, trackTypes.video) - unshown },
    { unit: 'sound packets', count: blocksOf(clusters, kinds, trackTypes.audio) },
  ];
  // What was before the first cluster held no frames, unless pictures begin with one that builds on others.
  const isBegun = walk.headOk || startsInside(left, kinds);
  const gaps = walk.gaps.filter(({ offset }) => isBegun || offset > 0);
  const cut = gaps.reduce((sum, { length }) => sum + length, 0);
  const isShort = cut === 0 && walk.headOk && !walk.sizeOk && (walk.segment?.end ?? 0) > source.size;
  return {
    damages,
    inside,
    steps: [...steps, ...told.steps],
    remarks: isShort ? [...told.remarks, { kind: 'longer' }] : told.remarks,
    kept: amounts.filter(({ count }) => count > 0),
    rebuilt,
    lost: [
      ...lost,
      ...told.lost,
      ...lostBefore(walk, left),
      ...(isCut(source, walk) ? lostAtEnd(source, walk, left) : []),
      ...(cut > 0 ? [{ unit: 'bytes', count: cut, how: 'cut' } as const] : []),
    ],
    wantsSample: told.wantsSample,
    hopeless: null,
    parts: { walk, docType: headType(source, walk, codecs), broken, tracks, kinds, clusters },
  };
}
