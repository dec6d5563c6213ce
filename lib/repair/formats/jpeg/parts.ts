import type { Frame } from '../../codecs/jpeg/frame';
import type { Layout } from '../../codecs/jpeg/layout';
import type { ScanPlan } from '../../codecs/jpeg/reader';
import type { Buffer } from '../../host/bytes';
import type { Canvas } from './canvas';
import type { JpegParts } from './markers';
import type { Plane } from './planes';
import type { Stretch } from './stretches';

/** How the data of a picture survived. */
export type SurvivingData =
  /** Entropy-coded data as it is, and the segment that begins its scan; `isProven` where all of it was read. */
  | { kind: 'coded'; header: Buffer; data: Buffer; isProven: boolean }
  /** The places of MCUs that were found in the data, each where it belongs. */
  | { kind: 'found'; canvas: Canvas; stretches: readonly Stretch[]; plan: ScanPlan }
  /** Coefficients of the passes of a progressive picture, of which so many first ones hold some of its components each. */
  | { kind: 'planes'; layout: Layout; planes: readonly Plane[]; firstPasses: number | null };

/** What survives of a file: its segments, the frame and tables that hold now, and its data. */
export type Survivors = {
  parts: JpegParts;
  frame: Frame;
  quantisation: ReadonlyMap<number, Uint16Array>;
  data: SurvivingData;
};

/** Why nothing of a file survives: there is no picture data, or what it was unpacked to is noise. */
export type Gone = 'lost' | 'noise';
