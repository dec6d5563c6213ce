import type { Buffer } from '../host/bytes';
/** One sound frame that carries its own length: bytes, samples per channel, hertz and channels. */
export type SoundFrame = { length: number; samples: number; rate: number; channels: number };

const layer3Rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const layer3LowRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const mpegFrequencies = [44100, 48000, 32000];

const layer2Rates = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];

/** The header of an MPEG audio frame of layer III (ISO/IEC 11172-3, 2.4.1.3; 13818-3 for lower frequencies). */
export function readMp3(head: Buffer): SoundFrame | null {
  const frame = readMpegAudio(head);
  return frame?.layer === 3 ? frame : null;
}

/** The same of layer II or III. */
export function readMpegAudio(head: Buffer): (SoundFrame & { layer: 2 | 3 }) | null {
  if (head.length < 4 || head[0] !== 0xff || ((head[1] ?? 0) & 0xe0) !== 0xe0) return null;
  const code = ((head[1] ?? 0) >> 1) & 3;
  if (code !== 1 && code !== 2) return null;
  const layer = code === 1 ? 3 : 2;
  const version = ((head[1] ?? 0) >> 3) & 3;
  const rate = ((head[2] ?? 0) >> 4) & 15;
  const frequency = mpegFrequencies[((head[2] ?? 0) >> 2) & 3];
  if (version === 1 || rate === 0 || rate === 15 || !frequency || ((head[3] ?? 0) & 3) === 2) return null;
  const full = version === 3;
  const hertz = full ? frequency : version === 2 ? frequency / 2 : frequency / 4;
  const fullRates = layer === 3 ? layer3Rates : layer2Rates;
  const kilobits = (full ? fullRates : layer3LowRates)[rate] ?? 0;
  const padding = ((head[2] ?? 0) >> 1) & 1;
  const samples = full || layer === 2 ? 1152 : 576;
  const channels = (head[3] ?? 0) >> 6 === 3 ? 1 : 2;
  return { layer, length: Math.floor((samples * 125 * kilobits) / hertz) + padding, samples, rate: hertz, channels };
}

/** Bytes of AMR frames by type, their own first byte included (RFC 4867, 3.6 and 5.3): narrow band and wide band. */
const amrBytes = [13, 14, 16, 18, 20, 21, 27, 32, 6];
const amrWideBytes = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6];

/** A frame of AMR in the storage format of 3GP (3GPP TS 26.244, 6.5). */
export function readAmr(head: Buffer, wide: boolean): SoundFrame | null {
  const byte = head[0] ?? 0xff;
  // Padding bits are zero, and the quality bit is set in frames that are not damaged.
  if (head.length < 1 || (byte & 0x87) !== 0x04) return null;
  const type = (byte >> 3) & 15;
  const length = type === 15 ? 1 : (wide ? amrWideBytes : amrBytes)[type];
  return length ? { length, samples: wide ? 320 : 160, rate: wide ? 16000 : 8000, channels: 1 } : null;
}

const ac3Kilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
const ac3Channels = [2, 1, 2, 3, 3, 4, 4, 5];

/** Samples a second at which frames do not come out at whole words, so that some are one longer (ETSI TS 102 366, 5.4.1.4). */
const oddRate = 44_100;

/** A sync frame of AC-3 or Enhanced AC-3 (ETSI TS 102 366, 4.4.1 and E.1.3.1). */
export function readAc3(head: Buffer): SoundFrame | null {
  if (head.length < 7 || head[0] !== 0x0b || head[1] !== 0x77) return null;
  const stream = (head[5] ?? 0) >> 3;
  const rates = [48000, 44100, 32000];
  const code = (head[4] ?? 0) >> 6;
  if (stream <= 10) {
    const rate = rates[code];
    const kilobits = ac3Kilobits[((head[4] ?? 0) & 63) >> 1];
    if (!rate || !kilobits) return null;
    const odd = rate === oddRate ? (head[4] ?? 0) & 1 : 0;
    const words = Math.floor((kilobits * 96000) / rate) + odd;
    return { length: words * 2, samples: 1536, rate, channels: ac3Channels[(head[6] ?? 0) >> 5] ?? 2 };
  }
  if (stream > 16 || code === 3) return null;
  const length = ((((head[2] ?? 0) & 7) << 8) | (head[3] ?? 0)) * 2 + 2;
  const blocks = [1, 2, 3, 6][((head[4] ?? 0) >> 4) & 3] ?? 6;
  return {
    length,
    samples: blocks * 256,
    rate: rates[code] ?? 48000,
    channels: ac3Channels[((head[4] ?? 0) >> 1) & 7] ?? 2,
  };
}
