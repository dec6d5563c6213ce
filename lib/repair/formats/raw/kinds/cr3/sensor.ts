import { type CrxTile, crxTilesAt } from '../../../../codecs/crx/headers';
import { readTile, shareOf } from '../../../../codecs/crx/mend';
import type { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Damage } from '../../../../report/facts/photo';
import type { Sensor } from '../../layout';
import { wipedShare } from '../wiped';
import { sensorTrack, tracksOf } from './tracks';

/**
 * Judges the sensor data of a CR3. Values without loss are read to the last one; of wavelets the sizes are added up alone. A pixel stands
 * where all its colours do: four planes are kept one after another, so that data that is cut off lacks whole colours.
 */
export function sensorOf(bytes: Buffer, job: EngineJob): Sensor | null {
  const track = sensorTrack(tracksOf(bytes));
  if (!track) return null;
  const { shape, start, length } = track;
  const { width, height } = shape;
  if (width * height > job.limits.pixels) return { width, height, how: 'unread', intact: 1, damages: [] };
  const laid = start < bytes.length ? crxTilesAt(bytes, start, shape) : null;
  const damage: Damage = { kind: 'data', how: 'sensor', offset: start };
  if (!laid || laid.end > start + length) return { width, height, how: 'sized', intact: 0, damages: [damage] };
  let [sum, area, isSound] = [0, 0, true];
  for (const tile of laid.tiles) {
    const read = laid.isRead ? readTile(bytes, tile, shape.bits, () => job.deadline.check()) : null;
    const share = read ? shareOf(read, tile.height) : sizedShare(bytes, tile);
    isSound &&= read ? read.isSound : share === 1;
    sum += share * tile.width * tile.height;
    area += tile.width * tile.height;
  }
  const how = laid.isRead ? 'read' : 'sized';
  return { width, height, how, intact: isSound ? 1 : sum / area, damages: isSound ? [] : [damage] };
}

/** The share of a tile whose data is there and was not wiped, by its colour that lacks most. */
function sizedShare(bytes: Buffer, { planes }: CrxTile): number {
  let least = 1;
  for (const { bands } of planes) {
    const [start, end] = [bands[0]?.start ?? 0, bands.at(-1)?.end ?? 0];
    if (end <= start) continue;
    const data = bytes.subarray(start, end);
    least = Math.min(least, (data.length / (end - start)) * (1 - wipedShare(data)));
  }
  return least;
}
