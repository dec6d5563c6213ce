import type { Buffer } from '../../host/bytes';
import type { Raster } from './raster';

/** What survives of a file. */
export type TiffParts =
  /** The file itself, without what stood before it, or with another head in front of it. */
  | { kind: 'file'; data: Buffer; isHeadNew: boolean }
  /**
   * The rows of its pages, of how many strips they were put together, null where their shape was found from the data, and whether the file is a
   * BigTIFF.
   */
  | { kind: 'rasters'; rasters: readonly Raster[]; strips: number | null; isBig: boolean };

/**
 * What comes of looking for a picture: parts, `noise` where strips were read and hold next to nothing, `lost` where there is none, `asItIs`
 * where decoders read what is damaged in a file of which nothing can be made anew.
 */
export type Outcome = TiffParts | 'noise' | 'lost' | 'asItIs';
