import { type AacConfig, readAac } from '../codecs/aac/frame';
import { type AlacConfig, readAlac } from '../codecs/alac';
import { EndJudge } from '../codecs/judge';
import { isProresWhole } from '../codecs/prores';
import { Vp8Frames } from '../codecs/vp8/frames';
import { Vp9Frames } from '../codecs/vp9/frames';
import { crc16 } from '../core/sums';
import type { Buffer } from '../host/bytes';
import type { Effort, EngineJob } from '../report';
import type { FrameJudge } from '../video/unreadable';
import { isFrameWhole } from './jpeg/health';

/** Codecs whose frames can be judged by themselves, without a reader of slices. */
export type JudgedCodec = 'vp8' | 'vp9' | 'jpeg' | 'prores';

/** Pictures of Motion JPEG that can be judged to one that cannot, from which on the latter lost what tells it, such as its tables. */
const judgedToOne = 8;

/** Judges pictures of Motion JPEG: a stream has its tables in each of them, and its fields in samples of their own, or in none. */
function jpegJudge(job: EngineJob): FrameJudge {
  let [known, unknown] = [0, 0];
  const isSound = (frame: Buffer) => {
    const isWhole = isFrameWhole(job, frame);
    if (isWhole === null) unknown++;
    else known++;
    return isWhole;
  };
  return { isSound, late: () => (unknown * judgedToOne <= known ? unknown : 0) };
}

/** The judge of the frames of one track, whatever holds it; frames are given to it in their order. */
export function judgeFor(codec: JudgedCodec, job: EngineJob): FrameJudge {
  if (codec === 'jpeg') return jpegJudge(job);
  if (codec === 'prores') return { isSound: (frame) => isProresWhole(frame, job.deadline.effort) };
  const isVp8 = codec === 'vp8';
  const frames = new EndJudge(isVp8 ? new Vp8Frames() : new Vp9Frames(), job.deadline.effort, isVp8);
  return { isSound: (frame) => frames.isSound(frame), isSure: true, late: () => frames.late };
}

/** Sound whose packets can be judged: by their check sums, or by reading them to their end, which what decodes them is needed for. */
export type JudgedSound =
  | { kind: 'flac' | 'ac3' }
  | { kind: 'alac'; config: AlacConfig }
  | { kind: 'aac'; config: AacConfig };

/** Sync words of frames of FLAC (RFC 9639, 9.1.1) and AC-3 (ETSI TS 102 366, 4.4.1.1). */
const flacSync = 0xfff8;
const ac3Sync = 0x0b77;
/** Highest bitstream identification of AC-3 itself (E.2.1): beyond it sums are laid out in other ways. */
const mostAc3 = 10;

/**
 * Share of the packets of AAC from which on those that cannot be read to their end are damaged: encoders and muxers may put bytes behind
 * a packet, or elements into it, that are not known here.
 */
const leastOfAac = 0.02;

/** The judge of the packets of one track of sound. */
export function soundJudgeFor(sound: JudgedSound, effort: Effort): FrameJudge {
  const read = readerOf(sound);
  const isSound = (packet: Buffer) => {
    effort.spend('sliceBit', packet.length * 8);
    return read(packet);
  };
  return sound.kind === 'aac' ? { isSound, least: leastOfAac } : { isSound };
}

function readerOf(sound: JudgedSound): FrameJudge['isSound'] {
  if (sound.kind === 'alac') return (packet) => readAlac(packet, sound.config)?.length === packet.length;
  if (sound.kind === 'aac') return (packet) => isAacWhole(packet, sound.config);
  if (sound.kind === 'flac') return (packet) => startsWith(packet, flacSync, 0xfffe) && crc16(packet) === 0;
  return (packet) => {
    if ((packet[5] ?? 0) >> 3 > mostAc3) return null;
    return startsWith(packet, ac3Sync, 0xffff) && crc16(packet.subarray(2)) === 0;
  };
}

/** Whether a packet of AAC ends with its last element, or with zeroes behind it. */
function isAacWhole(packet: Buffer, config: AacConfig): boolean {
  const end = readAac(packet, config)?.length;
  return end !== undefined && packet.subarray(end).every((byte) => byte === 0);
}

const startsWith = (packet: Buffer, word: number, mask: number) =>
  packet.length > 6 && (packet.readUInt16BE(0) & mask) === word;
