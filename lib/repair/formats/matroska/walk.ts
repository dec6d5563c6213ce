import { Buffer } from '../../host/bytes';
import type { Session } from '../../video/session';
import type { Source } from '../../video/source';
import { type Element, elementAt, ids, inCluster, numberIn, topLevel } from './elements';

/** A block with the element around it; its frames lie from `data` to `dataEnd`, `lacing` how several share it (RFC 9559, 10.3), `time` its place in its cluster. */
export type Block = {
  offset: number;
  end: number;
  track: number;
  key: boolean;
  data: number;
  dataEnd: number;
  lacing: number;
  time: number;
};
/** A cluster; `sum` is the check sum that it carries (RFC 8794, 11.3.1) and the bytes from `from` to `to` that it is of. */
export type Cluster = { time: number; blocks: Block[]; sum?: { stated: number; from: number; to: number } };
export type Walk = {
  headOk: boolean;
  segment: Element | null;
  sizeOk: boolean;
  parts: Element[];
  clusters: Cluster[];
  gaps: { offset: number; length: number }[];
};

function readBlock(source: Source, child: Element): Block | null {
  let body = child.body;
  let end = child.end;
  let simple = true;
  let references = false;
  if (child.id === ids.group) {
    simple = false;
    let found = -1;
    for (let at = child.body; at < child.end; ) {
      const inner = elementAt(source, at);
      if (!inner || inner.end > child.end) return null;
      if (inner.id === ids.block) {
        found = inner.body;
        end = inner.end;
      }
      if (inner.id === 0xfb) references = true;
      at = inner.end;
    }
    if (found < 0) return null;
    body = found;
  }
  const head = source.read(body, 8);
  const width = Math.clz32(head[0] ?? 0) - 23;
  if (width > 2 || head.length < width + 3) return null;
  const track = width === 1 ? (head[0] ?? 0) & 0x7f : head.readUInt16BE(0) & 0x3fff;
  const flags = head[width + 2] ?? 0;
  return {
    offset: child.offset,
    end: child.end,
    track,
    key: simple ? (flags & 0x80) !== 0 : !references,
    data: body + width + 3,
    dataEnd: end,
    lacing: (flags >> 1) & 3,
    time: head.readInt16BE(width),
  };
}

function soundChild(source: Source, at: number, limit: number): Element | null {
  const child = elementAt(source, at);
  if (!child || !inCluster.has(child.id) || child.unknown || child.end > limit) return null;
  if ((child.id === ids.simple || child.id === ids.group) && !readBlock(source, child)) return null;
  return child;
}

/** Whether the file ends here or another part of the segment follows, with a filler between them or not. */
function leads(source: Source, at: number): boolean {
  if (at === source.size) return true;
  const next = elementAt(source, at);
  if (!next || !topLevel.has(next.id)) return false;
  return next.id > 0xff || (next.id === ids.void && (elementAt(source, next.end)?.id ?? 0) > 0xffffff);
}

/** Whether a part of the segment begins here, confirmed by what is in it or after it: identifiers also stand in the seek list. */
function startsTop(source: Source, at: number): boolean {
  const found = elementAt(source, at);
  if (!found || !topLevel.has(found.id) || found.id <= 0xff) return false;
  if (found.id === ids.cluster) return inCluster.has(elementAt(source, found.body)?.id ?? 0);
  const child = elementAt(source, found.body);
  return child !== null && child.end <= found.end && leads(source, found.end);
}

/** Latest time of a cluster that is believed, in units of the segment's clock: some 35 years where one is a millisecond. */
const latest = 2 ** 40;

/**
 * Whether the content of a cluster begins here, by its time and the first block: it tells clusters whose own head is lost or broken.
 * Position and size of the cluster before may stand between them (RFC 9559, 5.1.3).
 */
function startsContent(source: Source, at: number): boolean {
  const time = elementAt(source, at);
  const length = time ? time.end - time.body : 0;
  if (!time || time.id !== ids.time || length < 1 || length > 8 || numberIn(source, time) > latest) return false;
  let place = time.end;
  for (let between = 0; between < 3; between++) {
    const child = soundChild(source, place, source.size);
    if (!child) return false;
    if (child.id === ids.simple || child.id === ids.group)
      return (
        child.end - child.offset > 6 &&
        (child.end === source.size ||
          soundChild(source, child.end, source.size) !== null ||
          topLevel.has(elementAt(source, child.end)?.id ?? 0))
      );
    if (child.end - child.body > 8) return false;
    place = child.end;
  }
  return false;
}

/** Whether a cluster's size is as wide as it says, so that a child of it comes next; empty and cut ones count too. */
function holdsChildren(source: Source, cluster: Element): boolean {
  if (cluster.body >= Math.min(cluster.end, source.size)) return true;
  return inCluster.has(elementAt(source, cluster.body)?.id ?? 0);
}

/** The next block or top-level element from `from` on that is confirmed by what follows it. */
function resync(source: Source, from: number, within: boolean): number {
  for (let at = from; at < source.size; ) {
    const window = Buffer.from(source.read(at, 1 << 18));
    for (let inside = 0; inside < window.length; inside++) {
      const byte = window[inside] ?? 0;
      const place = at + inside;
      if (byte === 0x1f || byte === 0x1c || byte === 0x12 || byte === 0x16 || byte === 0x15) {
        if (startsTop(source, place)) return place;
      } else if (byte === ids.time) {
        if (startsContent(source, place)) return place;
      } else if (within && (byte === ids.simple || byte === ids.group)) {
        const child = soundChild(source, place, source.size);
        if (
          child &&
          child.end - child.offset > 6 &&
          (soundChild(source, child.end, source.size) || startsTop(source, child.end) || child.end === source.size)
        )
          return place;
      }
    }
    at += window.length;
  }
  return source.size;
}

/** Walks head, segment, its parts and the blocks of its clusters (RFC 9559), going on after damage at the next block or cluster. */
export async function walkSegment(session: Session, source: Source, from: number, to: number): Promise<Walk> {
  const head = elementAt(source, 0);
  const headOk = head?.id === ids.ebml && head.end < 4096 && elementAt(source, head.end)?.id === ids.segment;
  const segment = headOk && head ? elementAt(source, head.end) : null;
  const walk: Walk = {
    headOk: headOk === true,
    segment,
    sizeOk: segment !== null && segment.end <= source.size,
    parts: [],
    clusters: [],
    gaps: [],
  };
  let at = segment ? segment.body : resync(source, 0, false);
  let cluster: Cluster | null = null;
  let limit = 0;
  // Blocks before the first cluster that is left belonged to one whose beginning was lost with the head: it began at zero.
  const orphan = segment ? at : resync(source, 0, true);
  if (orphan < at && soundChild(source, orphan, source.size)) {
    walk.gaps.push({ offset: 0, length: orphan });
    cluster = { time: 0, blocks: [] };
    walk.clusters.push(cluster);
    limit = at;
    at = orphan;
  }
  while (at < source.size) {
    await session.tell(at, from, to);
    if (cluster && at < limit) {
      const child = soundChild(source, at, limit);
      if (child) {
        // A second time in one cluster is made of damaged bytes.
        if (child.id === ids.time && cluster.time < 0) cluster.time = Math.min(latest, numberIn(source, child));
        if (child.id === ids.crc && child.end - child.body === 4 && cluster.blocks.length === 0)
          cluster.sum = { stated: source.read(child.body, 4).readUInt32LE(0), from: child.end, to: limit };
        const block = child.id === ids.simple || child.id === ids.group ? readBlock(source, child) : null;
        if (block && cluster.time >= 0) cluster.blocks.push(block);
        at = child.end;
        continue;
      }
    }
    const part = elementAt(source, at);
    if (
      part &&
      topLevel.has(part.id) &&
      (part.id === ids.cluster ? holdsChildren(source, part) : part.end <= source.size) &&
      !(part.unknown && part.id !== ids.cluster)
    ) {
      if (segment && !segment.unknown && at >= segment.end && part.id > 0xff) walk.sizeOk = false;
      if (part.id === ids.cluster) {
        cluster = { time: -1, blocks: [] };
        walk.clusters.push(cluster);
        limit = Math.min(part.end, source.size);
        if (part.end > source.size) walk.sizeOk = false;
        at = part.body;
      } else {
        cluster = null;
        walk.parts.push(part);
        at = part.end;
      }
      continue;
    }
    // What lies behind the end of the segment is not part of it.
    if (walk.sizeOk && segment && at >= segment.end && walk.clusters.length > 0) break;
    // At this very place something may begin that only does not fit the stated size of its cluster.
    if (cluster && cluster.blocks.length > 0 && part?.id === ids.cluster) {
      // Only the head of this cluster is broken: should its time be lost too, it follows on the one before.
      const last = cluster.blocks.reduce((most, { time }) => Math.max(most, time), 0);
      cluster = { time: cluster.time + last + 1, blocks: [] };
      walk.clusters.push(cluster);
      limit = source.size;
    }
    const within = cluster !== null && cluster.time >= 0;
    let next = resync(source, at, within);
    if (next === at && startsTop(source, at)) next = resync(source, at + 1, within);
    if (next > at) walk.gaps.push({ offset: at, length: next - at });
    else walk.sizeOk = false;
    if (startsContent(source, next)) {
      cluster = { time: -1, blocks: [] };
      walk.clusters.push(cluster);
      limit = source.size;
    } else if (cluster && (next >= limit || next === at)) {
      // A block found behind the stated end of its cluster still belongs to it: the size was wrong.
      limit = startsTop(source, next) ? limit : source.size;
    }
    at = next;
  }
  return walk;
}
