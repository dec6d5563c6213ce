import { edgesOf } from './edges';
import type { Decoded, Layout } from './entropy';
import type { Component } from './markers';
import { standardQuantisation, zigzag } from './tables';

/** Quantisation tables for a picture that lost some or all of its own; `how` says in words where they come from. */
export type QuantisationGuess = { tables: Map<number, Uint16Array>; how: string };

/** Completes the tables: from a surviving one of a known scale, or by how far the picture's brightness would reach with each. */
export function guessQuantisation(
  known: ReadonlyMap<number, Uint16Array>,
  components: readonly Component[],
  decoded: Decoded,
  layout: Layout,
): QuantisationGuess {
  const tables = new Map(known);
  const missing = [...new Set(components.map((component) => component.quantisation))].filter(
    (number) => !tables.has(number),
  );
  const quality = qualityOf(known, components) ?? qualityByReach(decoded, layout);
  for (const number of missing) {
    const luma = components[0]?.quantisation === number;
    tables.set(number, standardQuantisation(quality, !luma));
  }
  const how =
    known.size > 0
      ? 'from the table that survived'
      : `by the brightness of the picture (near quality ${quality} of 100)`;
  return { tables, how };
}

/** The quality whose standard table is nearest to a surviving table. */
function qualityOf(known: ReadonlyMap<number, Uint16Array>, components: readonly Component[]): number | null {
  for (const [number, table] of known) {
    const luma = components[0]?.quantisation === number;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let quality = 1; quality <= 100; quality++) {
      const candidate = standardQuantisation(quality, !luma);
      const distance = candidate.reduce((sum, value, index) => sum + Math.abs(value - (table[index] ?? 0)), 0);
      if (distance < least) {
        least = distance;
        best = quality;
      }
    }
    return best;
  }
  return null;
}

/** Qualities that programs offer or set by themselves, coarse to fine; a guess among them is right more often than one between them. */
const commonQualities = [10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92, 95, 98];

/** Pictures use the range from black to white but hardly reach beyond it: the coarsest table whose samples stay inside is the guess. */
function qualityByReach(decoded: Decoded, layout: Layout): number {
  const perMcu = layout.blocks.length * 64;
  const step = Math.max(1, Math.floor(decoded.count / 8000));
  const samples: Int16Array[] = [];
  for (let mcu = 0; mcu < decoded.count; mcu += step)
    samples.push(decoded.coefficients.subarray(mcu * perMcu, mcu * perMcu + 64));
  for (const quality of commonQualities) {
    if (overshoot(samples, standardQuantisation(quality, false)) < 0.0004) return quality;
  }
  return 100;
}

const cosines = Float32Array.from({ length: 64 }, (_, index) => {
  const [frequency, place] = [index >> 3, index & 7];
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16);
});

/** The share of samples that would lie clearly outside 0 to 255. */
function overshoot(blocks: readonly Int16Array[], table: Uint16Array): number {
  let outside = 0;
  const block = new Float32Array(64);
  const rows = new Float32Array(64);
  for (const coefficients of blocks) {
    for (const [index, place] of zigzag.entries()) block[place] = (coefficients[index] ?? 0) * (table[index] ?? 1);
    for (let v = 0; v < 8; v++) {
      for (let x = 0; x < 8; x++) {
        let sum = 0;
        for (let u = 0; u < 8; u++) sum += (block[v * 8 + u] ?? 0) * (cosines[u * 8 + x] ?? 0);
        rows[v * 8 + x] = sum;
      }
    }
    for (let x = 0; x < 8; x++) {
      for (let y = 0; y < 8; y++) {
        let sum = 128;
        for (let v = 0; v < 8; v++) sum += (rows[v * 8 + x] ?? 0) * (cosines[v * 8 + y] ?? 0);
        if (sum < -16 || sum > 271) outside++;
      }
    }
  }
  return outside / Math.max(1, blocks.length * 64);
}

/** The number of MCUs in a row for which each row fits best under the one before; null when the picture is too small to tell. */
export function guessAcross(decoded: Decoded, layout: Layout, columns: number, table: Uint16Array): number | null {
  if (decoded.count < 64) return null;
  const edges = edgesOf(decoded, layout, 0, columns, table);
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  const most = Math.min(Math.floor(decoded.count / 3), 2600);
  const step = Math.max(1, Math.floor(decoded.count / 4000));
  for (let across = 4; across <= most; across++) {
    let sum = 0;
    let compared = 0;
    for (let mcu = 1; mcu + across < decoded.count; mcu += step) {
      for (let column = 0; column < columns; column++) {
        const gap = (edges.bottom[mcu * columns + column] ?? 0) - (edges.top[(mcu + across) * columns + column] ?? 0);
        sum += Math.min(64, Math.abs(gap));
        compared++;
      }
    }
    const cost = sum / Math.max(1, compared);
    if (cost < least * 0.98) {
      least = cost;
      best = across;
    }
  }
  return best;
}
