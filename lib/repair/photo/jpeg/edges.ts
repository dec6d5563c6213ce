import type { Decoded, Layout } from './entropy';

/** Places, in zigzag order, of the coefficients that vary down the block only, from the first frequency on. */
const vertical = [2, 3, 9, 10, 20, 21, 35] as const;

/** Mean brightness of the upper and lower edge of every block column of an MCU, in sample values; `columns` per MCU. */
export type Edges = { columns: number; top: Float32Array; bottom: Float32Array };

/** Blocks of one component in an MCU: how many across, and their numbers. */
export function componentBlocks(layout: Layout, component: number): number[] {
  return layout.blocks.flatMap((block, index) => (block.component === component ? [index] : []));
}

/** Computes edges of all decoded MCUs for one component from the coefficients alone, without going back to samples. */
export function edgesOf(
  decoded: Decoded,
  layout: Layout,
  component: number,
  across: number,
  table: Uint16Array,
): Edges {
  const blocks = componentBlocks(layout, component);
  const columns = Math.max(1, across);
  const rows = Math.max(1, Math.floor(blocks.length / columns));
  const edges: Edges = {
    columns,
    top: new Float32Array(decoded.count * columns),
    bottom: new Float32Array(decoded.count * columns),
  };
  const perMcu = layout.blocks.length * 64;
  for (let mcu = 0; mcu < decoded.count; mcu++) {
    for (let column = 0; column < columns; column++) {
      const first = mcu * perMcu + (blocks[column] ?? 0) * 64;
      const last = mcu * perMcu + (blocks[(rows - 1) * columns + column] ?? 0) * 64;
      edges.top[mcu * columns + column] = edge(decoded.coefficients, first, table, 0);
      edges.bottom[mcu * columns + column] = edge(decoded.coefficients, last, table, 7);
    }
  }
  return edges;
}

function edge(coefficients: Int16Array, at: number, table: Uint16Array, row: number): number {
  let sum = ((coefficients[at] ?? 0) * (table[0] ?? 1)) / 8;
  for (let index = 0; index < vertical.length; index++) {
    const place = vertical[index] ?? 0;
    const value = coefficients[at + place] ?? 0;
    if (value !== 0)
      sum += value * (table[place] ?? 1) * 0.17677669 * Math.cos(((2 * row + 1) * (index + 1) * Math.PI) / 16);
  }
  return sum;
}

/** How badly MCU `lower` fits under MCU `upper`, by the change from their left neighbours, so that a drift of brightness does not count. */
export function misfit(edges: Edges, upper: number, lower: number): number {
  if (upper < 1 || lower < 1) return 0;
  const { columns, top, bottom } = edges;
  let sum = 0;
  for (let column = 0; column < columns; column++) {
    const up = (bottom[upper * columns + column] ?? 0) - (bottom[upper * columns + column - 1] ?? 0);
    const low = (top[lower * columns + column] ?? 0) - (top[lower * columns + column - 1] ?? 0);
    sum += Math.min(96, Math.abs(up - low));
  }
  return sum / columns;
}

/** The middle value; 0 of nothing. */
export function median(values: number[]): number {
  if (values.length === 0) return 0;
  values.sort((left, right) => left - right);
  return values[values.length >> 1] ?? 0;
}
