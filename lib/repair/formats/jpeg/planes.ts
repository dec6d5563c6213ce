import type { Layout } from '../../codecs/jpeg/layout';

/** All coefficients of one component, 64 per block in zigzag order, in rows of blocks that cover whole MCUs. */
export type Plane = {
  across: number;
  down: number;
  /** Blocks that hold samples of the picture, which a scan of this component alone has (ISO/IEC 10918-1, A.2.2). */
  ownAcross: number;
  ownDown: number;
  coefficients: Int16Array;
};

/** Blocks across and down of one component, in whole MCUs and of the picture alone. */
export function planeSize(
  layout: Layout,
  component: number,
  width: number,
  height: number,
): Omit<Plane, 'coefficients'> {
  const [h, v] = [layout.horizontal[component] ?? 1, layout.vertical[component] ?? 1];
  return {
    across: layout.across * h,
    down: layout.down * v,
    ownAcross: Math.ceil(Math.ceil((width * h) / layout.widest) / 8),
    ownDown: Math.ceil(Math.ceil((height * v) / layout.tallest) / 8),
  };
}

/** Room for every component of a picture of the given size in samples. */
export function planesFor(layout: Layout, width: number, height: number): Plane[] {
  return layout.horizontal.map((_, component) => {
    const size = planeSize(layout, component, width, height);
    return { ...size, coefficients: new Int16Array(size.across * size.down * 64) };
  });
}

/** Where in a component's plane a block of an MCU lies, as the number of its first coefficient. */
export function blockPlace(layout: Layout, plane: Plane, mcu: number, block: Layout['blocks'][number]): number {
  const column = (mcu % layout.across) * (layout.horizontal[block.component] ?? 1) + block.column;
  const row = Math.floor(mcu / layout.across) * (layout.vertical[block.component] ?? 1) + block.row;
  return (row * plane.across + column) * 64;
}

/** Copies one MCU's coefficients out of the planes, in the order of the data. */
export function gatherMcu(layout: Layout, planes: readonly Plane[], mcu: number, out: Int16Array): void {
  for (let number = 0; number < layout.blocks.length; number++) {
    const block = layout.blocks[number];
    const plane = block && planes[block.component];
    if (!block || !plane) continue;
    const at = blockPlace(layout, plane, mcu, block);
    out.set(plane.coefficients.subarray(at, at + 64), number * 64);
  }
}

/** Number of the first coefficient of a component's block `number`, counted as a scan of that component alone does. */
export function ownBlock(plane: Plane, number: number): number {
  return (Math.floor(number / plane.ownAcross) * plane.across + (number % plane.ownAcross)) * 64;
}

/** Copies blocks [from, to) of a component, as a scan of it alone counts them, from one list of its coefficients to another, row by row. */
export function copyBlocks(
  plane: Omit<Plane, 'coefficients'>,
  source: Int16Array,
  target: Int16Array,
  from: number,
  to: number,
): void {
  for (let block = from; block < to; ) {
    const column = block % plane.ownAcross;
    const count = Math.min(plane.ownAcross - column, to - block);
    const at = ((block - column) / plane.ownAcross) * plane.across * 64 + column * 64;
    target.set(source.subarray(at, at + count * 64), at);
    block += count;
  }
}
