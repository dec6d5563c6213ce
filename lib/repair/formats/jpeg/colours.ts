/** Red, green and blue from luminance and differences of colour (ITU-T T.871), all from the middle of their range. */
export const redOf = (y: number, cr: number): number => y + 1.402 * cr;
export const greenOf = (y: number, cb: number, cr: number): number => y - 0.344 * cb - 0.714 * cr;
export const blueOf = (y: number, cb: number): number => y + 1.772 * cb;
