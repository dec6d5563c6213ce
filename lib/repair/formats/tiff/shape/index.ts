import { Buffer } from '../../../host/bytes';
import type { EngineJob } from '../../../report';
import { type Assembled, assemble } from '../assemble';
import { space, tag } from '../directory';
import { jpegLayout } from '../jpegframe';
import { type KeptField, type Layout, readLayout } from '../layout';
import { arrange } from './arrange';
import { packBitsSource, type Source, scannedSource, sourceFromPlaces } from './pieces';
import { likelyShape, mostAspect, rawRegion } from './raw';
import { findPlaces, findRemains, type Remains } from './remains';
import type { SampleShape } from './samples';

/** A picture whose rows resemble each other less than this (see `costOf`) is not one. */
const mostCost = 0.62;

type Hints = {
  width?: number | undefined;
  height?: number | undefined;
  samples?: number | undefined;
  depth?: number | undefined;
  compression?: number | undefined;
  photometric?: number | undefined;
  predictor?: number | undefined;
  little?: boolean | undefined;
  segments: Layout['segments'];
  kept: KeptField[];
};

/**
 * Puts a picture together whose directory is gone: the data by what is left of the directory, by lists of places, by how strips begin or
 * by how rows repeat, its shape by how samples fit together. Null when nothing fits well enough to be a picture.
 */
export async function rasterFromData(job: EngineJob, bytes: Buffer): Promise<Assembled | null> {
  const jpeg = await fromJpeg(job, bytes);
  if (jpeg) return jpeg;
  for (const remains of findRemains(bytes)) {
    const hints = hintsOf(remains);
    const found = attempt(job, bytes, hints) ?? attempt(job, bytes, { ...hints, width: undefined, samples: undefined });
    if (found) return found;
  }
  return attempt(job, bytes, { segments: [], kept: [] });
}

function hintsOf({ tiff, directory }: Remains): Hints {
  const layout = readLayout(tiff, directory);
  const { fields } = directory;
  const told = (number: number, value: number) => (fields.has(number) && value > 0 ? value : undefined);
  const inside = layout.segments.every(({ at, count }) => at >= 8 && count > 0 && at + count <= tiff.bytes.length);
  return {
    width: fields.has(tag.tileOffsets) ? undefined : told(tag.width, layout.width),
    height: told(tag.height, layout.height),
    samples: layout.planes ? undefined : told(tag.samples, layout.samples),
    depth: told(tag.depth, layout.depth),
    compression: told(tag.compression, layout.compression),
    photometric: told(tag.photometric, layout.photometric + 1) === undefined ? undefined : layout.photometric,
    predictor: told(tag.predictor, layout.predictor),
    little: tiff.little,
    segments: inside ? layout.segments : [],
    kept: layout.kept,
  };
}

function attempt(job: EngineJob, bytes: Buffer, hints: Hints): Assembled | null {
  const listed = hints.segments.length > 0 ? null : findPlaces(bytes);
  const segments = listed?.segments ?? hints.segments;
  if (listed && listed.palette.length > 0)
    hints.kept = [...hints.kept, { tag: tag.palette, type: 3, values: listed.palette }];
  const source =
    sourceFromPlaces(job, bytes, segments, hints.compression) ?? scannedSource(job, bytes) ?? packBitsSource(bytes, 8);
  if (source) {
    const found = fromSource(job, source, hints);
    if (found) return found;
  }
  const region = rawRegion(job, bytes, hints);
  if (!region) return null;
  const data = bytes.subarray(region.start, region.end);
  return shaped({ data: [data], size: data.length, row: 0, packed: false, damaged: 0 }, region.shape, hints);
}

function fromSource(job: EngineJob, source: Source, hints: Hints): Assembled | null {
  const all = source.data.length === 1 ? source.data[0] : Buffer.concat(source.data);
  if (!all || all.length < 64) return null;
  const { row } = source;
  const shape = likelyShape(job, all, row > 0 ? row : source.size, source.packed, hints);
  return shape ? shaped(source, shape, hints) : null;
}

function shaped(source: Source, shape: SampleShape, hints: Hints): Assembled | null {
  if (shape.cost > mostCost) return null;
  const size = source.size > 0 ? source.size : (source.data[0]?.length ?? 0);
  const raster = arrange({ data: source.data, size }, shape, hints);
  const { width, height } = raster;
  // A table of colours that survived tells the kind of colours where its field is lost.
  const palette = raster.samples === 1 && raster.depth === 8 && hints.kept.some((field) => field.tag === tag.palette);
  if (palette && hints.photometric === undefined) raster.photometric = space.palette;
  if (height < 2 || width > mostAspect.wide * height || height > mostAspect.high * width) return null;
  return {
    raster: { ...raster, kept: hints.kept.filter((field) => field.tag !== tag.sampleFormat) },
    strips: source.data.length,
    damaged: source.damaged,
    lost: 0,
    over: 0,
    mended: 0,
    unproven: 0,
    wiped: 0,
    whole: 1,
    read: 1,
  };
}

async function fromJpeg(job: EngineJob, bytes: Buffer): Promise<Assembled | null> {
  const layout = jpegLayout(bytes);
  return layout ? assemble(job, bytes, layout, true, { thorough: true }) : null;
}
