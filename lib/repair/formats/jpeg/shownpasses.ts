import type { Frame } from '../../codecs/jpeg/frame';
import type { Layout } from '../../codecs/jpeg/layout';
import { LenientReader } from '../../codecs/jpeg/lenient';
import { decoderTable, noCodes } from '../../codecs/jpeg/tables';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { blockPlace, ownBlock, type Plane, planesFor } from './planes';
import type { Scan } from './scans';

/** Markers RST0 to RST7 (ISO/IEC 10918-1, table B.1). */
const restarts = { first: 0xd0, last: 0xd7 };

/** One component of a scan: its plane, its table, the number of its predictor, and where its blocks lie in MCU `unit`. */
type Part = { plane: Plane; table: Uint16Array; placesOf: (unit: number) => readonly number[]; units: number };

/**
 * The coefficients of a progressive picture (ISO/IEC 10918-1, G) as decoders show it: every pass read on over damage to the marker behind
 * it, each block where it comes. Damage to a finer pass mostly spoils little of such a picture.
 */
export function planesShown(
  bytes: Buffer,
  frame: Frame,
  layout: Layout,
  scans: readonly Scan[],
  effort: Effort,
): Plane[] {
  const planes = planesFor(layout, frame.width, frame.height);
  for (const scan of scans) readPass(bytes, frame, layout, planes, scan, effort);
  return planes;
}

function readPass(
  bytes: Buffer,
  frame: Frame,
  layout: Layout,
  planes: readonly Plane[],
  scan: Scan,
  effort: Effort,
): void {
  const parts = partsOf(frame, layout, planes, scan);
  const units = Math.max(0, ...parts.map((part) => part.units));
  const isFirstDc = scan.from === 0 && scan.high === 0;
  for (const [index, data] of intervals(bytes, scan).entries()) {
    const start = index * scan.interval;
    const end = scan.interval > 0 ? Math.min(units, start + scan.interval) : units;
    const reader = new LenientReader(data, scan);
    const sums = parts.map(() => 0);
    for (let unit = start; unit < end && !reader.isOver; unit++)
      for (const [number, { plane, table, placesOf }] of parts.entries())
        for (const at of placesOf(unit)) {
          effort.spend('jpegBlock');
          if (!isFirstDc) {
            reader.block(table, plane.coefficients, at);
            continue;
          }
          sums[number] = (sums[number] ?? 0) + reader.difference(table);
          plane.coefficients[at] = (sums[number] ?? 0) << scan.low;
        }
  }
}

/** The components of a scan that the frame has; one alone is read by its own blocks, several by MCUs (ISO/IEC 10918-1, A.2). */
function partsOf(frame: Frame, layout: Layout, planes: readonly Plane[], scan: Scan): Part[] {
  return scan.components.flatMap(({ id, dc, ac }) => {
    const component = frame.components.findIndex((one) => one.id === id);
    const plane = planes[component];
    if (!plane) return [];
    const spec = scan.huffman.get(scan.from === 0 ? dc : 0x10 | ac);
    const table = (spec ? decoderTable(spec) : noCodes).full;
    if (scan.components.length === 1)
      return [{ plane, table, units: plane.ownAcross * plane.ownDown, placesOf: (unit) => [ownBlock(plane, unit)] }];
    const blocks = layout.blocks.filter((block) => block.component === component);
    const placesOf = (unit: number) => blocks.map((block) => blockPlace(layout, plane, unit, block));
    return [{ plane, table, units: layout.total, placesOf }];
  });
}

/** The data of a scan without stuffing, up to the first marker, apart at restart markers where some are told of (ISO/IEC 10918-1, B.1.1.5, E.1.4). */
function intervals(bytes: Buffer, { start, end, interval }: Scan): Buffer[] {
  const found: Buffer[] = [];
  let pieces: Buffer[] = [];
  let from = start;
  for (let at = bytes.indexOf(0xff, start); at >= 0 && at + 1 < end; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    pieces.push(bytes.subarray(from, next === 0 ? at + 1 : at));
    from = at + 2;
    if (next === 0) continue;
    if (interval === 0 || next < restarts.first || next > restarts.last) return [...found, Buffer.concat(pieces)];
    found.push(Buffer.concat(pieces));
    pieces = [];
  }
  return [...found, Buffer.concat([...pieces, bytes.subarray(Math.min(from, end), end)])];
}
