import type { Frame } from './frame';

/** Geometry of a sequential picture: blocks of each component in one MCU (ISO/IEC 10918-1, A.2), and MCUs across and down. */
export type Layout = {
  across: number;
  down: number;
  /** All MCUs of the picture. */
  total: number;
  /** Blocks in the order of the data: their component, and the numbers of its tables. */
  blocks: { component: number; dc: number; ac: number; column: number; row: number }[];
  components: number;
  /** Blocks across and down in one MCU, by component. */
  horizontal: number[];
  vertical: number[];
  /** Sampling factors of the frame, by which components with fewer samples are stretched. */
  widest: number;
  tallest: number;
};

/** The geometry a frame header asks for; a single component is never interleaved (A.2.2). */
export function layoutFor(frame: Frame): Layout {
  const single = frame.components.length === 1;
  const widest = single ? 1 : Math.max(...frame.components.map((component) => component.horizontal));
  const tallest = single ? 1 : Math.max(...frame.components.map((component) => component.vertical));
  const horizontal = frame.components.map((component) => (single ? 1 : component.horizontal));
  const vertical = frame.components.map((component) => (single ? 1 : component.vertical));
  const blocks = frame.components.flatMap((component, index) =>
    Array.from({ length: (horizontal[index] ?? 1) * (vertical[index] ?? 1) }, (_, number) => ({
      component: index,
      dc: component.dc,
      ac: component.ac,
      column: number % (horizontal[index] ?? 1),
      row: Math.floor(number / (horizontal[index] ?? 1)),
    })),
  );
  const across = Math.ceil(frame.width / (8 * widest));
  const down = Math.ceil(frame.height / (8 * tallest));
  const components = frame.components.length;
  return { across, down, total: across * down, blocks, components, horizontal, vertical, widest, tallest };
}
