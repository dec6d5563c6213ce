import { losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import { TiffBytes } from '../../../tiff/directory';
import type { Candidate } from '../../layout';
import { directoriesOf } from './directories';
import { type Named, namedEnd, namedPlaces } from './named';
import { tiffSensor } from './sensor';
import { overwriteValue } from './write';

/** How far data may have moved, in bytes. */
const mostMoved = 1 << 20;

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
  const slipped = data.length - named.reduce((most, { at, count }) => Math.max(most, at + count), 0);
  let shift = 0;
  let moved = 0;
  for (const one of named) {
    if (one.isJpeg && !isThere(data, one, one.at)) shift = shiftOf(data, one, shift, taken) ?? shift;
    else if (one.isJpeg) shift = hasEndMoved(data, one, slipped) ? slipped : 0;
    if (
      shift === 0 ||
      (one.isJpeg && isThere(data, one, one.at)) ||
      taken.has(one.at + shift) ||
      (one.isJpeg && !isThere(data, one, one.at + shift))
    )
      continue;
    taken.add(one.at + shift);
    overwriteValue(tiff, one.field, one.index, one.at + shift);
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
  for (let at = part.indexOf(mark); at >= 0; at = part.indexOf(mark, at + 1)) {
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
    data: Buffer.concat([data, Buffer.alloc(missing)]),
    steps: [...steps, { kind: 'fillData', bytes: missing }],
    standing: Math.min(candidate.standing ?? 1, tiffSensor(data, job)?.intact ?? 1),
  };
}

/** How many times as long a file may have been before it was cut off. */
const mostTimes = 20;
