import { ScanEncoder } from '../../codecs/jpeg/encoder';
import type { Layout } from '../../codecs/jpeg/layout';
import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import type { Canvas } from './canvas';
import { Concealer } from './conceal';
import { blockPlace, gatherMcu, type Plane } from './planes';
import type { Stretch } from './stretches';

/** Writes the whole picture as one scan: every MCU read again from where it was found, what is lost concealed. */
export function composeScan(
  canvas: Canvas,
  stretches: readonly Stretch[],
  plan: ScanPlan,
  deadline: Deadline,
  concealer: { fill: (place: number, coefficients: Int16Array) => void } = new Concealer(canvas),
): Buffer {
  const { layout } = canvas;
  const encoder = new ScanEncoder(layout);
  const reader = new McuReader(Buffer.alloc(0), plan);
  const lost = new Int16Array(layout.blocks.length * 64);
  for (let place = 0; place < layout.total; place++) {
    if ((place & 0xfff) === 0) deadline.check();
    if (canvas.filled[place]) {
      reader.data = stretches[canvas.stretch[place] ?? 0]?.data ?? reader.data;
      reader.seek(canvas.bit[place] ?? 0, canvas.before, place * layout.components);
      if (reader.mcu()) {
        encoder.add(reader.coefficients);
        continue;
      }
    }
    concealer.fill(place, lost);
    encoder.add(lost);
  }
  return encoder.finish();
}

/** Writes a picture whose coefficients lie in planes as one scan. */
export function composePlanes(layout: Layout, planes: readonly Plane[], deadline: Deadline): Buffer {
  const encoder = new ScanEncoder(layout);
  const mcu = new Int16Array(layout.blocks.length * 64);
  for (let place = 0; place < layout.total; place++) {
    if ((place & 0xfff) === 0) deadline.check();
    gatherMcu(layout, planes, place, mcu);
    encoder.add(mcu);
  }
  return encoder.finish();
}

/**
 * The blocks of a scan into the planes of its components: DC values alone of a progressive picture's first scan, as many bits short as they are
 * sent (ISO/IEC 10918-1, G.1.2.1), all coefficients of a sequential one.
 */
export function scanToPlanes(
  canvas: Canvas,
  stretches: readonly Stretch[],
  plan: ScanPlan,
  planes: readonly Plane[],
): void {
  const { layout } = canvas;
  const concealer = new Concealer(canvas);
  const reader = new McuReader(Buffer.alloc(0), plan);
  const lost = new Int16Array(layout.blocks.length * 64);
  for (let place = 0; place < layout.total; place++) {
    let coefficients: Int16Array = lost;
    if (canvas.filled[place]) {
      reader.data = stretches[canvas.stretch[place] ?? 0]?.data ?? reader.data;
      reader.seek(canvas.bit[place] ?? 0, canvas.before, place * layout.components);
      if (reader.mcu()) coefficients = reader.coefficients;
    } else concealer.fill(place, lost);
    layMcu(layout, planes, place, coefficients, plan);
  }
}

/** Puts one MCU into the planes of its components: DC values alone, so many bits short, or all coefficients. */
export function layMcu(
  layout: Layout,
  planes: readonly Plane[],
  place: number,
  coefficients: Int16Array,
  { dcOnly, low }: Pick<ScanPlan, 'dcOnly' | 'low'>,
): void {
  for (let number = 0; number < layout.blocks.length; number++) {
    const block = layout.blocks[number];
    const plane = block && planes[block.component];
    if (!block || !plane) continue;
    const at = blockPlace(layout, plane, place, block);
    if (dcOnly) plane.coefficients[at] = (coefficients[number * 64] ?? 0) << low;
    else plane.coefficients.set(coefficients.subarray(number * 64, number * 64 + 64), at);
  }
}
