/**
 * Bytes of boxes in version 0, their own heads (8) included, up to the end of the last field that is read of them (ISO/IEC 14496-12; sound
 * sample descriptions of the QuickTime File Format). `stsd` counts from its head on to the named field of its first entry.
 */
export const boxBytes = {
  /** 8.2.2, movie header, without its last fields. */
  mvhd: 100,
  /** 8.3.2, track header. */
  tkhd: 92,
  /** 8.4.2, media header, in versions 0 and 1. */
  mdhd: 32,
  mdhdWide: 44,
  /** 8.7.3, sizes, before the first of them. */
  stsz: 20,
  /** 8.6.6, edit list with one edit. */
  elst: 28,
  /** 8.7.2, data references, up to the flags of the first. */
  dref: 28,
  /** 8.8.3, from the name of the box on. */
  trexBehindSize: 28,
  /** 8.5.2, sample descriptions: up to the codec of the first. */
  stsdCodec: 24,
  /** 12.2.3: up to the rate of a sound. */
  stsdRate: 52,
  /** 12.1.3: up to width and height of a picture. */
  stsdSides: 56,
  /** Sound of version 1 up to the bytes of a frame, and of version 2 up to those of a packet. */
  stsdFrame: 64,
  stsdPacket: 84,
} as const;
