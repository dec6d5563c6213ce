import { undoings } from '../../core/transfer/undo';
import {
  bestAsItIs,
  gone,
  nothingToldYet,
  type PhotoExamined,
  type PhotoReading,
  type PhotoTold,
  sound,
  survived,
} from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Picture } from '../../readers/pictures';
import type { EngineJob } from '../../report';
import type { Damage, Size, Step } from '../../report/facts/photo';
import { layoutOf } from './kinds';
import type { Candidate, RawLayout, Sensor } from './layout';
import { findPreviews } from './previews';
import { salvagedPreview } from './salvage';

/** What survives of a raw photo: the photo with its structure set right, or the camera's own picture inside. */
export type RawParts =
  | { kind: 'structure'; data: Buffer; steps: readonly Step[] }
  | ({ kind: 'preview'; data: Buffer } & Size);

/** Largest pictures of a rebuilt file of which one must decode where nothing tells of its sensor data. */
const mostChecked = 2;
/** Share of its sensor data from which on a raw photo is worth more than the whole picture that the camera made of it. */
const worthMore = 0.5;
/** Least share of the sensor's pixels that such a picture has: half of its width and height. */
const leastPreview = 0.25;
/** Share of the sensor data under which it is next to nothing, and by which a repair must be better to be taken. */
const nextToNothing = 0.02;
const clearly = 1e-5;
/** Share of the sensor data by which a change may fall short and still be as much: a few rows around the damage. */
const asMuch = 0.005;

/** What a raw photo comes to, as it is or behind a change. */
type State = { faults: Damage[]; sensor: Sensor | null; intact: number };

/** A change, and what the photo comes to behind it. */
type Mended = Candidate & State;

/** Surveys a raw photo: its structure and its sensor data first, and when that is beyond repair, the largest of the camera's own pictures inside, set right where it is damaged. */
export async function examineRaw({ job, shown }: PhotoReading): Promise<PhotoExamined<RawParts | null>> {
  const layout = layoutOf(job.format);
  const told = nothingToldYet();
  const now = stateOf(layout, job.bytes, job);
  told.damages.push(...now.faults, ...(now.sensor?.damages ?? []));
  if (told.damages.length === 0) {
    if (now.sensor?.how !== 'read') told.remarks.push({ kind: now.sensor?.how === 'sized' ? 'sensorSizes' : 'sensor' });
    return sound(told);
  }
  const preview = await shown();
  job.progress(0.4);
  const mended = await bestOf(layout, job, now);
  if (mended && (!mended.sensor || mended.intact >= worthMore)) return asRaw(told, mended);
  const camera = await whatCameraMade(job, preview);
  if (mended && !isBetter(camera, mended)) return asRaw(told, mended);
  if (!mended && now.intact >= worthMore && now.faults.length === 0) return bestAsItIs(told);
  if (!camera) return gone(told, 'noPreview');
  return asPreview(told, job.format, camera);
}

function stateOf(layout: RawLayout, bytes: Buffer, job: EngineJob, standing = 1): State {
  const faults = layout.faultsOf(bytes);
  const sensor = layout.sensorOf(bytes, job);
  // Of what nothing here reads, only what is there is known.
  const intact = sensor?.how === 'unread' ? standing : Math.min(sensor?.intact ?? 0, standing);
  return { faults, sensor, intact };
}

/**
 * The change behind which most of the sensor data stands and nothing is wrong with the structure; null where none brings back more than
 * there is. Where nothing tells of the sensor data, a picture inside has to decode.
 */
async function bestOf(layout: RawLayout, job: EngineJob, now: State): Promise<Mended | null> {
  let best: Mended | null = null;
  let known = now.faults.length === 0 ? areaOf(now) : 0;
  for (const candidate of tried(layout, job)) {
    job.deadline.check();
    const state = stateOf(layout, candidate.data, job, candidate.standing);
    if (state.faults.length > 0 || (layout.knows && !state.sensor)) continue;
    const mended: Mended = { ...candidate, ...state };
    if (!mended.isMade) known = Math.max(known, areaOf(state));
    best = best && ofWhole(best, known);
    const measured = ofWhole(mended, known);
    const isJudged = state.sensor !== null && state.sensor.how !== 'unread';
    const isTaken = isJudged
      ? measured.intact >= leastOf(best, now, measured)
      : !best && (!state.sensor || state.intact >= nextToNothing) && (await hasPicture(candidate.data, job));
    if (!isTaken) continue;
    best = measured;
    if ((state.intact === 1 && !mended.isMade) || !state.sensor) return best;
  }
  return best;
}

const areaOf = ({ sensor }: State): number => (sensor ? sensor.width * sensor.height : 0);

/** What stands of a picture of which pieces were lost, measured by the whole that a directory of the camera tells of, which is worth more than one that was made. */
function ofWhole(mended: Mended, known: number): Mended {
  const area = areaOf(mended);
  if (!mended.isMade || area >= known || !mended.sensor) return mended;
  const intact = Math.max(0, (mended.intact * area) / known - asMuch);
  return { ...mended, intact, sensor: { ...mended.sensor, height: Math.ceil((mended.sensor.height * known) / area) } };
}

/**
 * The share of sensor data from which on a change is better than what there is. Where nothing is damaged any more, readers go on behind what
 * made them stop, so that as much is better.
 */
function leastOf(best: Mended | null, now: State, state: State): number {
  if (!best && now.faults.length > 0) return nextToNothing;
  const before = best ?? now;
  const isClean = (before.sensor?.damages.length ?? 0) > 0 && state.sensor?.damages.length === 0;
  return isClean ? Math.max(nextToNothing, before.intact - asMuch) : before.intact + clearly;
}

const hasPicture = async (data: Buffer, job: EngineJob): Promise<boolean> =>
  (await findPreviews({ ...job, bytes: data }, mostChecked)).length > 0;

/** Changes to try: a transfer undone, then what the layout knows of. */
function* tried(layout: RawLayout, job: EngineJob): Generator<Candidate> {
  for (const { bytes: data, count } of undoings(job.bytes)) yield { data, steps: [{ kind: 'textmode', bytes: count }] };
  yield* layout.candidates(job.bytes, job);
}

/** A picture that the camera made of what its sensor saw. */
type Camera = Size & { data: Buffer; isPart: boolean };

/** The largest picture inside that can be brought back. */
async function whatCameraMade(job: EngineJob, preview: Picture | null): Promise<Camera | null> {
  const place = preview?.place;
  const salvaged = await salvagedPreview(job, place ? preview.width * preview.height : 0);
  if (salvaged) return salvaged;
  return place ? { ...preview, data: job.bytes.subarray(place.start, place.end), isPart: false } : null;
}

/** Whether the camera's picture is worth more than the little that is left of the sensor data. */
function isBetter(camera: Camera | null, { sensor }: State): boolean {
  if (!camera || camera.isPart || !sensor) return false;
  return camera.width * camera.height >= sensor.width * sensor.height * leastPreview;
}

function asRaw(told: PhotoTold, { data, steps, sensor, intact, isBare }: Mended): PhotoExamined<RawParts> {
  if (sensor && intact < 1) {
    const rows = Math.max(1, Math.round((1 - intact) * sensor.height));
    told.lost.push({ unit: 'sensor data', count: rows, how: 'rows', of: sensor.height });
  }
  if (isBare) told.lost.push({ unit: 'descriptions', count: 1, how: 'camera' });
  if (!sensor || sensor.how === 'unread') told.remarks.push({ kind: 'sensor' });
  else if (sensor.how === 'sized') told.remarks.push({ kind: 'sensorSizes' });
  return survived(told, { kind: 'structure', data, steps });
}

function asPreview(told: PhotoTold, format: string, camera: Camera): PhotoExamined<RawParts> {
  const { width, height, data, isPart } = camera;
  told.remarks.push({ kind: 'preview', of: format });
  told.lost.push({ unit: 'sensor data', count: 1, how: 'raw', of: format });
  if (isPart) told.lost.push({ unit: 'pictures', count: 1, how: 'inside' });
  return { ...survived(told, { kind: 'preview', data, width, height }), handsOut: 'jpg' };
}
