import { losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import { TiffBytes } from '../../../tiff/directory';
import type { Candidate } from '../../layout';
import { type Directories, directoriesOf } from './directories';
import { sensorImage } from './image';
import { endOf, type Named, namedEnd, namedPlaces } from './named';
import { tiffSensor } from './sensor';
import { overwriteValue } from './write';

/** How far data may have moved, in bytes. */
const mostMoved = 1 << 20;
/** Places whose data is looked for, and marks that are looked at for each. */
const mostSearches = 2000;
const mostMarks = 500;

const begins = (bytes: Buffer, at: number): boolean =>
  bytes[at] === 0xff && bytes[at + 1] === 0xd8 && bytes[at + 2] === 0xff;

/** Whether what a place must hold stands there. */
const isThere = (bytes: Buffer, { isLossless }: Named, at: number): boolean =>
  isLossless ? losslessFrameAt(bytes, at) !== null : begins(bytes, at);

/**
 * The file with every place led to where its data stands now, where bytes were lost or added before it. Data with a mark at its
 * beginning is looked for; what has none has moved as far as the data before it.
 */
export function withPlaces(candidate: Candidate): Candidate {
  const { data, steps } = candidate;
  const directories = directoriesOf(data);
  if (!directories) return candidate;
  const tiff = new TiffBytes(Buffer.from(data), directories.tiff.little);
  const named = namedPlaces(tiff, directories.found);
  // What stands where another place leads is that one's.
  const taken = new Set(named.filter((one) => one.isJpeg && isThere(data, one, one.at)).map(({ at }) => at));
  const slipped = data.length - endOf(named);
  let shift = 0;
  let moved = 0;
  let searches = 0;
  for (const one of named) {
    const stands = one.isJpeg && isThere(data, one, one.at);
    if (stands) shift = hasEndMoved(data, one, slipped) ? slipped : 0;
    else if (one.isJpeg && searches++ < mostSearches) shift = shiftOf(data, one, shift, taken) ?? shift;
    const place = one.at + shift;
    if (stands || shift === 0 || taken.has(place) || (one.isJpeg && !isThere(data, one, place))) continue;
    taken.add(place);
    overwriteValue(tiff, one.field, one.index, place);
    moved++;
  }
  return moved === 0
    ? candidate
    : { ...candidate, data: tiff.bytes, steps: [...steps, { kind: 'places', count: moved }] };
}

/** Whether a picture that begins where it must ends elsewhere, as much as the file is shorter or longer: then bytes were lost or added in it. */
function hasEndMoved(data: Buffer, { at, count }: Named, slipped: number): boolean {
  const isEnd = (place: number) => data[place - 2] === 0xff && data[place - 1] === 0xd9;
  const end = at + count;
  return slipped !== 0 && !isEnd(end) && isEnd(end + slipped);
}

/** How far what a place must hold stands from it: as far as what came before it, or where the nearest mark is. */
function shiftOf(data: Buffer, one: Named, last: number, taken: ReadonlySet<number>): number | null {
  const isFree = (shift: number) => !taken.has(one.at + shift) && isThere(data, one, one.at + shift);
  if (isFree(last)) return last;
  const from = Math.max(0, one.at - mostMoved);
  const part = data.subarray(from, one.at + mostMoved);
  let best: number | null = null;
  const mark = Buffer.from([0xff, 0xd8, 0xff]);
  let marks = 0;
  for (let at = part.indexOf(mark); at >= 0 && marks < mostMarks; at = part.indexOf(mark, at + 1)) {
    marks++;
    const shift = from + at - one.at;
    if ((best === null || Math.abs(shift) < Math.abs(best)) && isFree(shift)) best = shift;
  }
  return best;
}

/** The file filled up with zeroes as far as its directories name places, where it was cut off. What is filled up is none of the sensor's. */
export function filledUp(candidate: Candidate, job: EngineJob): Candidate {
  const { data, steps } = candidate;
  const directories = directoriesOf(data);
  if (!directories) return candidate;
  const end = namedEnd(directories.tiff, directories.found);
  if (end <= data.length || end > data.length * mostTimes) return candidate;
  const missing = end - data.length;
  return {
    ...candidate,
    data: Buffer.concat([data, Buffer.alloc(missing)]),
    steps: [...steps, { kind: 'fillData', bytes: missing }],
    standing: Math.min(candidate.standing ?? 1, thereOf(directories, data, job)),
  };
}

/** The share of the sensor data that is there: what stands where it is judged, and otherwise its bytes. */
function thereOf(directories: Directories, data: Buffer, job: EngineJob): number {
  const sensor = tiffSensor(data, job);
  if (sensor && sensor.how !== 'unread') return sensor.intact;
  const pieces = sensorImage(directories)?.pieces ?? [];
  const all = pieces.reduce((sum, { count }) => sum + count, 0);
  const there = pieces.reduce((sum, { at, count }) => sum + Math.max(0, Math.min(count, data.length - at)), 0);
  return all > 0 ? there / all : 1;
}

/** How many times as long a file may have been before it was cut off. */
const mostTimes = 20;
