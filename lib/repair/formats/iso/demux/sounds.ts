import { type AacConfig, readAac } from '../../../codecs/aac/frame';
import { readAc3, readAmr, readMp3, type SoundFrame } from '../../../codecs/sound';
import type { Buffer } from '../../../host/bytes';
import { firstBytes, plain, type UnitReader } from './units';

/** Largest frame of AAC that is read, in bytes: 6144 bits a channel (ISO/IEC 14496-3, 4.5.3.1), for eight of them and what fill elements add. */
const aacMost = 8192;

/** AAC-LC frames: each is parsed to its end, and all have the same elements (`1` for a stereo pair). */
export function aacFrames(config: AacConfig, elements: string): UnitReader {
  // Element id and tag, or a fill element that encoders begin with.
  const id = Number(elements[0] ?? 1) << 5;
  const starts =
    elements === '' ? null : firstBytes(id, id + 1, ...(elements.length > 1 ? [id + 2, id + 3] : []), ...fillStarts);
  return {
    way: 'whole',
    firstBytes: starts,
    measure(source, at, end) {
      const bytes = source.read(at, Math.min(end - at, aacMost));
      const frame = starts === null || starts[bytes[0] ?? 0] ? readAac(bytes, config) : null;
      return frame && (elements === '' || frame.elements === elements) ? plain(frame.length) : null;
    },
  };
}

/** First bytes of a fill element: id 6 in three bits. */
const fillStarts = Array.from({ length: 32 }, (_, index) => 0xc0 + index);

function framed(
  read: (head: Buffer) => SoundFrame | null,
  starts: Uint8Array,
  alike: (frame: SoundFrame) => boolean,
  group = 1,
): UnitReader {
  return {
    way: 'whole',
    firstBytes: starts,
    measure(source, at, end) {
      let size = 0;
      for (let count = 0; count < group; count++) {
        const frame = read(source.read(at + size, 8));
        if (!frame || !alike(frame) || at + size + frame.length > end) return null;
        size += frame.length;
      }
      return plain(size);
    },
  };
}

/** MP3 frames of one sampling frequency, in hertz; 0 when it is not known. */
export function mp3Frames(rate: number): UnitReader {
  return framed(readMp3, firstBytes(0xff), (frame) => rate === 0 || frame.rate === rate);
}

/** AC-3 and Enhanced AC-3 frames. */
export function ac3Frames(): UnitReader {
  return framed(readAc3, firstBytes(0x0b), () => true);
}

/** AMR frames, `group` in each sample (3GPP TS 26.244, 6.7). `heads` are the first bytes that this recorder writes, if known. */
export function amrFrames(wide: boolean, group: number, heads: readonly number[]): UnitReader {
  const starts = firstBytes(...(heads.length > 0 ? heads : Array.from({ length: 16 }, (_, type) => type * 8 + 4)));
  return framed(
    (head) => readAmr(head, wide),
    starts,
    () => true,
    group,
  );
}

/** Sound without any mark, which lies between the samples of other tracks. */
export const fillerSound: UnitReader = { way: 'filler', firstBytes: null, measure: () => null };
