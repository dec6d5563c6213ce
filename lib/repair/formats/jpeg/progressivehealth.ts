import { layoutFor } from '../../codecs/jpeg/layout';
import type { EngineJob } from '../../report';
import { firstScan, readData } from './firstscan';
import type { JpegParts } from './markers';
import { planesFor } from './planes';
import { BandScans } from './progressive';
import { splitStretches } from './stretches';

/** Pixels up to which all passes of a picture are read only to see whether they are whole. */
const mostRead = 40_000_000;

/**
 * Whether each pass of a progressive picture (ISO/IEC 10918-1, G) can be read to its end and holds as many blocks as belong there: decoders
 * say nothing when they do not. Null where its first pass holds some of its components only, or too much would have to be read.
 */
export function arePassesSound(job: EngineJob, parts: JpegParts): boolean | null {
  const { frame } = parts;
  const { bytes } = job;
  if (!frame || frame.width * frame.height > Math.min(mostRead, job.limits.pixels)) return null;
  const scan = firstScan(bytes, parts);
  const count = parts.scanHeader?.[2] ?? 0;
  if (!scan.dcOnly || count !== frame.components.length || scan.scans.some(({ interval }) => interval > 0)) return null;
  const layout = layoutFor(frame);
  const stretches = splitStretches(bytes, scan.start, scan.end, 0);
  const first = readData(job, bytes, parts, frame, stretches, scan);
  if (first.errors > 0 || first.count !== layout.total) return false;
  const tables = frame.components.map(
    ({ quantisation }) => parts.quantisation.get(quantisation) ?? new Uint16Array(64),
  );
  const bands = new BandScans(bytes, frame, planesFor(layout, frame.width, frame.height), tables, job.deadline);
  return scan.scans.every((pass, index) => index === 0 || bands.read(pass).sound);
}
