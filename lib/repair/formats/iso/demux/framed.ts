import { isAvcSlice } from '../../../codecs/avc/unit';
import { isHevcSlice } from '../../../codecs/hevc/unit';
import type { Step } from '../../../report/facts/video';
import type { Reading } from '../../../video/session';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { pictureInStream } from './entries';
import { pictureOfAv1Frames } from './packed';
import { pictureOfItself } from './streams';
import type { Template } from './template';
import { pictureByTrial } from './trial';
import { avcBySearch, firstSlices, hevcBySearch } from './untold';

/** Share of a track's frames that must be of a kind, and how many of them are looked at. */
export const mostOf = 0.9;
const looked = 120;

/** Whether NAL units with lengths of four bytes lead exactly to the end of the frame, and whether they are HEVC's. */
function nalChain(source: Source, { from, to }: Span): 'avc' | 'hevc' | null {
  let hevc = true;
  let at = from;
  while (at + 6 <= to) {
    const head = source.read(at, 6);
    const length = head.length === 6 ? head.readUInt32BE(0) : 0;
    if (length < 2 || ((head[4] ?? 128) & 128) !== 0) return null;
    // Streams of one layer have this second byte (ITU-T H.265, 7.3.1.2).
    hevc = hevc && ((head[5] ?? 0) & 0xf8) === 0 && ((head[5] ?? 0) & 7) !== 0 && ((head[4] ?? 0) & 1) === 0;
    at += 4 + length;
  }
  return at === to ? (hevc ? 'hevc' : 'avc') : null;
}

/** Which of the two codecs of NAL units frames are made of; null where they are of neither. */
export function nalKind(source: Source, frames: readonly Span[]): 'avc' | 'hevc' | null {
  const chains = frames.map((frame) => nalChain(source, frame));
  if (chains.filter((chain) => chain !== null).length < frames.length * mostOf) return null;
  return chains.filter((chain) => chain === 'hevc').length >= frames.length * mostOf ? 'hevc' : 'avc';
}

/** H.264 or HEVC by frames whose places are known: parameter sets among them or in `setup`, what the encoder says, or a search. */
export async function pictureOfUnits(
  reading: Reading,
  frames: readonly Span[],
  kind: 'avc' | 'hevc',
  setup: () => Template | null,
  did: (step: Step) => void,
): Promise<Template | null> {
  const { source } = reading;
  let found: Template | null = null;
  for (const { from, to } of frames.slice(0, looked)) found ??= pictureInStream(source, from, to);
  // What configured the decoder may be left of the description itself.
  found ??= setup();
  if (found) return found;
  if (kind === 'hevc') return hevcBySearch(reading, firstSlices(source, frames, isHevcSlice), did);
  // The first frame may have lost its head, so that all bytes are looked at, not only those of frames.
  const last = frames[looked - 1] ?? frames.at(-1);
  const tried = await pictureByTrial(reading, [{ from: 0, to: last?.to ?? 0 }], did);
  return tried?.template ?? avcBySearch(reading, firstSlices(source, frames, isAvcSlice), did);
}

/** Pictures that tell their codec themselves, by frames whose places are known. */
export function pictureOfFrames(source: Source, frames: readonly Span[]): Template | null {
  const first = frames[0];
  const last = frames.at(-1);
  if (!first || !last) return null;
  return pictureOfAv1Frames(source, frames) ?? pictureOfItself(source, [{ from: first.from, to: last.to }]);
}
