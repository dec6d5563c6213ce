import { Buffer } from '../../../../host/bytes';
import { TiffBytes } from '../../../tiff/directory';
import type { Candidate } from '../../layout';
import { bytesOf, fillParts } from '../parts';
import { wipedParts } from '../wiped';
import {
  findStrip,
  headBytes,
  headerAt,
  type Place,
  placeAt,
  placeOf,
  secondPlaces,
  signature,
  stripAt,
} from './places';
import { depths, mostFilled, packedBytes, stripOf } from './sensor';

/** Where the head of a camera with two pictures of the sensor has the place of the second header. */
const secondHeader = 120;
/** Bytes of a head that is written, as those of cameras with one picture of the sensor have it. */
const writtenHead = 148;
/** The camera's name in the head: where it stands, and its most bytes. */
const nameAt = 28;
const nameBytes = 31;
/** The camera's name in EXIF (TIFF 6.0, section 8). */
const modelField = 272;
const mark = Buffer.from([0xff, 0xd8, 0xff]);
/** The first record of a header, with the size of the sensor, behind the three upper bytes of the count. */
const firstRecord = Buffer.from([0x01, 0x00, 0x00, 0x04]);

/** A file whose end is missing, with zeros in its place, so that readers find as many values as they ask for. */
export function filledUp(bytes: Buffer): Candidate | null {
  const strip = stripOf(bytes);
  if (!strip || strip.start >= bytes.length) return null;
  const second = Math.max(0, ...secondPlaces(bytes).map(({ start, length }) => start + length));
  const last = Math.max(strip.start + strip.length, second);
  const missing = last - bytes.length;
  if (missing <= 0 || missing > strip.length * 2) return null;
  const told = placeAt(bytes, placeOf.sensor);
  const end = Math.max(last, told.start + told.length);
  if (end - bytes.length > missing + mostFilled) return null;
  const data = Buffer.concat([bytes, Buffer.alloc(end - bytes.length)]);
  // What a second picture lost counts with the first one's: the report tells rows of one size.
  const standing = Math.max(0, 1 - missing / (last - strip.start));
  return { data, steps: [{ kind: 'fillData', bytes: end - bytes.length }], standing };
}

/** Rows after which the filters of all its cameras repeat: two of Bayer's, six of X-Trans. */
const apart = 6;

/** The photo with values that were wiped filled from the rows around; null where none were, or where that fills no picture. */
export function withRowsFilled(bytes: Buffer): Candidate | null {
  const strip = stripOf(bytes);
  const used = strip && packedBytes(strip);
  if (!strip || !used || used % strip.height !== 0) return null;
  const [start, end] = [strip.start, strip.start + used];
  const lost = wipedParts(bytes.subarray(start, end));
  if (lost.length === 0) return null;
  const data = Buffer.from(bytes);
  const filled = fillParts(data.subarray(start, end), used / strip.height, apart, lost);
  if (filled.length === 0) return null;
  return { data, steps: [{ kind: 'sensor', how: 'filled' }], standing: 1 - bytesOf(lost) / used };
}

/** The file behind a head whose places are those at which JPEG, header and sensor data were found. */
export function* withPlacesFound(bytes: Buffer): Generator<Candidate> {
  const jpeg = bytes.indexOf(mark);
  if (jpeg < 0) return;
  const header = findHeader(bytes, jpeg);
  const found = header === null ? null : headerAt(bytes, header);
  if (header === null || !found) return;
  const sensor = findSensor(bytes, header, found);
  if (!sensor) return;
  const isOwn = bytes.toString('latin1', 0, signature.length) === signature && jpeg >= headBytes;
  const head = isOwn ? Buffer.from(bytes.subarray(0, jpeg)) : newHead(bytes, jpeg);
  if (!head || (isOwn && jpeg > secondHeader && head.readUInt32BE(secondHeader) !== 0)) return;
  const shift = head.length - jpeg;
  const places = {
    jpeg: { start: jpeg, length: header - jpeg },
    header: { start: header, length: found.end - header },
    sensor,
  };
  for (const part of ['jpeg', 'header', 'sensor'] as const) {
    head.writeUInt32BE(places[part].start + shift, placeOf[part]);
    head.writeUInt32BE(places[part].length, placeOf[part] + 4);
  }
  const candidate: Candidate = {
    data: Buffer.concat([head, bytes.subarray(jpeg)]),
    steps: [{ kind: 'head', how: 'written' }],
  };
  yield candidate;
  const filled = filledUp(candidate.data);
  if (filled) yield { ...filled, steps: [...candidate.steps, ...filled.steps] };
}

function findHeader(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf(firstRecord, from); at >= 0; at = bytes.indexOf(firstRecord, at + 1)) {
    if (at >= 4 && headerAt(bytes, at - 4)) return at - 4;
  }
  return null;
}

/** Sensor data behind its header: at a directory of its own, as far from the header as the head tells, or as many values as end with the file. */
function findSensor(
  bytes: Buffer,
  header: number,
  found: { end: number; width: number; height: number },
): Place | null {
  const directory = findStrip(bytes, found.end);
  const strip = directory === null ? null : stripAt(bytes, directory);
  if (directory !== null && strip) return { start: directory, length: strip.start + strip.length - directory };
  if (bytes.toString('latin1', 0, signature.length) === signature) {
    const [told, data] = [placeAt(bytes, placeOf.header), placeAt(bytes, placeOf.sensor)];
    const start = data.start + header - told.start;
    if (start >= found.end && start < bytes.length && data.length > 0) return { start, length: data.length };
  }
  for (const bits of depths) {
    const length = Math.ceil((found.width * found.height * bits) / 8);
    const start = bytes.length - length;
    if (start >= found.end && start - found.end < mostFilled) return { start, length };
  }
  return null;
}

/** A head without places, with the camera's name as the EXIF of the JPEG tells it; null where it tells none, as readers ask for it. */
function newHead(bytes: Buffer, jpeg: number): Buffer | null {
  const head = Buffer.alloc(writtenHead);
  head.write(`${signature}0201`, 0, 'latin1');
  const start = bytes.indexOf('Exif\0\0', jpeg, 'latin1') + 6;
  if (start < 6) return null;
  const tiff = new TiffBytes(bytes.subarray(start), bytes[start] === 0x49);
  const model = tiff.directory(tiff.u32(4))?.fields.get(modelField);
  if (!model) return null;
  tiff.bytes.copy(head, nameAt, model.at, model.at + Math.min(model.count, nameBytes));
  return head;
}
