/** One component of a frame (ISO/IEC 10918-1, B.2.2) with its tables in the scan. */
export type Component = {
  id: number;
  horizontal: number;
  vertical: number;
  quantisation: number;
  dc: number;
  ac: number;
};

/** A frame header: its marker, which tells how the data is coded, and where it stands in the file, in bytes. */
export type Frame = {
  marker: number;
  precision: number;
  width: number;
  height: number;
  components: Component[];
  offset: number;
};

/** The quantisation tables of a frame's components; steps of one where one is lost. */
export const stepsOf = ({ components }: Frame, quantisation: ReadonlyMap<number, Uint16Array>): Uint16Array[] =>
  components.map(({ quantisation: number }) => quantisation.get(number) ?? new Uint16Array(64).fill(1));
