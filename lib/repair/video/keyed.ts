/**
 * Codecs of which no decoder shows a frame before the first key frame (RFC 6386, 9.1; VP9 and AV1 bitstream specifications, 7.2 and 7.5), by
 * their names in Matroska (RFC 9559, codec mappings) and ISO files.
 */
const keyed = /^(?:V_(?:VP8|VP9|AV1)|vp0[89]$|av01$)/;

/**
 * How many frames at the beginning of a track are left out, since they build on a key frame that is gone: decoders of these codecs that meet
 * them first do not learn what the pictures are, and give up on all of them. All where none is a key frame; none of other codecs.
 */
export function framesBeforeKey<Frame>(
  codec: string,
  frames: readonly Frame[],
  isKey: (frame: Frame) => boolean,
): number {
  if (!keyed.test(codec)) return 0;
  const first = frames.findIndex(isKey);
  return first < 0 ? frames.length : first;
}
