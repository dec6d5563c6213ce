import type { Compressed } from './compressed';
import type { Grid } from './grid';
import type { Colours, Header, Segmentation } from './header';
import type { Symbols } from './symbols';

/** What the blocks of a frame are read with. */
export type Frame = {
  header: Header;
  compressed: Compressed;
  segmentation: Segmentation;
  colours: Colours;
  grid: Grid;
  symbols: Symbols;
  usesBefore: boolean;
};

/** Cells of 8 by 8 samples of a superblock. */
export const superblock = 8;
