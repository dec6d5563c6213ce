import { ScanEncoder } from '../../codecs/jpeg/encoder';
import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import type { HuffmanSpec } from '../../codecs/jpeg/tables';
import { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import type { Canvas } from './canvas';
import { Concealer } from './conceal';
import type { Stretch } from './stretches';

/**
 * Writes the whole picture as one scan with the tables it came with: MCUs that follow each other in the data are copied bit by bit, as their
 * DC values only tell what changes from one to the next (ISO/IEC 10918-1, F.1.2.1), and only the first of each run and what is concealed is
 * encoded. Null where the tables lack a code for that.
 */
export function spliceScan(
  canvas: Canvas,
  stretches: readonly Stretch[],
  plan: ScanPlan,
  tables: ReadonlyMap<number, HuffmanSpec>,
  deadline: Deadline,
): Buffer | null {
  const { layout, filled, bit, after, version } = canvas;
  const { components, total } = layout;
  const encoder = new ScanEncoder(layout, tables);
  const concealer = new Concealer(canvas);
  const reader = new McuReader(Buffer.alloc(0), plan);
  const lost = new Int16Array(layout.blocks.length * 64);
  for (let place = 0; place < total; place++) {
    if ((place & 0xff) === 0) deadline.check();
    if (!filled[place]) {
      concealer.fill(place, lost);
      if (!encoder.add(lost, true)) return null;
      continue;
    }
    reader.data = stretches[canvas.stretch[place] ?? 0]?.data ?? reader.data;
    reader.seek(bit[place] ?? 0, canvas.before, place * components);
    if (!reader.mcu() || !encoder.add(reader.coefficients)) return null;
    const first = place + 1;
    while (place + 1 < total && version[place] !== 0 && follows(canvas, place + 1)) place++;
    if (place >= first) encoder.copy(reader.data, bit[first] ?? 0, after[place] ?? 0, canvas.sums, place * components);
  }
  return encoder.finish();
}

/** Whether the data of an MCU begins where that of the one before it ends, and counts on from its DC values. */
function follows({ layout, filled, stretch, bit, after, version, before, sums }: Canvas, place: number): boolean {
  if (!filled[place] || !version[place] || stretch[place] !== stretch[place - 1]) return false;
  if (bit[place] !== after[place - 1]) return false;
  const { components } = layout;
  for (let at = place * components; at < (place + 1) * components; at++)
    if (before[at] !== sums[at - components]) return false;
  return true;
}
