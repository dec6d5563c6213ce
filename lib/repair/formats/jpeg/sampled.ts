import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import type { Chain } from './chain';
import { EdgeStore } from './edgestore';
import type { Stretch } from './stretches';

/** Calls `each` with every MCU of all stretches in the order of the data, up to `most`; coefficients are only valid during the call. */
export function forEachMcu(
  stretches: readonly Stretch[],
  chains: readonly Chain[],
  plan: ScanPlan,
  most: number,
  each: (reader: McuReader, number: number) => void,
): number {
  let number = 0;
  for (const [index, { data }] of stretches.entries()) {
    const chain = chains[index];
    if (!chain) continue;
    const reader = new McuReader(data, plan);
    for (let mcu = 0; mcu < chain.count && number < most; mcu++) {
      // A place that does not follow is behind an error, where counting of brightness begins anew.
      const bit = chain.bits[mcu] ?? 0;
      if (bit !== reader.position) reader.seek(bit, []);
      if (!reader.mcu()) break;
      each(reader, number++);
    }
  }
  return number;
}

/** Upper and lower edges of MCUs as means over eight samples, from which the width of a picture can be told. */
export type Outline = { columns: number; count: number; top: Float32Array; bottom: Float32Array };

/** Edges of the first `most` MCUs. */
export function outlineOf(
  stretches: readonly Stretch[],
  chains: readonly Chain[],
  plan: ScanPlan,
  tables: readonly Uint16Array[],
  most: number,
): Outline {
  const columns = plan.layout.horizontal[0] ?? 1;
  const outline: Outline = {
    columns,
    count: 0,
    top: new Float32Array(most * columns),
    bottom: new Float32Array(most * columns),
  };
  const store = new EdgeStore(plan.layout, tables, 1);
  outline.count = forEachMcu(stretches, chains, plan, most, (reader, number) => {
    store.set(0, reader.coefficients, reader.last);
    for (let column = 0; column < columns; column++) {
      let [top, bottom] = [0, 0];
      for (let at = column * 8; at < column * 8 + 8; at++) {
        top += store.top[at] ?? 0;
        bottom += store.bottom[at] ?? 0;
      }
      outline.top[number * columns + column] = top / 32;
      outline.bottom[number * columns + column] = bottom / 32;
    }
  });
  return outline;
}

/** How badly MCUs fit under those `across` before them, in sample values. */
export function rowMisfit(outline: Outline, across: number, samples: number): number {
  const { columns, count, top, bottom } = outline;
  const step = Math.max(1, Math.floor(count / samples));
  let sum = 0;
  let compared = 0;
  for (let mcu = 0; mcu + across < count; mcu += step) {
    for (let column = 0; column < columns; column++) {
      sum += Math.min(
        64,
        Math.abs((bottom[mcu * columns + column] ?? 0) - (top[(mcu + across) * columns + column] ?? 0)),
      );
      compared++;
    }
  }
  return compared === 0 ? Number.POSITIVE_INFINITY : sum / compared;
}
