import type { VideoExamined, VideoTypes } from '../../families/video';
import { Buffer } from '../../host/bytes';
import { countPackets } from '../../readers/media';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Sink } from '../../video/sink';
import type { Source } from '../../video/source';
import type { Seen } from '../format';
import { type Element, eight, element, elementAt, idBytes, ids, sizeBytes, topLevel } from './elements';
import type { MatroskaParts } from './examine';
import type { DocType } from './head';
import { shortenedInfo } from './info';
import { intactChildren } from './tiling';
import { trackTypes } from './tracks';
import { type Cluster, walkSegment } from './walk';

/** The program's name in files that lost their own head (MuxingApp, WritingApp). */
const name = Buffer.from('mendara');
/** Nanoseconds of a tick where the file no longer tells: TimestampScale's default (RFC 9559, 5.1.2.9). */
const usualScale = 1_000_000;
/** Versions of Matroska that are written, and that a reader must know. */
const [version, readVersion] = [4, 2];

const freshHead = (docType: DocType) =>
  element(
    ids.ebml,
    element(ids.docType, Buffer.from(docType)),
    element(ids.docTypeVersion, Buffer.from([version])),
    element(ids.docTypeReadVersion, Buffer.from([readVersion])),
  );

/** Names of the programs that every Info must have (RFC 9559, 5.1.2.13 and 5.1.2.14). */
const programs = [ids.muxingApp, ids.writingApp];

/** An Info of what is left of another, with what it must have besides; `left` are elements of the file. */
function freshInfo(source: Source, left: readonly Element[]): Buffer {
  const has = (id: number) => left.some((one) => one.id === id);
  return element(
    ids.info,
    ...left.map(({ offset, end }) => source.copy(offset, end - offset)),
    ...(has(ids.timestampScale) ? [] : [element(ids.timestampScale, eight(usualScale))]),
    ...programs.filter((id) => !has(id)).map((id) => element(id, name)),
  );
}

/** A SeekHead that leads to the cues, at a place in the segment. */
const seekHead = (place: number) =>
  element(
    ids.seekHead,
    element(ids.seek, element(ids.seekId, idBytes(ids.cues)), element(ids.seekPosition, eight(place))),
  );

const cuePoint = (time: number, track: number, place: number) =>
  element(
    ids.cuePoint,
    element(ids.cueTime, eight(time)),
    element(
      ids.cueTrackPositions,
      element(ids.cueTrack, Buffer.from([track])),
      element(ids.cueClusterPosition, eight(place)),
    ),
  );

/** Parts that are kept beside what is written anew. */
const carried = new Set<number>([ids.tags, ids.chapters, ids.attachments]);

/** Everything before the clusters but for the seek list. */
function writeParts(source: Source, { walk, broken, tracks, clusters }: MatroskaParts, sink: Sink): void {
  const info = walk.parts.find(({ id }) => id === ids.info);
  const isKept = info && !broken.has(info.offset);
  const shortened = isKept ? shortenedInfo(source, info, clusters) : null;
  if (shortened) sink.write(shortened);
  else if (isKept) sink.take(source, info.offset, info.end - info.offset);
  else sink.write(freshInfo(source, info ? intactChildren(source, info) : []));
  if (Buffer.isBuffer(tracks)) sink.write(tracks);
  else if (tracks) sink.take(tracks.source, tracks.from, tracks.length);
  for (const part of walk.parts) {
    const { id, offset, end } = part;
    // What the standard does not know is a program's own.
    if (!carried.has(id) && topLevel.has(id)) continue;
    if (!broken.has(offset)) sink.take(source, offset, end - offset);
    else {
      const left = intactChildren(source, part);
      if (left.length > 0) sink.write(element(id, ...left.map((one) => source.copy(one.offset, one.end - one.offset))));
    }
  }
}

function writeCluster(source: Source, { time, blocks }: Cluster, sink: Sink): void {
  const length = blocks.reduce((sum, { offset, end }) => sum + end - offset, 0);
  const timestamp = element(ids.timestamp, eight(time));
  sink.write(Buffer.concat([idBytes(ids.cluster), sizeBytes(length + timestamp.length), timestamp]));
  for (const { offset, end } of blocks) sink.take(source, offset, end - offset);
}

/** Writes the file anew from its whole blocks: head, sizes and index follow from them. */
export async function rebuildMatroska(
  { source, tell }: Reading,
  { parts }: VideoExamined<MatroskaParts>,
  sink: Sink,
): Promise<readonly Step[]> {
  const head = elementAt(source, 0);
  if (parts.docType || !head) sink.write(freshHead(parts.docType ?? 'matroska'));
  else sink.take(source, 0, head.end);
  sink.write(idBytes(ids.segment));
  const sizeAt = sink.position;
  sink.write(Buffer.alloc(8));
  const start = sink.position;
  sink.write(seekHead(0));
  writeParts(source, parts, sink);
  const cues: Buffer[] = [];
  for (const cluster of parts.clusters) {
    const keyed = cluster.blocks.find(({ key, track }) => key && parts.kinds.get(track) === trackTypes.video);
    if (keyed) cues.push(cuePoint(cluster.time, keyed.track, sink.position - start));
    writeCluster(source, cluster, sink);
    await tell(cluster.blocks.at(-1)?.end ?? 0, 0.4, 0.8);
  }
  const cuesAt = sink.position - start;
  sink.write(element(ids.cues, ...cues));
  sink.patch(sizeAt, sizeBytes(sink.position - start));
  sink.patch(start, seekHead(cuesAt));
  return [{ kind: 'rebuild', of: 'blocks' }];
}

/** Whether what was written reads as it was meant: head, sizes, and every block in its place; then what a second reader counts in it. */
export async function verifyMatroska(
  written: Source,
  { job, tell }: Reading,
  { parts }: VideoExamined<MatroskaParts>,
): Promise<boolean | Seen<VideoTypes>> {
  const again = await walkSegment(written, (offset) => tell(offset, 0.8, 0.95));
  const count = (clusters: readonly Cluster[]) => clusters.reduce((sum, { blocks }) => sum + blocks.length, 0);
  const isWhole = again.headOk && again.sizeOk && again.gaps.length === 0;
  if (!isWhole || count(again.clusters) !== count(parts.clusters)) return false;
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  return packets === null || { steps: [{ kind: 'check', frames: packets.video, packets: packets.sound }] };
}
