/** Where samples of a picture lie that is packed in upright slices, one behind the other, each from its top down. */
export type Places = {
  /** The sample so many rows above another one, in the order of the data; -1 above the first row. */
  above(at: number, rows: number): number;
  /** The sample so many columns to the left; -1 left of the first column. */
  left(at: number, columns: number): number;
};

/** Places of the samples of slices of these widths. */
export function placesOf(widths: readonly number[], height: number): Places {
  const begins = widths.map((_, index) => widths.slice(0, index).reduce((sum, one) => sum + one * height, 0));
  const sliceOf = (at: number) => {
    let index = 0;
    while (index + 1 < begins.length && at >= (begins[index + 1] ?? 0)) index++;
    return index;
  };
  return {
    above(at, rows) {
      const index = sliceOf(at);
      const place = at - rows * (widths[index] ?? 0);
      return place >= (begins[index] ?? 0) ? place : -1;
    },
    left(at, columns) {
      const index = sliceOf(at);
      const width = widths[index] ?? 1;
      const inSlice = at - (begins[index] ?? 0);
      const column = inSlice % width;
      if (column >= columns) return at - columns;
      const before = widths[index - 1];
      if (before === undefined) return -1;
      const row = Math.floor(inSlice / width);
      return (begins[index - 1] ?? 0) + row * before + before + column - columns;
    },
  };
}
