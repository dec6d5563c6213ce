import { crxTilesAt } from '../../../../codecs/crx/headers';
import { box, topBoxes } from '../../../../core/boxes';
import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Candidate } from '../../layout';
import { brand, faultsOf } from './faults';
import { type Found, foundIn } from './found';
import { mended } from './mend';
import { settled } from './notes';
import { sensorOf } from './sensor';
import { sensorTrack, type Track, tracksOf } from './tracks';

/** Most times its own size that a file may lack: what is left of less is next to nothing. */
const mostMissing = 50;
/** Bytes that a filled file may come to. */
const mostFilled = 1 << 29;
/** Bytes by which a file may be longer or shorter than its boxes say for its data to have moved by as many. */
const mostSlipped = 1 << 20;
/** Bytes of the head of the box of data, with a size of 64 bits, and of a box that fills up. */
const dataHead = 16;
const leastFree = 8;
/** How a JPEG begins, how the headers of sensor data do, and places at which either is looked for. */
const jpegMark = Buffer.from([0xff, 0xd8, 0xff]);
const tileMarks = [Buffer.from([0xff, 0x01, 0, 8]), Buffer.from([0xff, 0x11, 0, 8]), Buffer.from([0xff, 0x11, 0, 16])];
const mostMarks = 2000;

/** The file as it is, with its end filled up where that is missing, or behind joined descriptions; with its sensor data packed anew where it is damaged. */
export function* rebuilt(bytes: Buffer, job: EngineJob): Generator<Candidate> {
  const told = endOf(bytes);
  const slip = Math.abs(bytes.length - told) < mostSlipped ? bytes.length - told : 0;
  const own = whole({ data: bytes, steps: [] }, slip, job);
  if (own) yield own;
  // Joining is for files whose descriptions do not lead on.
  if (faultsOf(own?.data ?? bytes).length === 0) return;
  for (const one of joined(bytes)) yield whole(one, slip, job) ?? one;
}

/** A file with its end filled up, its notes where they belong, and its sensor data packed anew; null where it needs none of this. */
function whole(one: Candidate, slip: number, job: EngineJob): Candidate | null {
  const filled = filledUp(one);
  const candidate = settled(filled ?? one, slip);
  const end = one.data.length;
  const anew = mended(candidate, { end, slip }, job);
  if (anew || candidate === one) return anew;
  return filled ? withShare(candidate, end, job) : candidate;
}

/** Where the boxes of a file and its tracks say that they end. */
function endOf(bytes: Buffer): number {
  const ends = [...topBoxes(bytes).boxes, ...tracksOf(bytes).map(({ start, length }) => ({ end: start + length }))];
  return ends.reduce((most, one) => Math.max(most, one.end), 0);
}

/** A file whose end is missing, filled up with zeros to where its boxes and its tracks end; null where nothing is missing, or no track has sensor data. */
function filledUp({ data: bytes, steps, ...rest }: Candidate): Candidate | null {
  const end = endOf(bytes);
  if (!sensorTrack(tracksOf(bytes))) return null;
  if (end <= bytes.length || end > Math.min(mostFilled, bytes.length * mostMissing)) return null;
  const data = Buffer.concat([bytes, Buffer.alloc(end - bytes.length)]);
  return { ...rest, data, steps: [...steps, { kind: 'fillData', bytes: end - bytes.length }] };
}

/** A filled file with the share of its sensor data that is there without what fills it. */
const withShare = (filled: Candidate, end: number, job: EngineJob): Candidate => ({
  ...filled,
  standing: sensorOf(filled.data.subarray(0, end), job)?.intact ?? 0,
});

/** The file behind descriptions that were joined from what is found of them, its tracks at the places where their data was found. */
function joined(bytes: Buffer): Candidate[] {
  const found = foundIn(bytes);
  const sensor = found && sensorTrack(found.tracks);
  if (!found || !sensor) return [];
  const shift = shiftOf(bytes, sensor);
  const tracks = found.tracks.map((track) => ({ ...track, start: track.start + shiftBeside(bytes, track, shift) }));
  const first = tracks.reduce((least, { start }) => Math.min(least, start), bytes.length);
  const front = frontOf(found);
  const free = first - dataHead - front.length;
  // Where there is room for it, all data stays where it is.
  const filling = free === 0 ? Buffer.alloc(0) : box('free', Buffer.alloc(Math.max(0, free - leastFree)));
  const start = front.length + filling.length + dataHead;
  for (const [index, track] of tracks.entries()) {
    const at = placeIn(found, index) + track.startAt - track.box.offset;
    front.writeBigUInt64BE(BigInt(track.start - first + start), at);
  }
  const data = Buffer.concat([front, filling, headOf(bytes.length - first), bytes.subarray(first)]);
  const moved = tracks.filter((track, index) => track.start !== found.tracks[index]?.start).length;
  const places = moved > 0 ? [{ kind: 'places', count: moved } as const] : [];
  return [{ data, steps: [{ kind: 'directory', of: 'first' }, ...places], isBare: found.isBare }];
}

/** How far the sensor data stands from where its track says, by its headers; 0 where it is not found. */
function shiftOf(bytes: Buffer, track: Track): number {
  const { shape, start } = track;
  if (!shape || (start < bytes.length && crxTilesAt(bytes, start, shape))) return 0;
  const places = tileMarks.flatMap((mark) => placesOf(bytes, mark));
  places.sort((left, right) => Math.abs(left - start) - Math.abs(right - start));
  const place = places.find((at) => crxTilesAt(bytes, at, shape));
  return place === undefined ? 0 : place - start;
}

/** How far other data stands from where its track says: not at all, as far as the sensor data, or as its mark does. */
function shiftBeside(bytes: Buffer, track: Track, shift: number): number {
  const { start, isJpeg, shape } = track;
  if (shape) return crxTilesAt(bytes, Math.min(start + shift, bytes.length), shape) ? shift : shiftOf(bytes, track);
  if (!isJpeg) return Math.max(shift, -start);
  const isMark = (at: number) => at >= 0 && bytes.subarray(at, at + jpegMark.length).equals(jpegMark);
  if (isMark(start)) return 0;
  if (isMark(start + shift)) return shift;
  const places = placesOf(bytes, jpegMark).sort((left, right) => Math.abs(left - start) - Math.abs(right - start));
  return (places[0] ?? start) - start;
}

function placesOf(bytes: Buffer, mark: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(mark); at >= 0 && places.length < mostMarks; at = bytes.indexOf(mark, at + 1))
    places.push(at);
  return places;
}

/** The brand, the descriptions of the film, and what stands between them and the data. */
function frontOf({ film, notes, tracks, behind }: Found): Buffer {
  const boxes = tracks.map((track) => track.bytes);
  return Buffer.concat([brand, box('moov', notes, film, ...boxes), ...behind]);
}

/** Where a track stands in that front. */
const placeIn = ({ film, notes, tracks }: Found, index: number): number =>
  tracks
    .slice(0, index)
    .reduce((sum, track) => sum + track.bytes.length, brand.length + leastFree + notes.length + film.length);

/** The head of the box of data, for that many bytes. */
function headOf(length: number): Buffer {
  const head = Buffer.alloc(dataHead);
  head.writeUInt32BE(1, 0);
  head.write('mdat', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(length + dataHead), 8);
  return head;
}
