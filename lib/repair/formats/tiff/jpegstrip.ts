import { nothingToldYet } from '../../families/photo';
import { Buffer } from '../../host/bytes';
import { loadDecoder } from '../../host/pictures';
import type { EngineJob } from '../../report';
import { frameSegment, scanSegment } from '../jpeg/encode';
import { findSurvivors } from '../jpeg/examine';
import { isDataSound } from '../jpeg/health';
import { written } from '../jpeg/rebuild';
import { space } from './directory';
import { jpegFrame } from './jpegframe';
import type { Layout } from './layout';
import type { Segment } from './segments';

/** A strip as it stands in the file, and what it should hold: bytes when it is unpacked, and rows. */
export type JpegStrip = { source: Buffer; layout: Layout; wanted: number; rows: number };

/**
 * Unpacks a strip that is a JPEG of its own, with the tables all strips share (TIFF Technical Note 2). One without a fault but of another
 * size than it should have is not sound either: what tells the size may be wrong.
 */
export async function readJpegStrip(job: EngineJob, strip: JpegStrip): Promise<Segment> {
  const { source, layout, wanted, rows } = strip;
  const whole = completed(source, layout, rows);
  const sound = await pixelsOf(job, whole, layout, rows, 'warning');
  // The decoder says nothing of data that ends too early.
  if (sound)
    return {
      data: sound.subarray(0, wanted),
      sound: sound.length >= wanted && isDataSound(asJpeg(job, whole)) !== false,
    };
  const data = await pixelsOf(job, whole, layout, rows, 'none');
  return { data: (data ?? Buffer.alloc(0)).subarray(0, wanted), sound: false };
}

/** Whether what a strip holds can be read to its end and is as much as its frame says, which decoders do not tell; kinds that are not judged pass. */
export const isJpegStripSound = (job: EngineJob, source: Buffer, layout: Layout, rows: number): boolean =>
  isDataSound(asJpeg(job, completed(source, layout, rows))) !== false;

/** Lets a damaged strip go through the JPEG engine. */
export async function rebuildJpegStrip(job: EngineJob, strip: JpegStrip): Promise<Segment> {
  const { source, layout, wanted, rows } = strip;
  const whole = completed(source, layout, rows);
  const survivors = await findSurvivors(asJpeg(job, whole), nothingToldYet(), whole);
  const mended =
    typeof survivors === 'string' ? null : await pixelsOf(job, written(survivors, job.deadline), layout, rows, 'none');
  const data = mended ?? (await pixelsOf(job, whole, layout, rows, 'none'));
  return { data: (data ?? Buffer.alloc(0)).subarray(0, wanted), sound: false };
}

const asJpeg = (job: EngineJob, bytes: Buffer): EngineJob => ({ ...job, format: 'jpg', bytes });

/** A strip with its tables, and a frame header where it lost its own. */
const completed = (source: Buffer, layout: Layout, rows: number) =>
  withTables(jpegFrame(source, 0) ? source : withHead(source, layout, rows), layout);

/** Says that colours are stored as they are, where a decoder would take them for luminance and differences (Adobe's APP14, transform 0). */
const plainColours = Buffer.from('ffee000e41646f62650064000000000000', 'hex').subarray(0, 16);

/** A strip whose frame header is lost, with one made from what the directory says, as the usual library writes it (ISO/IEC 10918-1, B.2). */
function withHead(source: Buffer, { width, samples, tile, subsampling, photometric }: Layout, rows: number): Buffer {
  const [across, down] = photometric === space.yCbCr ? [subsampling[0] ?? 2, subsampling[1] ?? 2] : [1, 1];
  const components = Array.from({ length: samples }, (_, index) => ({
    id: index + 1,
    horizontal: index === 0 ? across : 1,
    vertical: index === 0 ? down : 1,
    quantisation: photometric === space.yCbCr && index > 0 ? 1 : 0,
    dc: photometric === space.yCbCr && index > 0 ? 1 : 0,
    ac: photometric === space.yCbCr && index > 0 ? 1 : 0,
  }));
  const frame = {
    marker: 0xc0,
    precision: 8,
    width: tile?.width ?? width,
    height: tile?.height ?? rows,
    components,
    offset: 0,
  };
  const head = Buffer.concat([Buffer.from([0xff, 0xd8]), frameSegment(frame), scanSegment(components)]);
  const scan = source.indexOf(Buffer.from([0xff, 0xda, 0, 6 + samples * 2, samples]));
  // Without the scan's beginning brightness and places of all that follows are lost.
  return scan >= 0 && scan < 4096 ? Buffer.concat([head, source.subarray(scan + 8 + samples * 2)]) : source;
}

/** The tables go between the start of the image and what follows it. */
function withTables(source: Buffer, { jpegTables, photometric }: Layout): Buffer {
  const tables = jpegTables && jpegTables.length > 6 ? jpegTables.subarray(2, jpegTables.length - 2) : Buffer.alloc(0);
  if (tables.length === 0 && photometric !== space.rgb) return source;
  return Buffer.concat([
    source.subarray(0, 2),
    photometric === space.rgb ? plainColours : Buffer.alloc(0),
    tables,
    source.subarray(2),
  ]);
}

const startOfImage = 0xffd8;

async function pixelsOf(
  job: EngineJob,
  jpeg: Buffer,
  layout: Layout,
  rows: number,
  failOn: 'warning' | 'none',
): Promise<Buffer | null> {
  // What does not begin as a JPEG (SOI, ISO/IEC 10918-1, B.1.1.3) would be opened in vain, or as a picture of another kind.
  if (jpeg.length < 2 || jpeg.readUInt16BE(0) !== startOfImage) return null;
  try {
    const sharp = await loadDecoder();
    const image = sharp(jpeg, { failOn, limitInputPixels: job.limits.pixels }).toColourspace(
      layout.samples === 1 ? 'b-w' : 'srgb',
    );
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const width = layout.tile?.width ?? layout.width;
    return info.width === width && info.channels === layout.samples && info.height <= rows + 16 ? data : null;
  } catch {
    return null;
  }
}
