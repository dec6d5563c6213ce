import { type LosslessFrame, losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { TableStore } from '../../../../codecs/ljpeg/tables';
import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import { scheme, tag } from '../../../tiff/directory';
import { rawTag, sensorSpace } from './directories';
import { type Grid, gridOf } from './grid';
import { sliceWidths } from './slices';
import type { Shape } from './tree';
import { type NewField, type } from './write';

/** A directory for sensor data that was found where none survived. */
export type NewSensor = { fields: NewField[] };

/** Lossless pictures that are followed. */
const mostStreams = 20_000;
/** Marks that may begin one and are looked at: sensor data holds one by chance in each 16 MB. */
const mostMarks = 50_000;

/** A lossless picture and where it ends. */
export type Stream = { frame: LosslessFrame; end: number };

/** Lossless pictures of a file in their order, each up to where the next one, or its own end, stands. */
export function losslessStreams(bytes: Buffer, { deadline }: EngineJob): Stream[] {
  const found: LosslessFrame[] = [];
  const store = new TableStore();
  const mark = Buffer.from([0xff, 0xd8, 0xff]);
  let marks = 0;
  for (let at = bytes.indexOf(mark); at >= 0 && found.length < mostStreams; at = bytes.indexOf(mark, at + 2)) {
    if (++marks > mostMarks) break;
    deadline.check();
    const frame = losslessFrameAt(bytes, at, store);
    if (frame) found.push(frame);
  }
  return found.map((frame, index) => ({
    frame,
    end: endOf(bytes, frame.dataAt, found[index + 1]?.at ?? bytes.length),
  }));
}

/** The byte behind the last end mark before `most`, or behind the data where none stands. */
function endOf(bytes: Buffer, from: number, most: number): number {
  const last = bytes.subarray(from, most).lastIndexOf(Buffer.from([0xff, 0xd9]));
  return last >= 0 ? from + last + 2 : most;
}

/** A directory for the lossless pictures that a file holds; null where it holds none. */
export function foundSensor(bytes: Buffer, shape: Shape, job: EngineJob): NewSensor | null {
  const streams = losslessStreams(bytes, job);
  const area = ({ frame }: Stream) => frame.width * frame.height * frame.components.length;
  const largest = streams.reduce<Stream | null>((best, one) => (best && area(best) >= area(one) ? best : one), null);
  if (!largest) return null;
  const { frame } = largest;
  if (shape.isCr2) {
    const slices = sliceWidths(bytes, largest, job);
    return {
      fields: [
        { tag: tag.compression, type: type.short, values: [scheme.oldJpeg] },
        { tag: tag.stripOffsets, type: type.long, values: [frame.at] },
        { tag: tag.stripCounts, type: type.long, values: [largest.end - frame.at] },
        { tag: rawTag.slices, type: type.short, values: slices },
      ],
    };
  }
  const tiles = streams.filter((one) => area(one) === area(largest) && one.frame.height === frame.height);
  return { fields: tileFields(gridOf(bytes, tiles, job), tiles, frame) };
}

function tileFields({ across, down, width, height }: Grid, tiles: readonly Stream[], frame: LosslessFrame): NewField[] {
  const isTiled = tiles.length > 1;
  const used = tiles.slice(0, across * down);
  return [
    { tag: rawTag.subfile, type: type.long, values: [0] },
    { tag: tag.width, type: type.long, values: [width * across] },
    { tag: tag.height, type: type.long, values: [height * down] },
    { tag: tag.depth, type: type.short, values: [frame.precision > 8 ? 16 : 8] },
    { tag: tag.compression, type: type.short, values: [scheme.jpeg] },
    { tag: tag.photometric, type: type.short, values: [sensorSpace.filters] },
    { tag: tag.samples, type: type.short, values: [1] },
    { tag: tag.planar, type: type.short, values: [1] },
    { tag: isTiled ? rawTag.tileWidth : tag.rowsPerStrip, type: type.long, values: [isTiled ? width : height] },
    ...(isTiled ? [{ tag: rawTag.tileHeight, type: type.long, values: [height] } as const] : []),
    { tag: isTiled ? tag.tileOffsets : tag.stripOffsets, type: type.long, values: used.map(({ frame: { at } }) => at) },
    {
      tag: isTiled ? tag.tileCounts : tag.stripCounts,
      type: type.long,
      values: used.map(({ frame: { at }, end }) => end - at),
    },
    // Which filter stands where is lost; red first is what most cameras have (TIFF/EP: repeat pattern and its colours).
    { tag: 33_421, type: type.short, values: [2, 2] },
    { tag: 33_422, type: type.byte, values: [0, 1, 1, 2] },
  ];
}
