/**
 * Codecs of which no decoder shows a frame before the first key frame (RFC 6386, 9.1; VP9 and AV1 bitstream specifications, 7.2 and 7.5), by
 * their names in Matroska (RFC 9559, codec mappings) and ISO files.
 */
const keyed = /^(?:V_(?:VP8|VP9|AV1)|vp0[89]$|av01$)/;

/** Whether nothing of a codec is shown before the first key frame. */
export const isKeyed = (codec: string): boolean => keyed.test(codec);

/**
 * How many frames at the beginning of a track of such a codec are left out, since they build on a key frame that is gone: decoders that meet
 * them first do not learn what the pictures are, and give up on all of them. All where none is a key frame.
 */
export function framesBeforeKey<Frame>(frames: readonly Frame[], isKey: (frame: Frame) => boolean): number {
  const first = frames.findIndex(isKey);
  return first < 0 ? frames.length : first;
}
