import { type Frame, stepsOf } from '../../codecs/jpeg/frame';
import { layoutFor } from '../../codecs/jpeg/layout';
import { McuReader } from '../../codecs/jpeg/reader';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { composePlanes, layMcu } from './compose';
import { writtenAnew } from './encode';
import { firstScan, readData } from './firstscan';
import type { JpegParts } from './markers';
import { progressive } from './marks';
import { type Plane, planesFor } from './planes';
import { BandScans } from './progressive';
import { wholePlanes } from './separate';
import { splitStretches } from './stretches';

/** Pixels up to which all passes of a picture are read only to see whether they are whole. */
const mostRead = 40_000_000;

/**
 * A picture of several scans (ISO/IEC 10918-1, A.2 and G) as the same one in one sequential scan, where each of its scans can be read to its end
 * and holds as many blocks as belong there: decoders say nothing when they do not. False otherwise, null where too much would have to be read.
 */
export function inOneScan(job: EngineJob, parts: JpegParts): Buffer | false | null {
  const { frame, quantisation } = parts;
  if (!frame || frame.width * frame.height > Math.min(mostRead, job.limits.pixels)) return null;
  if (!frame.components.every((component) => quantisation.has(component.quantisation))) return false;
  const planes = planesOf(job, parts, frame);
  if (!planes) return planes;
  return writtenAnew(parts, quantisation, frame, composePlanes(layoutFor(frame), planes, job.deadline));
}

/** The coefficients of a picture of several scans, all of which are whole. */
function planesOf(job: EngineJob, parts: JpegParts, frame: Frame): readonly Plane[] | false | null {
  const { bytes } = job;
  const scan = firstScan(bytes, parts);
  if (frame.marker === progressive && !scan.dcOnly) return null;
  const count = parts.scanHeader?.[2] ?? 0;
  if (!scan.dcOnly || count !== frame.components.length || scan.scans.some(({ interval }) => interval > 0))
    return wholePlanes(job, parts);
  const layout = layoutFor(frame);
  const stretches = splitStretches(bytes, scan.start, scan.end, 0);
  const first = readData(job, bytes, parts, frame, stretches, scan);
  if (first.errors > 0 || first.count !== layout.total) return false;
  const planes = planesFor(layout, frame.width, frame.height);
  const reader = new McuReader(stretches[0]?.data ?? Buffer.alloc(0), first.plan);
  for (let place = 0; place < layout.total && reader.mcu(); place++)
    layMcu(layout, planes, place, reader.coefficients, first.plan);
  const bands = new BandScans(bytes, frame, planes, stepsOf(frame, parts.quantisation), job.deadline);
  return scan.scans.every((pass, index) => index === 0 || bands.read(pass).sound) && planes;
}
