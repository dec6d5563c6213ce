import { readAc3, readMpegAudio, type SoundFrame } from '../../codecs/sound';
import type { Buffer } from '../../host/bytes';
import type { Sound } from './tell';

/** Values of wFormatTag (RFC 2361). */
export const tags = { pcm: 1, adpcm: 2, ima: 0x11, layer2: 0x50, layer3: 0x55, ac3: 0x2000 } as const;

/** Bytes in which a first frame is looked for, since chunks need not begin with one, and frames that must follow each other. */
const looked = 8192;
const chained = 3;

type Reader<Frame extends SoundFrame> = (head: Buffer) => Frame | null;
type Found<Frame extends SoundFrame> = { frame: Frame; at: number };

function frameIn<Frame extends SoundFrame>(bytes: Buffer, read: Reader<Frame>): Found<Frame> | null {
  for (let at = 0; at + 8 <= Math.min(looked, bytes.length); at++) {
    const first = read(bytes.subarray(at, at + 8));
    let next: SoundFrame | null = first;
    let place = at;
    for (let count = 1; next && count < chained; count++) {
      place += next.length;
      const behind: SoundFrame | null = read(bytes.subarray(place, place + 8));
      next = behind?.rate === next.rate ? behind : null;
    }
    if (first && next) return { frame: first, at };
  }
  return null;
}

/** Mean bytes of the frames from a place on that follow each other. */
function meanLength(bytes: Buffer, from: number, read: (head: Buffer) => SoundFrame | null): number {
  let count = 0;
  let at = from;
  for (let frame = read(bytes.subarray(at, at + 8)); frame && at + frame.length <= bytes.length; count++) {
    at += frame.length;
    frame = read(bytes.subarray(at, at + 8));
  }
  return (at - from) / Math.max(1, count);
}

/** Sound of frames: bytes a second by the mean of those that follow each other, as they may be of different lengths. */
function packed(tag: number, { frame, at }: Found<SoundFrame>, bytes: Buffer, read: Reader<SoundFrame>): Sound {
  const { channels, rate, samples } = frame;
  const bytesPerSecond = Math.round((meanLength(bytes, at, read) * rate) / samples);
  return { tag, channels, rate, block: 1, bits: 0, extra: null, bytesPerSecond };
}

/** MPEG audio and AC-3, by frames that follow each other. */
export function tellFrames(bytes: Buffer): Sound | null {
  const mpeg = frameIn(bytes, readMpegAudio);
  if (mpeg) return packed(mpeg.frame.layer === 3 ? tags.layer3 : tags.layer2, mpeg, bytes, readMpegAudio);
  const ac3 = frameIn(bytes, readAc3);
  return ac3 && packed(tags.ac3, ac3, bytes, readAc3);
}
