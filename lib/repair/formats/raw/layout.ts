import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Damage, Size, Step } from '../../report/facts/photo';

/** A raw photo with its structure set right, and what was done for that. */
export type Candidate = {
  data: Buffer;
  steps: readonly Step[];
  /** The share of its sensor data, from 0 to 1, that is the camera's, where the rest was filled up. */
  standing?: number;
  /** What the camera noted beside its pictures, such as its settings, is lost in part. */
  isBare?: boolean;
  /** The description of the sensor data is none of the camera's: it was told from the data that is left. */
  isMade?: boolean;
};

/** How the sensor data was judged: its values to the last one, the sizes of its parts alone, or not at all. */
export type Judged = 'read' | 'sized' | 'unread';

/** What the sensor data of a raw photo tells of itself, by the way it is packed. */
export type Sensor = Size & {
  how: Judged;
  /** The share of its pixels that stand and can be read by the maker's software, from 0 to 1. */
  intact: number;
  /** What is wrong inside it; empty when nothing is. */
  damages: Damage[];
};

/** How one kind of raw photo is laid out. Its methods write nothing into the bytes they are given. */
export type RawLayout = {
  /** Whether a sound file always leads to sensor data here, so that one which leads to none is not sound. */
  knows?: boolean;
  /** What is wrong with the structure; empty when it is sound. */
  faultsOf(bytes: Buffer): Damage[];
  /** The sensor data that the structure leads to; null where it leads to none. */
  sensorOf(bytes: Buffer, job: EngineJob): Sensor | null;
  /** Ways to set the structure right, the likely ones first. None is known to be right before it was checked. */
  candidates(bytes: Buffer, job: EngineJob): Iterable<Candidate>;
};
