import type { Buffer } from '../host/bytes';
/** Pictures per second as a fraction, when a stream tells them. */
export type Rate = { units: number; scale: number };

/** What the head of a NAL unit tells about the frame it belongs to. */
export type NalHead = {
  /** A coded slice; other units come before the slices of a frame (`before`) or after them. */
  slice: boolean;
  before: boolean;
  /** First slice of a picture. */
  first: boolean;
  key: boolean;
  /** Order numbers begin again here. */
  reset: boolean;
  /** Later pictures count their order from this one. */
  reference: boolean;
  /** The low bits of the picture order count, or -1 when it is not told. */
  order: number;
  /** What all slices of one picture have in common. */
  mark: number;
};

/** Reads heads of NAL units with the parameter sets it was given, and learns those that lie in the stream. */
export type NalReader = {
  /** Bytes of a unit's head that `head` wants to see. */
  readonly needs: number;
  /** Judges the head of a unit of `length` bytes; null when no encoder writes such a unit. */
  head(bytes: Buffer, length: number): NalHead | null;
  /** Takes in a parameter set. */
  learn(unit: Buffer): void;
  /** How many values the low bits of the order count have; 0 when decoding order is display order. */
  orderRange(): number;
  rate(): Rate | null;
};
