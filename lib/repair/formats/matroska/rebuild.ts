import type { VideoExamined, VideoTypes } from '../../families/video';
import { Buffer } from '../../host/bytes';
import { countPackets } from '../../readers/media';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Sink } from '../../video/sink';
import type { Source } from '../../video/source';
import type { Seen } from '../format';
import { eight, element, elementAt, idBytes, ids, sizeBytes } from './elements';
import type { MatroskaParts } from './examine';
import { shortenedInfo } from './info';
import { trackTypes } from './tracks';
import { type Cluster, walkSegment } from './walk';

/** The program's name in files that lost their own head (MuxingApp, WritingApp). */
const name = Buffer.from('mendara');
/** Nanoseconds of a tick where the file no longer tells: TimestampScale's default (RFC 9559, 5.1.2.9). */
const usualScale = 1_000_000;
/** Versions of Matroska that are written, and that a reader must know. */
const [version, readVersion] = [4, 2];

const freshHead = () =>
  element(
    ids.ebml,
    element(ids.docType, Buffer.from('matroska')),
    element(ids.docTypeVersion, Buffer.from([version])),
    element(ids.docTypeReadVersion, Buffer.from([readVersion])),
  );

const freshInfo = () =>
  element(
    ids.info,
    element(ids.timestampScale, eight(usualScale)),
    element(ids.muxingApp, name),
    element(ids.writingApp, name),
  );

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

/** Everything before the clusters but for the seek list. */
function writeParts(source: Source, { walk, tracks, clusters }: MatroskaParts, sink: Sink): void {
  const info = walk.parts.find(({ id }) => id === ids.info);
  const shortened = info && shortenedInfo(source, info, clusters);
  if (shortened) sink.write(shortened);
  else if (info) sink.take(source, info.offset, info.end - info.offset);
  else sink.write(freshInfo());
  if (Buffer.isBuffer(tracks)) sink.write(tracks);
  else if (tracks) sink.take(tracks.source, tracks.from, tracks.length);
  for (const { id, offset, end } of walk.parts)
    if (id === ids.tags || id === ids.chapters || id === ids.attachments) sink.take(source, offset, end - offset);
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
  const head = parts.walk.headOk ? elementAt(source, 0) : null;
  if (head) sink.take(source, 0, head.end);
  else sink.write(freshHead());
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
