/** What is known of the rows that a stream should give: where they begin, and how likely bytes are to be such rows. */
export type RowModel = {
  /** Where each row begins in the inflated data, in bytes, and behind the last one the size of the whole. */
  readonly starts: Int32Array;
  /** Bytes from the beginning of a row on that `sound` looks at. */
  readonly ahead: number;
  /** Whether what stands at the beginning of a row may be one. */
  sound(bytes: Uint8Array, known: Uint8Array, row: number): boolean;
  /** Takes a row as right, so that the rows below are judged by it. */
  settle(bytes: Uint8Array, known: Uint8Array, row: number): void;
  /**
   * How much the worst of the rows `from` to `to` (not included) differs from its neighbours, per byte; rows above `from` are settled.
   * Stops above `most`.
   */
  roughness(bytes: Uint8Array, from: number, to: number, most: number): number;
  /** The roughness of a row when it was settled. */
  settledRoughness(row: number): number;
  /** The roughness that rows had lately. */
  readonly typical: number;
  /**
   * By how many bytes too far behind the rows from `row` on stand; null when nothing fits well. `wanted` is the likeliest shift, `reach`
   * how far from it may be looked.
   */
  align(stretch: Stretch, row: number, wanted: number, reach: number): Alignment | null;
};

/** Inflated bytes of which the first stands `offset` bytes behind the beginning of all data, up to `length` bytes from there. */
export type Stretch = { bytes: Uint8Array; known: Uint8Array; offset: number; length: number };

/** A shift in bytes, and the first row that stands right with it. */
export type Alignment = { shift: number; row: number };
