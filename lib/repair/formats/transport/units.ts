import { Buffer } from '../../host/bytes';
import type { PlacedUnit } from '../../video/mend';
import type { Source } from '../../video/source';
import { unitsBehindCodes } from '../../video/startcodes';
import type { Scan } from './packets';

/** Most that is held of one picture, in bytes. */
const largest = 8 << 20;
/** Bytes of a packet from its sync byte on (2.4.3.2). */
const packetBytes = 188;

/** Payloads of one picture, and where each begins in it and in the file. */
type Picture = { parts: Buffer[]; length: number; places: { inside: number; offset: number }[]; torn: boolean };

/** The packets of one stream that carry something, each with its place in the file. */
function* packetsOf(source: Source, { runs, grid }: Scan, pid: number): Generator<{ at: number; packet: Buffer }> {
  for (const { offset, count } of runs)
    for (let index = 0; index < count; index++) {
      const at = offset + index * grid.step + grid.lead;
      const packet = source.read(at, packetBytes);
      if (packet.length < packetBytes || (packet.readUInt16BE(1) & 0x1fff) !== pid) continue;
      if ((packet[3] ?? 0) & 0x10) yield { at, packet };
    }
}

function addPayload(picture: Picture, packet: Buffer, skip: number, at: number): void {
  if (skip >= packetBytes || picture.length > largest) return;
  picture.places.push({ inside: picture.length, offset: at + skip });
  picture.parts.push(Buffer.from(packet.subarray(skip)));
  picture.length += packetBytes - skip;
}

/**
 * The payloads of a stream of pictures, PES packet by PES packet, without their headers (ISO/IEC 13818-1, 2.4.3.6). Those in which
 * packets are missing are left out, and the last one, which recordings often end inside of.
 */
function* picturesOf(source: Source, scan: Scan, pid: number): Generator<Picture> {
  let picture: Picture | null = null;
  let counter = -1;
  for (const { at, packet } of packetsOf(source, scan, pid)) {
    const flags = packet[3] ?? 0;
    let skip = flags & 0x20 ? 5 + (packet[4] ?? 0) : 4;
    const torn = counter >= 0 && (flags & 15) !== ((counter + 1) & 15);
    counter = flags & 15;
    if (picture && torn) picture.torn = true;
    if ((packet[1] ?? 0) & 0x40) {
      if (picture && !picture.torn) yield picture;
      picture = { parts: [], length: 0, places: [], torn: false };
      skip += 9 + (packet[skip + 8] ?? 0);
    }
    if (picture) addPayload(picture, packet, skip, at);
  }
}

/** The NAL units of a stream of pictures. */
export function* unitsOfStream(source: Source, scan: Scan, pid: number): Generator<PlacedUnit> {
  for (const { parts, places } of picturesOf(source, scan, pid))
    yield* unitsBehindCodes(Buffer.concat(parts), (at) => {
      const part = places.findLast(({ inside }) => inside <= at);
      return part ? part.offset + at - part.inside : 0;
    });
}
