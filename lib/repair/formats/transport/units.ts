import { Buffer } from '../../host/bytes';
import type { PlacedUnit } from '../../video/mend';
import type { Source } from '../../video/source';
import { startCode, unitsBehindCodes } from '../../video/startcodes';
import { packetBytes } from './census';
import type { Scan } from './packets';

/** Most that is held of one picture, in bytes. */
const largest = 8 << 20;

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
 * The payloads of a stream of pictures, PES packet by PES packet, without their headers (ISO/IEC 13818-1, 2.4.3.6), without the last one, which
 * recordings often end inside of. `torn`: packets are missing in it.
 */
function* picturesOf(source: Source, scan: Scan, pid: number): Generator<Picture> {
  let picture: Picture | null = null;
  let counter = -1;
  for (const { at, packet } of packetsOf(source, scan, pid)) {
    const flags = packet[3] ?? 0;
    let skip = flags & 0x20 ? 5 + (packet[4] ?? 0) : 4;
    const torn = counter >= 0 && (flags & 15) !== ((counter + 1) & 15);
    counter = flags & 15;
    const isStart = ((packet[1] ?? 0) & 0x40) !== 0;
    // Where packets are missing before the next picture this one may be whole, as at the joints of recordings: its units tell.
    if (picture && torn && !isStart) picture.torn = true;
    if (isStart) {
      if (picture) yield picture;
      picture = { parts: [], length: 0, places: [], torn: false };
      skip += 9 + (packet[skip + 8] ?? 0);
    }
    if (picture) addPayload(picture, packet, skip, at);
  }
}

/** Bytes of a stream of pictures, and where in the file parts of them lie. */
type Stretch = { bytes: Buffer; places: Picture['places'] };

/** Whether bytes begin with a start code, and zeroes at most before it. */
function beginsWithCode(bytes: Buffer): boolean {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first >= 2 && bytes[first] === 1;
}

/** What lies from a place on. */
function tailOf({ bytes, places }: Stretch, from: number): Stretch {
  const first = Math.max(
    0,
    places.findLastIndex(({ inside }) => inside <= from),
  );
  const moved = places.slice(first).map(({ inside, offset }) => ({ inside: inside - from, offset }));
  return { bytes: bytes.subarray(from), places: moved };
}

/** One behind the other. */
function joined(one: Stretch, other: Stretch): Stretch {
  const moved = other.places.map(({ inside, offset }) => ({ inside: inside + one.bytes.length, offset }));
  return { bytes: Buffer.concat([one.bytes, other.bytes]), places: [...one.places, ...moved] };
}

/** Payloads in stretches of whole units: a packet need not begin with a picture, or with a unit (2.4.3.7). */
function* wholeStretches(source: Source, scan: Scan, pid: number): Generator<Stretch> {
  let held: Stretch | null = null;
  for (const { parts, places, torn } of picturesOf(source, scan, pid)) {
    const next: Stretch = { bytes: Buffer.concat(parts), places };
    if (!held || torn || held.bytes.length > largest || beginsWithCode(next.bytes)) {
      if (held) yield held;
      held = torn ? null : next;
      continue;
    }
    const last: number = Math.max(0, held.bytes.lastIndexOf(startCode));
    if (last > 0) yield { bytes: held.bytes.subarray(0, last), places: held.places };
    held = joined(tailOf(held, last), next);
  }
  if (held) yield held;
}

/** The units behind start codes of a stream of pictures. */
export function* unitsOfStream(source: Source, scan: Scan, pid: number): Generator<PlacedUnit> {
  for (const { bytes, places } of wholeStretches(source, scan, pid))
    yield* unitsBehindCodes(bytes, (at) => {
      const part = places.findLast(({ inside }) => inside <= at);
      return part ? part.offset + at - part.inside : 0;
    });
}
