import type { Session } from '../session';
import type { Source } from '../source';
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
export type Cluster = { time: number; blocks: Block[] };
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

/** The next block or top-level element from `from` on that is confirmed by what follows it. */
function resync(source: Source, from: number, within: boolean): number {
  for (let at = from; at < source.size; ) {
    const window = Buffer.from(source.read(at, 1 << 18));
    for (let inside = 0; inside < window.length; inside++) {
      const byte = window[inside] ?? 0;
      const place = at + inside;
      if (byte === 0x1f || byte === 0x1c || byte === 0x12 || byte === 0x16 || byte === 0x15) {
        if (startsTop(source, place)) return place;
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
        if (child.id === ids.time) cluster.time = numberIn(source, child);
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
      (part.end <= source.size || part.id === ids.cluster) &&
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
    const next = resync(source, at + 1, cluster !== null && cluster.time >= 0);
    walk.gaps.push({ offset: at, length: next - at });
    // A block found behind the stated end of its cluster still belongs to it: the size was wrong.
    if (cluster && next >= limit) limit = startsTop(source, next) ? limit : source.size;
    at = next;
  }
  return walk;
}
