import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { type Element, elementAt, elementsIn, ids, inCluster, numberIn, topLevel } from './elements';
import { ownElements } from './own';

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
/**
 * A cluster; `sum` is the check sum that it carries (RFC 8794, 11.3.1) and the bytes from `from` to `to` that it is of; `isGuessed`: its time
 * could not be read.
 */
export type Cluster = {
  time: number;
  blocks: Block[];
  sum?: { stated: number; from: number; to: number };
  isGuessed?: boolean;
};
export type Walk = {
  headOk: boolean;
  /** Whether the first cluster is one of which only blocks are left. */
  isBegunInside: boolean;
  segment: Element | null;
  sizeOk: boolean;
  parts: Element[];
  clusters: Cluster[];
  gaps: { offset: number; length: number }[];
};

/** The block in a group, and whether it builds on others; null where the group has none, or is broken. */
function inGroup(source: Source, group: Element): { block: Element; references: boolean } | null {
  const children = elementsIn(source, group.body, group.end);
  const block = children?.findLast(({ id }) => id === ids.block);
  return block ? { block, references: children?.some(({ id }) => id === ids.referenceBlock) ?? false } : null;
}

function readBlock(source: Source, child: Element): Block | null {
  const isSimple = child.id === ids.simpleBlock;
  const grouped = isSimple ? null : inGroup(source, child);
  const { body, end } = isSimple ? child : (grouped?.block ?? { body: -1, end: -1 });
  if (body < 0) return null;
  const head = source.read(body, 8);
  const width = Math.clz32(head[0] ?? 0) - 23;
  if (width > 2 || head.length < width + 3) return null;
  const track = width === 1 ? (head[0] ?? 0) & 0x7f : head.readUInt16BE(0) & 0x3fff;
  const flags = head[width + 2] ?? 0;
  return {
    offset: child.offset,
    end: child.end,
    track,
    key: isSimple ? (flags & 0x80) !== 0 : grouped?.references === false,
    data: body + width + 3,
    dataEnd: end,
    lacing: (flags >> 1) & 3,
    time: head.readInt16BE(width),
  };
}

const holdsBlock = ({ id }: Element) => id === ids.simpleBlock || id === ids.blockGroup;

function soundChild(source: Source, at: number, limit: number): Element | null {
  const child = elementAt(source, at);
  if (!child || !inCluster.has(child.id) || child.unknown || child.end > limit) return null;
  if (holdsBlock(child) && !readBlock(source, child)) return null;
  return child;
}

/** Whether the file ends here or another part of the segment follows, with a filler between them or not. */
function leads(source: Source, at: number): boolean {
  if (at === source.size) return true;
  const next = elementAt(source, at);
  if (!next || !topLevel.has(next.id)) return false;
  return next.id > 0xff || (next.id === ids.void && (elementAt(source, next.end)?.id ?? 0) > 0xffffff);
}

/** A program's own elements between the parts of a segment, and among the children of a cluster that ends at `limit`. */
const ownParts = (source: Source, at: number) => ownElements(source, at, source.size, (end) => leads(source, end));
const ownChildren = (source: Source, at: number, limit: number) =>
  ownElements(source, at, limit, (end) => {
    const next = soundChild(source, end, limit);
    return next !== null && isUsual(source, next);
  });

/** Whether a part of the segment begins here, confirmed by what is in it or after it: identifiers also stand in the seek list. */
function startsTop(source: Source, at: number): boolean {
  const found = elementAt(source, at);
  if (!found || !topLevel.has(found.id) || found.id <= 0xff) return false;
  if (found.id === ids.cluster) return inCluster.has(elementAt(source, found.body)?.id ?? 0);
  const child = elementAt(source, found.body);
  return child !== null && child.end <= found.end && leads(source, found.end);
}

/** Bytes of an EBML head at most that is believed; those of programs take some forty. */
const mostHead = 4096;

/** Latest time of a cluster that is believed, in units of the segment's clock: some 35 years where one is a millisecond. */
const latest = 2 ** 40;

/**
 * Whether the content of a cluster begins here, by its time and the first block: it tells clusters whose own head is lost or broken.
 * Position and size of the cluster before may stand between them (RFC 9559, 5.1.3).
 */
function startsContent(source: Source, at: number): boolean {
  const time = elementAt(source, at);
  const length = time ? time.end - time.body : 0;
  if (!time || time.id !== ids.timestamp || length < 1 || length > 8 || numberIn(source, time) > latest) return false;
  let place = time.end;
  for (let between = 0; between < 3; between++) {
    const child = soundChild(source, place, source.size);
    if (!child) return false;
    if (holdsBlock(child))
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
function holdsChildren(source: Source, { body, end }: Element): boolean {
  const limit = Math.min(end, source.size);
  if (body >= limit) return true;
  return inCluster.has(elementAt(source, body)?.id ?? 0) || ownChildren(source, body, limit).length > 0;
}

/** Bytes before the first block of a cluster at most: its time, position and size (5.1.3). */
const mostBefore = 64;

/** Whether a cluster whose first child cannot be read leads to the next part, and holds a block soon. */
function holdsBlocks(source: Source, { body, end }: Element): boolean {
  if (!leads(source, end)) return false;
  for (let at = body + 1; at < Math.min(end, body + mostBefore); at++) if (startsChild(source, at)) return true;
  return false;
}

/** Bytes of a block's element that hold anything: its head is longer. */
const leastBlock = 6;
/** First bytes of the identifiers of the parts of a segment. */
const firstBytes = new Set([0x1f, 0x1c, 0x12, 0x16, 0x15]);

/** Highest number of a track that is believed where a block is looked for, and bits of a SimpleBlock that are zero (RFC 9559, 10.2). */
const mostTracks = 32;
const reserved = 0x70;
/** Most bytes of a number in a cluster. */
const mostNumber = 8;

/** Whether a child of a cluster is what programs write there: chance makes every tenth kilobyte begin one. */
function isUsual(source: Source, child: Element): boolean {
  if (!holdsBlock(child)) return child.id === ids.void || child.end - child.body <= mostNumber;
  const block = readBlock(source, child);
  if (!block || block.track < 1 || block.track > mostTracks) return false;
  return child.id !== ids.simpleBlock || ((source.read(block.data - 1, 1)[0] ?? 0) & reserved) === 0;
}

/** Whether a child of a cluster begins here that holds something and is followed by another, by a part of the segment, or by the end. */
function startsChild(source: Source, at: number): boolean {
  const child = soundChild(source, at, source.size);
  if (!child || child.end - child.offset <= leastBlock || !isUsual(source, child)) return false;
  if (child.end === source.size || startsTop(source, child.end)) return true;
  const next = soundChild(source, child.end, source.size);
  return next !== null && isUsual(source, next);
}

/** Whether reading can go on at a place whose first byte is this; at blocks only `within` a cluster whose time is known. */
function startsAnything(source: Source, at: number, byte: number, within: boolean): boolean {
  if (firstBytes.has(byte)) return startsTop(source, at);
  if (byte === ids.timestamp) return startsContent(source, at);
  return within && (byte === ids.simpleBlock || byte === ids.blockGroup) && startsChild(source, at);
}

/** Bytes that are looked through at once: few at first, as damage may be short and there may be much of it. */
const lookedAt = { first: 1 << 10, most: 1 << 18 };

/** The next block or top-level element in [from, to) that is confirmed by what follows it; `to` where there is none. */
function resync(source: Source, from: number, within: boolean, to = source.size): number {
  let length = lookedAt.first;
  for (let at = from; at < to; length = Math.min(length * 2, lookedAt.most)) {
    const window = source.copy(at, Math.min(length, to - at));
    for (let inside = 0; inside < window.length; inside++)
      if (startsAnything(source, at + inside, window[inside] ?? 0, within)) return at + inside;
    at += window.length;
  }
  return to;
}

/** Bytes of blank lines behind a file at most. */
const longestBlank = 16;

/** Whether there is nothing but ends of lines, which whoever sent the file put behind it. */
const areBlankLines = (bytes: Buffer): boolean =>
  bytes.length <= longestBlank && bytes.every((byte) => byte === 10 || byte === 13);

/** The element behind the EBML head and fillers, which may stand anywhere (RFC 8794, 11.3.2). */
function rootAt(source: Source, from: number): Element | null {
  let root = elementAt(source, from);
  while (root?.id === ids.void && !root.unknown && root.end < mostHead) root = elementAt(source, root.end);
  return root;
}

/** Walks a segment over damage. Its place is either in a cluster, up to `limit`, or between the parts of the segment. */
class Walker {
  readonly walk: Walk;
  readonly #source: Source;
  #at: number;
  #cluster: Cluster | null = null;
  #limit = 0;
  /** Where a cluster's check sum stands if it has one: of one whose size is open nothing tells what it is of. */
  #sumAt = -1;

  constructor(source: Source) {
    this.#source = source;
    const head = elementAt(source, 0);
    const root = head?.id === ids.ebml && head.end < mostHead ? rootAt(source, head.end) : null;
    const segment = root?.id === ids.segment ? root : null;
    const isHead = segment !== null;
    const sizeOk = segment !== null && segment.end <= source.size;
    this.walk = { headOk: isHead, isBegunInside: false, segment, sizeOk, parts: [], clusters: [], gaps: [] };
    this.#at = segment ? segment.body : resync(source, 0, false);
    if (!segment) this.#adoptOrphans();
  }

  get at(): number {
    return this.#at;
  }

  /** Takes what stands at the place, or goes on behind damage; false at the end. */
  step(): boolean {
    if (this.#at >= this.#source.size) return false;
    if (this.#takeChild()) return true;
    const part = elementAt(this.#source, this.#at);
    if (part && this.#isPart(part)) {
      this.#takePart(part);
      return true;
    }
    const { sizeOk, segment, clusters } = this.walk;
    const isInside = !segment || segment.unknown || this.#at < segment.end;
    if (isInside && this.#takeOwn()) return true;
    // What lies behind the end of the segment is not part of it.
    if (sizeOk && segment && this.#at >= segment.end && clusters.length > 0) return false;
    this.#pass(part);
    return true;
  }

  #begin(cluster: Cluster, limit: number): void {
    this.#cluster = cluster;
    this.walk.clusters.push(cluster);
    this.#limit = limit;
  }

  /** Blocks before the first cluster that is left belonged to one whose beginning was lost with the head: it began at zero. */
  #adoptOrphans(): void {
    const source = this.#source;
    const orphan = resync(source, 0, true);
    if (orphan >= this.#at || !soundChild(source, orphan, source.size)) return;
    this.walk.gaps.push({ offset: 0, length: orphan });
    this.walk.isBegunInside = true;
    this.#begin({ time: 0, blocks: [] }, this.#at);
    this.#at = orphan;
  }

  /** Passes what a program put of its own, in a cluster or between the parts of the segment; the latter is kept. */
  #takeOwn(): boolean {
    const inside = this.#cluster && this.#at < this.#limit ? ownChildren(this.#source, this.#at, this.#limit) : [];
    const own = inside.length > 0 ? inside : ownParts(this.#source, this.#at);
    if (own.length === 0) return false;
    if (inside.length === 0) {
      this.#cluster = null;
      this.walk.parts.push(...own);
    }
    this.#at = own.at(-1)?.end ?? this.#at;
    return true;
  }

  #takeChild(): boolean {
    const cluster = this.#cluster;
    const child = cluster && this.#at < this.#limit ? soundChild(this.#source, this.#at, this.#limit) : null;
    if (!cluster || !child) return false;
    // A second time in one cluster is made of damaged bytes.
    if (child.id === ids.timestamp && cluster.time < 0) cluster.time = Math.min(latest, numberIn(this.#source, child));
    if (child.id === ids.crc && child.end - child.body === 4 && child.offset === this.#sumAt)
      cluster.sum = {
        stated: this.#source.read(child.body, 4).readUInt32LE(0),
        from: child.end,
        to: this.#limit,
      };
    const block = holdsBlock(child) ? readBlock(this.#source, child) : null;
    if (block) this.#guess(cluster);
    if (block && cluster.time >= 0) cluster.blocks.push(block);
    this.#at = child.end;
    return true;
  }

  #isPart(part: Element): boolean {
    if (!topLevel.has(part.id)) return false;
    if (part.id === ids.cluster) return holdsChildren(this.#source, part) || holdsBlocks(this.#source, part);
    return part.end <= this.#source.size && !part.unknown;
  }

  #takePart(part: Element): void {
    const { walk } = this;
    const { segment } = walk;
    const { size } = this.#source;
    if (segment && !segment.unknown && this.#at >= segment.end && part.id > 0xff) walk.sizeOk = false;
    if (part.id === ids.cluster) {
      this.#begin({ time: -1, blocks: [] }, Math.min(part.end, size));
      if (part.end > size) walk.sizeOk = false;
      this.#sumAt = part.unknown ? -1 : part.body;
      this.#at = part.body;
    } else {
      this.#cluster = null;
      const end = this.#endOf(part);
      if (end < part.end) walk.sizeOk = false;
      walk.parts.push(end < part.end ? { ...part, end, isMoved: true } : part);
      this.#at = end;
    }
  }

  /** Where a part ends: by its size, but before that where this leads to nothing and another part begins inside. */
  #endOf({ body, end }: Element): number {
    if (end - body <= leastBlock) return end;
    return leads(this.#source, end) ? end : resync(this.#source, body, false, end);
  }

  /** Goes on at the next place that is confirmed. `part` is the element that stands here, which does not fit. */
  #pass(part: Element | null): void {
    const source = this.#source;
    this.#follow(part);
    // At this very place something may begin that only does not fit the stated size of its cluster.
    const cluster = this.#cluster;
    if (cluster) this.#guess(cluster);
    const within = cluster !== null && cluster.time >= 0;
    let next = resync(source, this.#at, within);
    if (next === this.#at && startsTop(source, this.#at)) next = resync(source, this.#at + 1, within);
    const isBlank = next === source.size && areBlankLines(source.copy(this.#at, longestBlank + 1));
    if (next > this.#at && !isBlank) this.walk.gaps.push({ offset: this.#at, length: next - this.#at });
    else this.walk.sizeOk = false;
    if (startsContent(source, next)) this.#begin({ time: -1, blocks: [] }, source.size);
    // A block found behind the stated end of its cluster still belongs to it: the size was wrong.
    else if (cluster && (next >= this.#limit || next === this.#at) && !startsTop(source, next))
      this.#limit = source.size;
    this.#at = next;
  }

  /** A cluster that begins without a time that can be read has that of the one before, until those beside it tell more. */
  #guess(cluster: Cluster): void {
    const { clusters } = this.walk;
    if (cluster.time >= 0 || cluster !== clusters.at(-1)) return;
    cluster.time = Math.max(0, clusters.at(-2)?.time ?? 0);
    cluster.isGuessed = true;
  }

  /** A cluster of which only the head is broken: should its time be lost too, it follows on the one before. */
  #follow(part: Element | null): void {
    const cluster = this.#cluster;
    if (!cluster || cluster.blocks.length === 0 || part?.id !== ids.cluster) return;
    const last = cluster.blocks.reduce((most, { time }) => Math.max(most, time), 0);
    this.#begin({ time: cluster.time + last + 1, blocks: [] }, this.#source.size);
  }
}

/** Walks head, segment, its parts and the blocks of its clusters (RFC 9559), going on after damage at the next block or cluster. */
export async function walkSegment(source: Source, tell: (offset: number) => Promise<void>): Promise<Walk> {
  const walker = new Walker(source);
  do await tell(walker.at);
  while (walker.step());
  return walker.walk;
}
