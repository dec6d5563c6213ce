import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Step } from '../../../../report/facts/photo';
import { type Directory, type Field, TiffBytes, tag, tiffNumber } from '../../../tiff/directory';
import type { Candidate } from '../../layout';
import { largestPictures } from '../../previews';
import { directoriesOf, rawTag } from './directories';
import { foundSensor, type NewSensor } from './found';
import { sensorImage } from './image';
import { cameraIn } from './names';
import { isExif, isFirst, strayDirectories } from './scan';
import { directoryBytes, type NewField, overwrite, type } from './write';

/** What kind of file it is: what its first bytes are, and where its first directory stands. */
export type Shape = { isCr2: boolean; isDng: boolean };

/** Bytes of the head: of TIFF, and of CR2, where the place of the sensor's directory follows (as Canon's cameras write it). */
const headBytes = { tiff: 8, cr2: 16 };

/**
 * A file whose head leads to a first directory that names the camera, and on to the one of the sensor data. What survives of them is
 * led to; what is lost is written anew behind all else, from what the file still holds. Null where no sensor data is found at all.
 */
export function withTree(bytes: Buffer, shape: Shape, job: EngineJob): Candidate | null {
  const now = directoriesOf(bytes);
  const [head] = now?.found ?? [];
  if (now && head && isFirst(head) && sensorImage(now)) return { data: bytes, steps: [] };
  let best: Candidate | null = null;
  for (const little of shape.isCr2 ? [true] : [true, false]) {
    const { tiff, found } = strayDirectories(bytes, little);
    const sensor = sensorImage({ tiff, found, broken: [] });
    if (!sensor && best) continue;
    const made = sensor ? null : foundSensor(bytes, shape, job);
    if (!sensor && !made) continue;
    best = joined(tiff, found, sensor?.directory ?? null, made, shape, job);
    if (sensor) return best;
  }
  return best;
}

/** The file with its directories joined to one tree. */
function joined(
  { bytes, little }: TiffBytes,
  found: readonly Directory[],
  sensor: Directory | null,
  made: NewSensor | null,
  shape: Shape,
  job: EngineJob,
): Candidate {
  const behind = new Behind(bytes);
  const sensorAt = sensor?.offset ?? behind.add((at) => directoryBytes(made?.fields ?? [], at, 0, little));
  const first = found.find(isFirst);
  const steps: Step[] = [];
  let firstAt = first?.offset ?? 0;
  if (!first) {
    const exif = found.find(isExif)?.offset ?? 0;
    const fields = firstFields(bytes, shape, sensorAt, exif, job);
    firstAt = behind.add((at) => directoryBytes(fields, at, shape.isCr2 ? sensorAt : 0, little));
    steps.push({ kind: 'directory', of: 'first' });
  }
  if (made) steps.push({ kind: 'directory', of: 'sensor' });
  const data = behind.all();
  const tiff = new TiffBytes(data, little);
  const told = directoriesOf(bytes) ? tiff.u32(4) : 0;
  writeHead(tiff, firstAt, shape, sensorAt);
  if (first) relead(tiff, withValues(tiff, first, told), found);
  if (first && !leadsTo(tiff, sensorAt)) overwrite(tiff, first.offset + 2 + first.fields.size * 12, sensorAt, 4);
  return { data, steps: [{ kind: 'head', how: 'leads' }, ...steps], isBare: steps.length > 0, isMade: made !== null };
}

/** A first directory that stands elsewhere than the head told, led to its values, which moved with it. */
function withValues(tiff: TiffBytes, first: Directory, told: number): Directory {
  const shift = first.offset - told;
  if (told === 0 || shift === 0 || Math.abs(shift) > mostMoved || tiff.directory(told)?.sound) return first;
  // The head alone may lead elsewhere: then values stand where they are told to, as a name of the camera shows.
  if (isName(tiff, first.fields.get(rawTag.make)) && isName(tiff, first.fields.get(rawTag.model))) return first;
  moveValues(tiff, first, shift);
  return tiff.directory(first.offset) ?? first;
}

/** Whether a text stands in a field from its first byte on, up to the zero that ends it (TIFF 6.0, section 2). */
function isName({ bytes }: TiffBytes, field: Field | undefined): boolean {
  if (!field || field.count < 2 || field.count > longestName) return false;
  const before = bytes[field.at - 1] ?? 0;
  const text = bytes.toString('latin1', field.at, field.at + field.count);
  return /^[ -~]+\0+$/.test(text) && !(before > 0x20 && before < 0x7f && field.count > 4);
}

/** Bytes of the longest name of a camera or its maker. */
const longestName = 64;

/**
 * Leads the pointers of a first directory to where the directories behind it stand now, when bytes between them were lost or added: all by
 * as much, and the values of those directories with them. A pointer to nothing is taken back.
 */
function relead(tiff: TiffBytes, first: Directory, found: readonly Directory[]): void {
  const pointers = pointersOf(tiff, first);
  const stand = new Set(found.map(({ offset }) => offset));
  const lost = pointers.filter(({ value }) => value > 0 && !tiff.directory(value));
  if (lost.length === 0) return;
  const votes = new Map<number, number>();
  for (const { value } of lost)
    for (const offset of stand)
      if (Math.abs(offset - value) <= mostMoved) votes.set(offset - value, (votes.get(offset - value) ?? 0) + 1);
  const [shift = 0] =
    [...votes].sort((left, right) => right[1] - left[1] || Math.abs(left[0]) - Math.abs(right[0]))[0] ?? [];
  for (const { at, value } of lost) {
    const moved = found.find(({ offset }) => offset === value + shift);
    overwrite(tiff, at, moved ? moved.offset : 0, 4);
    if (moved) moveValues(tiff, moved, shift);
  }
}

/** How far directories may have moved, in bytes. */
const mostMoved = 1 << 20;

/** Where the pointers of a directory to others stand, and what they are. */
function pointersOf(tiff: TiffBytes, { offset, fields }: Directory): { at: number; value: number }[] {
  const places = [tag.subDirectories, tag.exif].flatMap((number) => {
    const field = fields.get(number);
    return tiff.values(field, 32).map((_, index) => (field?.at ?? 0) + index * 4);
  });
  return [...places, offset + 2 + fields.size * 12].map((at) => ({ at, value: tiff.u32(at) }));
}

/** Leads a directory that moved to its values, which moved with it. */
function moveValues(tiff: TiffBytes, { offset, fields }: Directory, shift: number): void {
  let index = 0;
  for (const field of fields.values()) {
    const entry = offset + 2 + index++ * 12;
    const isInside = field.at === entry + 8;
    if (!isInside) overwrite(tiff, entry + 8, field.at + shift, 4);
  }
}

const leadsTo = (tiff: TiffBytes, place: number): boolean =>
  directoriesOf(tiff.bytes)?.found.some(({ offset }) => offset === place) ?? false;

function writeHead(tiff: TiffBytes, first: number, { isCr2 }: Shape, sensor: number): void {
  tiff.bytes.write(tiff.little ? 'II' : 'MM', 0, 'latin1');
  overwrite(tiff, 2, tiffNumber, 2);
  overwrite(tiff, 4, first, 4);
  if (!isCr2) return;
  tiff.bytes.write('CR\x02\x00', headBytes.tiff, 'latin1');
  overwrite(tiff, headBytes.cr2 - 4, sensor, 4);
}

/** A first directory from what the file still tells: its camera, and the largest picture that the camera made. */
function firstFields(bytes: Buffer, { isCr2, isDng }: Shape, sensor: number, exif: number, job: EngineJob): NewField[] {
  const camera = cameraIn(bytes);
  const [picture] = largestPictures({ ...job, bytes }, 1).filter(({ isOpen }) => !isOpen);
  const fields: NewField[] = [
    { tag: rawTag.subfile, type: type.long, values: [1] },
    { tag: rawTag.make, type: type.text, text: camera.make },
    { tag: rawTag.model, type: type.text, text: camera.model },
    { tag: 274, type: type.short, values: [1] },
  ];
  if (isDng) fields.push({ tag: rawTag.dngVersion, type: type.byte, values: [1, 1, 0, 0] });
  if (!isCr2) fields.push({ tag: tag.subDirectories, type: type.long, values: [sensor] });
  if (exif > 0) fields.push({ tag: tag.exif, type: type.long, values: [exif] });
  if (!picture) return fields;
  const places = isCr2 ? [tag.stripOffsets, tag.stripCounts] : [tag.jpegStart, tag.jpegLength];
  for (const [index, value] of [picture.start, picture.end - picture.start].entries())
    fields.push({ tag: places[index] ?? 0, type: type.long, values: [value] });
  return [...fields, { tag: tag.compression, type: type.short, values: [6] }];
}

/** A file that grows at its end. */
class Behind {
  readonly #parts: Buffer[];
  #length: number;

  constructor(bytes: Buffer) {
    this.#parts = [Buffer.from(bytes)];
    this.#length = bytes.length;
  }

  /** Adds what is made for the place where it will stand, which is even, and gives that place back. */
  add(make: (at: number) => Buffer): number {
    if (this.#length % 2 === 1) this.#push(Buffer.alloc(1));
    const at = this.#length;
    this.#push(make(at));
    return at;
  }

  #push(part: Buffer): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  all = (): Buffer => Buffer.concat(this.#parts);
}
