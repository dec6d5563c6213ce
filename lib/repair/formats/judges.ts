import { isProresWhole } from '../codecs/prores';
import { Vp8Judge } from '../codecs/vp8/judge';
import { Vp9Frames } from '../codecs/vp9';
import type { EngineJob } from '../report';
import type { FrameJudge } from '../video/unreadable';
import { isFrameWhole } from './jpeg/health';

/** Codecs whose frames can be judged by themselves, without a reader of slices. */
export type JudgedCodec = 'vp8' | 'vp9' | 'jpeg' | 'prores';

/** The judge of the frames of one track, whatever holds it; frames are given to it in their order. */
export function judgeFor(codec: JudgedCodec, job: EngineJob): FrameJudge {
  if (codec === 'jpeg') return (frame) => isFrameWhole(job, frame);
  if (codec === 'prores') return (frame) => isProresWhole(frame, job.deadline.effort);
  if (codec === 'vp8') {
    const frames = new Vp8Judge(job.deadline.effort);
    return (frame) => frames.isSound(frame);
  }
  const frames = new Vp9Frames();
  return (frame) => frames.isSound(frame);
}
