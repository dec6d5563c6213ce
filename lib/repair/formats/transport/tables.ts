import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { startCode } from '../../video/startcodes';
import { packetBytes } from './census';
import type { Scan } from './packets';

/** Streams of one programme: packet identifier and stream type (ISO/IEC 13818-1, table 2-34). */
export type Programme = { mapPid: number; streams: { pid: number; type: number }[] };

/** CRC of sections (13818-1, annex A): 0 over a whole section means that it is intact. */
function sectionCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

/** Calls `visit` with the payload of each packet, and whether a unit starts there, until it returns true. */
function eachPayload(
  source: Source,
  scan: Scan,
  most: number,
  visit: (pid: number, start: boolean, payload: Buffer) => boolean,
): void {
  let seen = 0;
  for (const run of scan.runs) {
    for (let index = 0; index < run.count; index++) {
      if (seen++ > most) return;
      const packet = source.read(run.offset + index * scan.grid.step + scan.grid.lead, packetBytes);
      const flags = packet[3] ?? 0;
      if (packet.length < packetBytes || !(flags & 0x10)) continue;
      const skip = flags & 0x20 ? 5 + (packet[4] ?? 0) : 4;
      if (skip >= packetBytes) continue;
      if (visit(packet.readUInt16BE(1) & 0x1fff, ((packet[1] ?? 0) & 0x40) !== 0, packet.subarray(skip))) return;
    }
  }
}

function section(payload: Buffer, table: number): Buffer | null {
  const at = 1 + (payload[0] ?? 0);
  if (at + 3 > payload.length || payload[at] !== table) return null;
  const end = at + 3 + (payload.readUInt16BE(at + 1) & 0xfff);
  // A section that goes on in the next packet cannot be checked here and is taken as it is.
  if (end > payload.length) return payload.subarray(at);
  const bytes = payload.subarray(at, end);
  return sectionCrc(bytes) === 0 ? bytes : null;
}

/** Whether an association table and a map table of one of its programmes are there and intact. */
export function hasTables(source: Source, scan: Scan): boolean {
  const maps = new Set<number>();
  let complete = false;
  eachPayload(source, scan, scan.total, (pid, start, payload) => {
    if (!start) return false;
    if (pid === 0 && maps.size === 0) {
      const pat = section(payload, 0);
      for (let at = 8; pat && at + 8 <= pat.length; at += 4)
        if (pat.readUInt16BE(at) !== 0) maps.add(pat.readUInt16BE(at + 2) & 0x1fff);
    } else if (maps.has(pid) && section(payload, 2)) complete = true;
    return complete;
  });
  return complete;
}

/** stream_type of the streams that are told (table 2-34, and ATSC A/53 part 3 for AC-3). */
export const streamTypes = {
  mpeg2: 0x02,
  mp3: 0x03,
  adts: 0x0f,
  mpeg4: 0x10,
  latm: 0x11,
  avc: 0x1b,
  hevc: 0x24,
  ac3: 0x81,
} as const;

/** First bytes of HEVC's access unit delimiter, its parameter sets, and SEI as NAL unit headers of the base layer. */
const hevcHeads = [0x46, 0x40, 0x42, 0x44, 0x4e];
/** Codes of MPEG-2 video: sequence and group headers, and pictures (13818-2, table 6-1). */
const mpeg2Codes = [0xb3, 0xb8, 0x00];

/** Codes of MPEG-4 Part 2 that begin with it (14496-2, table 6-3): the first layer, a sequence of objects, and a plane. */
const mpeg4Codes = [0x20, 0xb0, 0xb6];
/** Codes up to this one are those of objects, which nothing stands behind but the next code (6.2.2.1); a picture of MPEG-2 has the first of them. */
const lastObject = 0x1f;

/** Type of a stream of pictures by what one of them begins with. */
function pictureType(body: Buffer): number {
  const at = body.indexOf(startCode);
  if (at < 0) return 0;
  const head = body[at + 3] ?? 0;
  const isObject = head <= lastObject && body.indexOf(startCode, at + 3) === at + 4;
  if (isObject || mpeg4Codes.includes(head)) return streamTypes.mpeg4;
  if (mpeg2Codes.includes(head)) return streamTypes.mpeg2;
  if (hevcHeads.includes(head) && ((body[at + 4] ?? 0) & 0xf8) === 0) return streamTypes.hevc;
  return [1, 5, 6, 7, 8, 9].includes(head & 31) && !(head & 0x80) ? streamTypes.avc : 0;
}

/** Type of a stream of sound by the sync word that a packet of it begins with. */
function soundType(body: Buffer): number {
  const head = body.length >= 2 ? body.readUInt16BE(0) : 0;
  if ((head & 0xfff6) === 0xfff0) return streamTypes.adts;
  if ((head & 0xffe0) === 0xffe0) return streamTypes.mp3;
  if (head === 0x0b77) return streamTypes.ac3;
  return head >> 5 === 0x2b7 ? streamTypes.latm : 0;
}

/** Stream type by what a PES packet begins with (2.4.3.6); 0 when it cannot be told. */
function typeOf(unit: Buffer): number {
  if (unit.length < 12 || unit.readUIntBE(0, 3) !== 1) return 0;
  const id = unit[3] ?? 0;
  const body = unit.subarray(9 + (unit[8] ?? 0));
  return id >= 0xe0 && id <= 0xef ? pictureType(body) : soundType(body);
}

/** Packets in which streams are looked for, and of a stream of which nothing is told how many make it worth naming. */
const looked = 200_000;
const worthNaming = 20;

/** Tells the streams of the file by their units; the map's identifier is one that nothing else uses. */
export function tellStreams(source: Source, scan: Scan): { programme: Programme; unknown: number } {
  const types = new Map<number, number>();
  eachPayload(source, scan, looked, (pid, start, payload) => {
    if (start && pid >= 0x10 && pid < 0x1fff && !types.get(pid)) types.set(pid, typeOf(payload));
    return false;
  });
  const streams = [...types].filter(([, type]) => type > 0).map(([pid, type]) => ({ pid, type }));
  const unknown = [...types].filter(
    ([pid, type]) => type === 0 && (scan.pids.get(pid)?.count ?? 0) > worthNaming,
  ).length;
  let mapPid = 0x1000;
  while (scan.pids.has(mapPid) && mapPid < 0x1ff0) mapPid++;
  return { programme: { mapPid, streams }, unknown };
}

function packetOf(pid: number, counter: number, bytes: Buffer): Buffer {
  const packet = Buffer.alloc(188, 0xff);
  packet[0] = 0x47;
  packet.writeUInt16BE(0x4000 | pid, 1);
  packet[3] = 0x10 | (counter & 15);
  packet[4] = 0;
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(sectionCrc(bytes));
  Buffer.concat([bytes, crc]).copy(packet, 5);
  return packet;
}

const pictureTypes: readonly number[] = [streamTypes.avc, streamTypes.hevc, streamTypes.mpeg2, streamTypes.mpeg4];

/** Whether a stream of that type holds pictures. */
export const isPictureType = (type: number): boolean => pictureTypes.includes(type);

/** An association table and a map table as two packets (2.4.4.3, 2.4.4.8). */
export function tablePackets(programme: Programme, counter: number): Buffer[] {
  const { mapPid, streams } = programme;
  const pat = Buffer.from([0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xe0 | (mapPid >> 8), mapPid & 255]);
  const clock = streams.find(({ type }) => pictureTypes.includes(type))?.pid ?? streams[0]?.pid ?? 0x1fff;
  const rows = streams.slice(0, 30).flatMap(({ pid, type }) => [type, 0xe0 | (pid >> 8), pid & 255, 0xf0, 0]);
  const pmt = Buffer.from([
    2,
    0xb0,
    13 + rows.length,
    0,
    1,
    0xc1,
    0,
    0,
    0xe0 | (clock >> 8),
    clock & 255,
    0xf0,
    0,
    ...rows,
  ]);
  return [packetOf(0, counter, pat), packetOf(mapPid, counter, pmt)];
}
