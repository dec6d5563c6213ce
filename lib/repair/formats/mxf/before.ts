import { highest } from '../../core/extent';
import { Buffer } from '../../host/bytes';
import type { Loss } from '../../report/facts/video';
import { lostBehind } from '../../video/behind';
import type { Source } from '../../video/source';
import { fastest, tag } from './description';
import { isEssence, isIndex, isMetadata, type Klv, pack, partitionKind, type Walk } from './klv';
import { localSet, longOf, ratioOf, valueAt } from './sets';

/** A length in edit units, and how many of them a second has. */
type Extent = { units: number; rate: number };

/** Local tags of an index table segment and of a file descriptor (SMPTE 377-1). */
const tags = { start: 0x3f0c, duration: 0x3f0d, sampleRate: 0x3001, containerDuration: 0x3002 };
/** How long the essence is by an index table segment or a file descriptor; null for sets that do not say. */
function extentOf(source: Source, klv: Klv): Extent | null {
  if (!isIndex(klv.key) && !isMetadata(klv.key)) return null;
  const set = localSet(source, klv);
  const extent = isIndex(klv.key)
    ? {
        units: longOf(valueAt(set, tags.start)) + longOf(valueAt(set, tags.duration)),
        rate: ratioOf(valueAt(set, tag.indexRate)),
      }
    : { units: longOf(valueAt(set, tags.containerDuration)), rate: ratioOf(valueAt(set, tags.sampleRate)) };
  const isTold = extent.units > 0 && Number.isSafeInteger(extent.units) && extent.rate > 0 && extent.rate <= fastest;
  return isTold ? extent : null;
}

/** Elements of the track that has most of them. */
function mostElements(klvs: readonly Klv[]): number {
  const counts = new Map<string, number>();
  for (const { key } of klvs) if (isEssence(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return highest(counts.values(), 0);
}

/** Seconds of which index tables and descriptors tell, and there is no element; null where they do not tell of all that is there, and for clips in one piece. */
function secondsMissing(source: Source, { klvs }: Walk): number | null {
  const found = mostElements(klvs);
  if (found < 2) return null;
  const extents = klvs.map((klv) => extentOf(source, klv)).filter((told) => told !== null && told.units >= found);
  const missing = extents.map((told) => (told ? (told.units - found) / told.rate : 0));
  return missing.length > 0 ? highest(missing) : null;
}

/** Bytes that are missing before the first partition that is left, by where it says that it lay; 0 where no essence was among them. */
function bytesMissing(source: Source, { klvs }: Walk): number {
  const first = klvs.find(({ key, body, end }) => partitionKind(key) !== null && end - body >= pack.bytes);
  if (!first) return 0;
  const lay = Number(source.copy(first.body + pack.this, 8).readBigUInt64BE(0));
  const missing = Math.max(0, lay - first.offset);
  const isBefore = klvs.some(({ key, offset }) => isEssence(key) && offset < first.offset);
  if (isBefore || partitionKind(first.key) === 'footer') return missing;
  return Math.min(missing, Number(source.copy(first.body + pack.bodyOffset, 8).readBigUInt64BE(0)));
}

/** Zeroes in a row that no picture or sound is taken to begin with; chosen on the bench. */
const overwrittenBytes = 64;
/** What keys of the sets of header metadata begin with (377-1, 9.3). */
const setKey = Buffer.from('060e2b34025301010d010101', 'hex');
/** Fewer bytes than any header takes: its pack, the primer, and a set for each of preface, storage, packages and tracks (377-1, annex A). */
const leastHeader = 1024;

/**
 * What lay in front of the first packet where neither a header nor any metadata is left there: the rest of a picture or sound of which the
 * beginning is gone, with all that was before it. Where it begins with zeroes, they are what the header was overwritten with, but for a file
 * that is described elsewhere, since its header may have held next to nothing, for a few, which fill up to a grid (KLV fill items), and for
 * those behind which the rest of a picture or sound follows, as they reach into it.
 */
function gapBefore(source: Source, { klvs, gaps }: Walk, isDescribed: boolean): number {
  const [first] = klvs;
  const gap = gaps.find(({ offset }) => offset === 0);
  if (gap && isDescribed) return gap.length;
  if (!gap || !first || isMetadata(first.key) || partitionKind(first.key) === 'header') return 0;
  const bytes = source.copy(0, Math.min(overwrittenBytes, gap.length));
  if (gap.length < leastHeader || bytes.some((byte) => byte !== 0)) return gap.length;
  const next = klvs.find(({ key }) => isMetadata(key) || isIndex(key) || isEssence(key) || partitionKind(key) !== null);
  const isInside = next !== undefined && isEssence(next.key) && source.find(setKey, 0, gap.length) < 0;
  return isInside && source.findNonZero(0, gap.length) >= 0 ? gap.length : 0;
}

/** Local tag of how long what is in a track is (377-1, annex B.8). */
const trackDuration = 0x0202;

/** How long the essence is by all tracks of the header and what is in them; null where they do not agree. */
function extentOfTracks(source: Source, { klvs }: Walk): Extent | null {
  const sets = klvs.filter(({ key }) => isMetadata(key)).map((klv) => localSet(source, klv));
  const valuesOf = (tag: number, read: (bytes: Buffer | undefined) => number) => [
    ...new Set(sets.map((set) => read(valueAt(set, tag))).filter((value) => value > 0)),
  ];
  const [rate, otherRate] = valuesOf(tag.editRate, ratioOf);
  const [units, otherUnits] = valuesOf(trackDuration, longOf);
  if (!rate || !units || otherRate !== undefined || otherUnits !== undefined) return null;
  return rate <= fastest && Number.isSafeInteger(units) ? { units, rate } : null;
}

/** What is gone of the end of a file whose header is there and whose footer is not, by how long the essence was; gaps are told as bytes. */
export function cutBehind(source: Source, walk: Walk): Loss[] {
  if (walk.gaps.length > 0 || walk.klvs.some(({ key }) => partitionKind(key) === 'footer')) return [];
  const extents = walk.klvs.map((klv) => (isMetadata(klv.key) ? extentOf(source, klv) : null));
  const told = extents.find((extent) => extent !== null) ?? extentOfTracks(source, walk);
  const found = mostElements(walk.klvs);
  return told && found > 1 ? lostBehind(told.units / told.rate, found / told.rate) : [];
}

/**
 * What is gone of the beginning of a file: by how long the essence was, else by where the first partition lay, else by what is left of the
 * packet that it begins inside of. A file whose header is there lost nothing before it.
 */
export function cutBefore(source: Source, walk: Walk, isDescribed: boolean): Loss[] {
  const { klvs } = walk;
  const isHeaded = klvs.some(({ key }) => partitionKind(key) === 'header') || isMetadata(klvs[0]?.key ?? '');
  const missing = isHeaded ? 0 : secondsMissing(source, walk);
  const seconds = Math.round((missing ?? 0) * 10) / 10;
  if (seconds > 0) return [{ unit: 'seconds', count: seconds, how: 'before' }];
  const bytes = (missing === 0 ? 0 : bytesMissing(source, walk)) || gapBefore(source, walk, isDescribed);
  return bytes > 0 ? [{ unit: 'bytes', count: bytes, how: 'cut' }] : [];
}
