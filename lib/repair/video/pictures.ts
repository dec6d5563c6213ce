import { H263Reader } from '../codecs/h263/pictures';
import { SliceReader } from '../codecs/mpeg2/slices';
import { codes, readLayer } from '../codecs/mpeg4/header';
import { PlaneReader } from '../codecs/mpeg4/planes';
import { PictureUnits } from '../codecs/pictures';
import type { UnitReader } from '../codecs/units';
import type { Buffer } from '../host/bytes';
import type { Effort } from '../report';
import { type Frame, type Mending, mendUnits, nothingMended, type PlacedUnit } from './mend';
import type { Reading } from './session';
import type { Source } from './source';
import { unitsBehindCodes } from './startcodes';

/** Units at the beginning of a stream among which its layer is looked for. */
const looked = 400;
/** The same of MPEG-2, whose pictures are of many. */
const lookedSlices = 1500;
/** Largest picture that is read, in bytes. */
const largest = 8 << 20;

/** Pictures that are units as they stand. */
export function* wholeUnits(source: Source, frames: Iterable<Frame>): Generator<PlacedUnit> {
  for (const { from, to } of frames)
    if (to - from <= largest) yield { bytes: source.copy(from, to - from), place: (at) => from + at };
}

/** Units in pictures that stand behind start codes. */
export function* codedUnits(source: Source, frames: Iterable<Frame>): Generator<PlacedUnit> {
  for (const { from, to } of frames)
    if (to - from <= largest) yield* unitsBehindCodes(source.copy(from, to - from), (at) => from + at);
}

const isLayer = ({ bytes }: PlacedUnit) => (bytes[0] ?? 0) >= codes.firstLayer && (bytes[0] ?? 0) <= codes.lastLayer;

/** The layers of MPEG-4 Part 2 among units, each once. */
function layersAmong(units: Iterable<PlacedUnit>): Buffer[] {
  const layers = new Map<string, Buffer>();
  let seen = 0;
  for (const unit of units) {
    if (isLayer(unit)) layers.set(unit.bytes.toString('latin1'), unit.bytes);
    if (++seen > looked) break;
  }
  return [...layers.values()];
}

/**
 * Reader of the planes of MPEG-4 Part 2 by the layer that describes them, in `setup` or among the units themselves; null where there is none,
 * or where there are several.
 */
export function planeReaderFor(setup: Buffer | null, units: Iterable<PlacedUnit>, effort: Effort): UnitReader | null {
  const told = setup ? layersAmong(unitsBehindCodes(setup, (at) => at)) : [];
  const layers = told.length > 0 ? told : layersAmong(units);
  const layer = layers.length === 1 && layers[0] ? readLayer(layers[0].subarray(1)) : null;
  return layer && new PictureUnits(new PlaneReader(layer), effort);
}

/** Units with what stands before slices taken in; slices before the first headers, as recordings begin with, are left out. */
function* slicesAmong(slices: SliceReader, units: Iterable<PlacedUnit>): Generator<PlacedUnit> {
  for (const unit of units) {
    if (slices.take(unit.bytes)) yield unit;
  }
}

/** Sets wrong bits right in slices of MPEG-2, whose units are gone through twice; does nothing where no such pictures are at their beginning. */
export async function mendMpeg2(reading: Reading, units: () => Iterable<PlacedUnit>): Promise<Mending> {
  const surveyed = new SliceReader();
  let [seen, understood] = [0, 0];
  for (const { bytes } of units()) {
    if (surveyed.survey(bytes)) understood++;
    if (++seen > lookedSlices) break;
  }
  if (understood === 0) return nothingMended();
  const slices = new SliceReader(surveyed.isParted);
  const reader = new PictureUnits(slices, reading.job.deadline.effort);
  return mendUnits(reading, reader, slicesAmong(slices, units()));
}

/** Reader of the pictures of H.263, or of those of Flash video. */
export const h263ReaderFor = (kind: 'h263' | 'flash', effort: Effort): UnitReader =>
  new PictureUnits(new H263Reader(kind === 'flash'), effort);
