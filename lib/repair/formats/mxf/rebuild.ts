import type { VideoExamined, VideoTypes } from '../../families/video';
import { Buffer } from '../../host/bytes';
import { countPackets } from '../../readers/media';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Sink } from '../../video/sink';
import type { Source } from '../../video/source';
import type { Seen } from '../format';
import { muxEssence } from './essence';
import { type MxfParts, partitionsFit } from './examine';
import { isEssence, isPicture, type Klv, pack, partitionKind, walkKlv } from './klv';

/** Kinds of partitions, and the status of one that is closed and complete (7.1, table 4). */
const kinds = { header: 2, body: 3, footer: 4 };
const closedAndComplete = 4;

/** Writes partitions one after another, each of which says where the one before it lies. */
class Partitions {
  readonly #sink: Sink;
  readonly #key: string;
  readonly #places: number[] = [];
  #previous = 0;

  /** `key` is that of any partition pack. */
  constructor(sink: Sink, key: string) {
    this.#sink = sink;
    this.#key = key;
  }

  write(kind: number, fields: Buffer, headerBytes: number): void {
    const sink = this.#sink;
    const place = sink.position;
    fields.writeBigUInt64BE(BigInt(place), pack.this);
    fields.writeBigUInt64BE(BigInt(this.#previous), pack.previous);
    // More essence than bytes before it: a damaged number.
    if (fields.readBigUInt64BE(pack.bodyOffset) > BigInt(place)) fields.writeBigUInt64BE(0n, pack.bodyOffset);
    fields.writeBigUInt64BE(BigInt(headerBytes), pack.headerBytes);
    // Index tables spoke of places that have moved; a reader goes without them (377-1, 10.1).
    fields.writeBigUInt64BE(0n, pack.indexBytes);
    fields.writeUInt32BE(0, pack.indexSid);
    const key = Buffer.from(this.#key, 'hex');
    key[13] = kind;
    key[14] = closedAndComplete;
    const size = Buffer.alloc(4);
    size.writeUInt32BE(fields.length);
    size[0] = 0x83;
    sink.write(Buffer.concat([key, size]));
    this.#places.push(sink.position);
    sink.write(fields);
    this.#previous = place;
  }

  /** Writes the footer from the fields of another partition, and leads all of them to it. */
  end(fields: Buffer): void {
    const place = Buffer.alloc(8);
    place.writeBigUInt64BE(BigInt(this.#sink.position));
    fields.writeBigUInt64BE(0n, pack.bodyOffset);
    fields.writeUInt32BE(0, pack.bodySid);
    this.write(kinds.footer, fields, 0);
    for (const at of this.#places) this.#sink.patch(at + pack.footer, place);
  }
}

/** Writes the file anew: partitions around whole packets, or the essence muxed by a process of its own, to which the output is left. */
export async function rebuildMxf(
  reading: Reading,
  { parts }: VideoExamined<MxfParts>,
  sink: Sink,
): Promise<readonly Step[]> {
  if (parts.kind === 'essence') {
    if (parts.plan) await muxEssence(reading, parts.plan);
    return [{ kind: 'rebuild', of: 'essence' }];
  }
  const { source, tell } = reading;
  const { head, body } = parts;
  const [first, ...rest] = head.klvs;
  if (!first) return [];
  const fields = () => head.source.copy(first.body, first.end - first.body);
  const partitions = new Partitions(sink, first.key);
  const bytesOf = (klv: Klv) => klv.end - klv.offset;
  partitions.write(
    kinds.header,
    fields(),
    rest.reduce((sum, klv) => sum + bytesOf(klv), 0),
  );
  for (const klv of rest) sink.take(head.source, klv.offset, bytesOf(klv));
  // Essence needs its own partition when the header's carries none (BodySID zero).
  if (fields().readUInt32BE(pack.bodySid) === 0 && partitionKind(body[0]?.key ?? '') !== 'body') {
    const own = fields();
    own.writeUInt32BE(1, pack.bodySid);
    partitions.write(kinds.body, own, 0);
  }
  for (const klv of body) {
    if (partitionKind(klv.key) === 'body' && klv.end - klv.body >= pack.bytes)
      partitions.write(kinds.body, source.copy(klv.body, klv.end - klv.body), 0);
    else if (klv.stated !== undefined) {
      const { at, drop } = klv.without ?? { at: klv.end, drop: 0 };
      sink.write(headOf(klv));
      sink.take(source, klv.body, at - klv.body);
      sink.take(source, at + drop, klv.end - at - drop);
    } else if (isEssence(klv.key)) sink.take(source, klv.offset, bytesOf(klv));
    await tell(klv.end, 0.4, 0.8);
  }
  partitions.end(fields());
  return [{ kind: 'rebuild', of: 'partitions' }];
}

/** Bytes in which a length is written that may be large, and how many are told to follow (SMPTE 336M). */
const lengthBytes = 9;
const eightFollow = 0x88;

/** Key and length of a packet as it really is. */
function headOf({ key, body, end, without }: Klv): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length[0] = eightFollow;
  length.writeBigUInt64BE(BigInt(end - body - (without?.drop ?? 0)), 1);
  return Buffer.concat([Buffer.from(key, 'hex'), length]);
}

/** Whether what was written reads as it was meant: every packet of essence, and a footer that is found. What was muxed is counted. */
export async function verifyMxf(
  written: Source,
  { job, tell }: Reading,
  { parts }: VideoExamined<MxfParts>,
): Promise<boolean | Seen<VideoTypes>> {
  const again = await walkKlv(written, (offset) => tell(offset, 0.8, 0.95));
  const essence = again.klvs.filter(({ key }) => isEssence(key));
  if (parts.kind === 'partitions')
    return again.gaps.length === 0 && partitionsFit(written, again) && essence.length === parts.essence.length;
  const frames = essence.filter(isPicture).length;
  if (frames === 0) return { why: 'undescribed' };
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  return { kept: [{ unit: 'frames', count: packets?.video || frames }] };
}
