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
    // A damaged strip keeps its place: what is lost of it is filled up.
    const parts = strips.map(({ data }, index) =>
      index < last && data.length < size ? Buffer.concat([data, Buffer.alloc(size - data.length, 128)]) : data,
    );
    const damaged = strips.filter(({ sound }) => !sound).length;
    return shaped(job, Buffer.concat(parts), strips.length > 1 ? size : 0, true, strips.length, damaged);
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
  const { width, samples, predictor } = shape;
  const row = width * samples;
  const height = Math.floor(data.length / row);
  if (width > 40 * height || height > 60 * width) return null;
  if (height < 2) return null;
  const rows = Buffer.from(data.subarray(0, row * height));
  if (predictor) undoPredictor(rows, row, samples, 8, true);
  return {
    raster: { width, height, samples, depth: 8, photometric: samples >= 3 ? 2 : 1, data: rows },
    strips,
    damaged,
    lost: 0,
  };
}
