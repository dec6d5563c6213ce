import type { EngineJob } from '../../report';
import type { Assembled } from './assemble';
import { guessShape, undoPredictor } from './raster';
import { scanStrips } from './scan';

/** Puts a picture together whose directory is gone: strips one after another, their shape from how rows fit. */
export function rasterFromData(job: EngineJob, bytes: Buffer): Assembled | null {
  const strips = scanStrips(job, bytes, 0);
  const longest = Math.max(0, ...strips.map(({ data }) => data.length));
  // Rows of plain samples may hold a few bytes that look packed.
  if (strips.length > 0 && strips.reduce((sum, { data }) => sum + data.length, 0) > bytes.length / 3) {
    const usual = strips.find(({ sound }) => sound)?.data.length ?? 0;
    const size = usual > longest / 2 ? usual : longest;
    const last = strips.length - 1;
    const packed = strips.reduce((sum, { at, end }) => sum + end - at, 0) / strips.length;
    const parts: Buffer[] = [];
    let before = strips.length > 1 ? 8 : (strips[0]?.at ?? 0);
    let missing = 0;
    for (const [index, { at, end, data }] of strips.entries()) {
      // Room for whole strips between two of them is where lost ones were, and a damaged strip keeps its place.
      const room = data.length < size && index < last ? 0 : Math.round((at - before) / packed);
      for (let lost = 0; lost < Math.min(room, 64); lost++, missing++) parts.push(Buffer.alloc(size, 128));
      parts.push(
        index < last && data.length < size ? Buffer.concat([data, Buffer.alloc(size - data.length, 128)]) : data,
      );
      before = Math.max(end, index < last && data.length < size ? (strips[index + 1]?.at ?? end) : end);
    }
    const damaged = strips.filter(({ sound }) => !sound).length + missing;
    return shaped(job, Buffer.concat(parts), strips.length > 1 ? size : 0, true, strips.length + missing, damaged);
  }
  return shaped(job, bytes.subarray(8), 0, false, 1, 0);
}

function shaped(
  job: EngineJob,
  data: Buffer,
  strip: number,
  predicted: boolean,
  strips: number,
  damaged: number,
): Assembled | null {
  const shape = guessShape(data, strip, predicted, job.deadline);
  if (!shape) return null;
  const { width, samples, predictor, depth, big } = shape;
  const row = (width * samples * depth) / 8;
  const height = Math.floor(data.length / row);
  if (width > 40 * height || height > 60 * width) return null;
  if (height < 2) return null;
  const rows = Buffer.from(data.subarray(0, row * height));
  if (big) rows.swap16();
  if (predictor) undoPredictor(rows, row, samples, 8, true);
  return {
    raster: { width, height, samples, depth, photometric: samples >= 3 ? 2 : 1, data: rows },
    strips,
    damaged,
    lost: 0,
  };
}
