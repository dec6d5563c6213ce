import { readAacConfig } from '../../codecs/aac/frame';
import { readAlacConfig } from '../../codecs/alac';
import { byName } from '../../core/named';
import { Buffer } from '../../host/bytes';
import { inflates } from '../../host/packing';
import type { Effort, EngineJob } from '../../report';
import type { Frame } from '../../video/mend';
import type { Reading } from '../../video/session';
import { type FrameJudge, judgingEffort, type Unreadable, unreadableFrames } from '../../video/unreadable';
import { type JudgedCodec, type JudgedSound, judgeFor, soundJudgeFor } from '../judges';
import type { Packing } from './encodings';
import { type Track, trackTypes } from './tracks';
import type { Walk } from './walk';

/** The blocks of a track that hold one frame each. */
export const framesOf = (walk: Walk, number: number): Frame[] =>
  walk.clusters
    .flatMap(({ blocks }) => blocks.filter(({ track, lacing }) => track === number && lacing === 0))
    .map(({ data, dataEnd }) => ({ from: data, to: dataEnd }));

/** Codecs whose frames are judged, by the names of RFC 9559's codec mappings. */
const judged: Readonly<Record<string, JudgedCodec>> = byName({
  V_VP8: 'vp8',
  V_VP9: 'vp9',
  V_MJPEG: 'jpeg',
  V_PRORES: 'prores',
});
/** The same by biCompression of a BITMAPINFOHEADER, which a track named V_MS/VFW/FOURCC has as its CodecPrivate, and where it stands there in bytes. */
const fourCc = 'V_MS/VFW/FOURCC';
const compressionAt = 16;
const ofWindows: Readonly<Record<string, JudgedCodec>> = { MJPG: 'jpeg', VP80: 'vp8', VP90: 'vp9' };

function judgedCodec({ codec, setup }: Track): JudgedCodec | undefined {
  if (codec !== fourCc) return judged[codec];
  return ofWindows[setup?.toString('latin1', compressionAt, compressionAt + 4).toUpperCase() ?? ''];
}

/** What Matroska leaves out of a frame of ProRes: its size and its mark (RFC 9559, codec mappings). */
function withMark(frame: Buffer): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0x69, 0x63, 0x70, 0x66]);
  head.writeUInt32BE(frame.length + head.length, 0);
  return Buffer.concat([head, frame]);
}

/** The sound of a track whose packets are judged, by the names of RFC 9559's codec mappings; null for others. */
function judgedSound({ codec, setup }: Track): JudgedSound | null {
  if (codec === 'A_FLAC') return { kind: 'flac' };
  if (codec === 'A_AC3') return { kind: 'ac3' };
  if (codec === 'A_ALAC') {
    const config = readAlacConfig(setup);
    return config && { kind: 'alac', config };
  }
  const config = codec === 'A_AAC' && setup ? readAacConfig(setup) : null;
  return config && { kind: 'aac', config };
}

/** Bytes that a frame may be unpacked to. */
const largestFrame = 32 << 20;

/** Frames that are packed are whole where they can be unpacked: the sum at their end tells (RFC 1950, 2.2). */
const byZlib = (effort: Effort): FrameJudge => ({
  isSound: (frame) => {
    effort.spend('inflating');
    effort.spend('provedByte', frame.length);
    return inflates(frame, largestFrame);
  },
  isSure: true,
});

function judgeOf(job: EngineJob, track: Track, effort: Effort): FrameJudge | null {
  if (track.packing?.kind === 'zlib') return byZlib(effort);
  if (track.kind === trackTypes.audio) {
    const sound = judgedSound(track);
    return sound && soundJudgeFor(sound, effort);
  }
  const kind = judgedCodec(track);
  if (!kind) return null;
  const judge = judgeFor(kind, job);
  return kind === 'prores' ? { ...judge, isSound: (frame) => judge.isSound(withMark(frame)) } : judge;
}

/** Gives a judge frames with the bytes that they are stored without. */
function unpacked(judge: FrameJudge, packing: Packing | null): FrameJudge {
  if (packing?.kind !== 'stripped') return judge;
  return { ...judge, isSound: (frame) => judge.isSound(Buffer.concat([packing.first, frame])) };
}

/** Frames and sound of codecs that can be judged and cannot be read to their end. */
export function judgeTracks({ source, job }: Reading, walk: Walk, tracks: ReadonlyMap<number, Track>): Unreadable[] {
  const efforts = {
    pictures: job.deadline.effort.share(judgingEffort),
    sounds: job.deadline.effort.share(judgingEffort),
  };
  return [...tracks].flatMap(([number, track]) => {
    const isSound = track.kind === trackTypes.audio;
    const effort = isSound ? efforts.sounds : efforts.pictures;
    const judge = track.isEncoded && !track.packing ? null : judgeOf(job, track, effort);
    if (!judge) return [];
    const frames = framesOf(walk, number);
    const unit = isSound ? 'sound packets' : 'frames';
    return [unreadableFrames(source, frames, unpacked(judge, track.packing), effort, unit)];
  });
}
