/** Milliseconds of one frame of Opus by the configuration in its first byte (RFC 6716, 3.1). */
function frameOf(config: number): number {
  if (config < 12) return [10, 20, 40, 60][config & 3] ?? 20;
  return config < 16 ? ([10, 20][config & 1] ?? 20) : ([2.5, 5, 10, 20][config & 3] ?? 20);
}

/** Milliseconds of a packet of Opus by its first byte, where it holds one frame or two (3.2); one of more counts as two. */
export const opusMilliseconds = (head: number): number => frameOf(head >> 3) * ((head & 3) === 0 ? 1 : 2);

/** Channels by the first byte of a packet. */
export const opusChannels = (head: number): number => ((head & 4) !== 0 ? 2 : 1);

/** Bytes of the longest packet with one frame (3.4: 1,275) and its head. */
export const longestOpus = 1276;
