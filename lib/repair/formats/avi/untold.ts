import { writeAvcSets } from '../../codecs/avc/fields';
import { searchAvcFields } from '../../codecs/avc/search';
import { isAvcSlice } from '../../codecs/avc/unit';
import { Buffer } from '../../host/bytes';
import { codedUnits } from '../../video/pictures';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { searchPlanes } from '../iso/demux/untold-mpeg4';
import type { Chunk } from './chunks';
import { tellRaw } from './rawpictures';
import type { Picture } from './tell';

/** Effort for reading slices with one choice of fields after another, in units, how many slices, and chunks that are looked at. */
const mostEffort = 5000;
const mostSlices = 200;
const mostChunks = 1000;

const startCode = Buffer.from([0, 0, 0, 1]);

const framesOf = (pictures: readonly Chunk[]) =>
  pictures.slice(0, mostChunks).map(({ offset, length }) => ({ from: offset + 8, to: offset + 8 + length }));

/** The first slice of each picture. */
function firstSlices(source: Source, pictures: readonly Chunk[]): Buffer[] {
  const slices: Buffer[] = [];
  for (const frame of framesOf(pictures)) {
    if (slices.length >= mostSlices) break;
    for (const { bytes } of codedUnits(source, [frame])) {
      if (!isAvcSlice(bytes)) continue;
      slices.push(Buffer.from(bytes));
      break;
    }
  }
  return slices;
}

/** H.264 whose parameter sets are lost, told by reading its slices until they fit. */
function searchAvc({ source, job }: Reading, pictures: readonly Chunk[]): Picture | null {
  const slices = firstSlices(source, pictures);
  const found = slices.length < 3 ? null : searchAvcFields(slices, job.deadline.effort.share(mostEffort));
  if (!found) return null;
  const { fields, width, height, held } = found;
  const { sps, pps } = writeAvcSets(fields, width, height, held);
  const prefix = Buffer.concat([startCode, sps, startCode, pps]);
  return { code: 'H264', width, height, bits: 24, rate: null, prefix };
}

/** MPEG-4 Part 2 whose video object layer is lost. */
function searchMpeg4(reading: Reading, pictures: readonly Chunk[]): Picture | null {
  const found = searchPlanes(reading, framesOf(pictures));
  if (!found) return null;
  const { width, height, layer, resolution, step } = found;
  const rate = resolution > 0 && step > 0 ? resolution / step : null;
  return { code: 'FMP4', width, height, bits: 24, rate, prefix: layer };
}

/** Pictures of which no head tells the codec or the size, told by reading their data until it fits; null where nothing does. */
export function searchPicture(reading: Reading, pictures: readonly Chunk[]): Picture | null {
  const first = pictures[0];
  if (!first) return null;
  const isCoded = pictures
    .slice(0, 8)
    .some(({ offset }) => /^(000001|00000001)/.test(reading.source.copy(offset + 8, 4).toString('hex')));
  if (isCoded) return searchMpeg4(reading, pictures) ?? searchAvc(reading, pictures);
  return tellRaw(reading.source, pictures);
}
