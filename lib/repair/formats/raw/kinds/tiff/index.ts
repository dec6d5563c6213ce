import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Damage } from '../../../../report/facts/photo';
import type { Candidate, RawLayout } from '../../layout';
import { behindSignature } from '../heads';
import { directoriesOf } from './directories';
import { withRowsFilled } from './fill';
import { fronts } from './fronts';
import { sensorImage } from './image';
import { withLines } from './lines';
import { withSensorMended } from './mend';
import { placeFields } from './named';
import { filledUp, withPlaces } from './places';
import { tiffSensor } from './sensor';
import { asCandidate, settled } from './settle';
import { withoutSlip } from './slip';
import { type Shape, withTree } from './tree';

/** A raw photo built like TIFF (CR2, NEF, NRW, ARW, DNG, GPR): the chain of directories, and all picture data that they lead to. */
export const tiffLike = (shape: Shape): RawLayout => ({
  knows: true,
  faultsOf: (bytes) => faultsOf(bytes, shape),
  sensorOf: tiffSensor,
  *candidates(bytes, job) {
    for (const order of ['49492a00', '4d4d002a']) yield* behindSignature(bytes, Buffer.from(order, 'hex'), 0);
    const right = settled(bytes, shape);
    if (right) yield* led([asCandidate(right)], shape, job);
    yield* led(fronts(bytes, shape.isCr2 ? [true] : [true, false], job), shape, job);
  },
});

/** Files whose directories lead to sensor data, where it stands now, and mended. */
function* led(files: Iterable<Candidate>, shape: Shape, job: EngineJob): Generator<Candidate> {
  for (const front of files) {
    const tree = withTree(front.data, shape, job);
    if (!tree) continue;
    const joined = { ...tree, steps: [...front.steps, ...tree.steps], isBare: front.isBare || tree.isBare };
    const placed = withPlaces(joined);
    // With the move undone all data behind it stands where it is told to again.
    const still = withoutSlip(joined) ?? withoutSlip(placed) ?? placed;
    yield filledUp(withRowsFilled(still) ?? still, job);
    const lined = withLines(placed, job);
    if (lined) yield filledUp(lined, job);
    const mended = withSensorMended(placed, job);
    if (mended) yield filledUp(mended, job);
    // Where directories lead to sensor data as they are, nothing was lost or added before them.
    if (tree.steps.length === 0) return;
  }
}

function faultsOf(bytes: Buffer, shape: Shape): Damage[] {
  const directories = directoriesOf(bytes);
  if (!directories) return [{ kind: 'head', how: 'damaged', offset: 0 }];
  const { tiff, found, broken } = directories;
  const faults: Damage[] = broken.map((offset) => ({ kind: 'directory', how: 'damaged', offset }));
  let pictures = 0;
  let isCut = false;
  for (const { fields } of found) {
    for (const [starts, counts] of placeFields) {
      const at = tiff.values(fields.get(starts));
      const lengths = tiff.values(fields.get(counts));
      if (at.length > 0) pictures++;
      if (at.some((place, index) => place + (lengths[index] ?? 0) > bytes.length)) isCut = true;
    }
  }
  if (isCut) faults.push({ kind: 'cut', offset: bytes.length });
  // Every CR2 describes its sensor data; of the others, cameras are known that leave it to the maker's notes.
  if (faults.length === 0) {
    const right = settled(bytes, shape);
    if (right) faults.push({ kind: 'fields', fields: right.fields });
  }
  const isEmpty = pictures === 0 || (shape.isCr2 && !sensorImage(directories));
  if (isEmpty && faults.length === 0) faults.push({ kind: 'directory', how: 'empty' });
  return faults;
}
