import { counted, type Draft, type Outcome } from '../../report';
import { readOutput, type Session, writeOutput } from '../session';
import type { Source } from '../source';
import { countPackets } from '../verify';
import { box, words } from './boxes';
import { type Frames, findFrames } from './frames';
import { brandBox, findMovie, type Layout, topLevel } from './layout';
import type { Located } from './locate';
import type { Movie } from './movie';
import { avcNal, readSps } from './nal';
import type { Track } from './track';
import { planTrack, writeMovie } from './write';

const gone =
  "The index of this video is gone, and its frames can't be told apart without it. A working video from the same camera would help.";

/** What a picture track needs besides its frames: sample entry, timescale, and ticks of one frame. */
type Template = { stsd: Buffer; codec: string; timescale: number; step: number; most: number; origin: string };

function templateOf(movie: Movie | null, origin: string): Template | null {
  const track = movie?.tracks.find((one) => one.lengthBytes === 4);
  if (!track) return null;
  const count = track.durations.length;
  const total = track.durations.reduce((sum, value) => sum + value, 0);
  const step = count > 0 ? Math.max(1, Math.round(total / count)) : Math.round(track.timescale / 30);
  // Frames of one camera do not differ in size by much more than this.
  const most = Math.max(65536, 3 * track.sizes.reduce((largest, size) => Math.max(largest, size), 0));
  return { stsd: track.stsd, codec: track.codec, timescale: track.timescale, step, most, origin };
}

/** A sample entry from parameter sets that lie in the data of the video itself (ISO/IEC 14496-15, 5.3.3.1). */
function templateInBand(source: Source, from: number): Template | null {
  for (
    let at = source.find(Buffer.from([0, 0, 0]), from);
    at >= 0 && at + 8 < source.size;
    at = source.find(Buffer.from([0, 0, 0]), at + 1)
  ) {
    const length = source.word(at);
    if (length < 8 || length > 255 || ((source.read(at + 4, 1)[0] ?? 0) & 31) !== 7 || !avcNal(source.read(at + 4, 4)))
      continue;
    const sps = source.copy(at + 4, length);
    const size = readSps(sps);
    const second = source.word(at + 4 + length);
    if (!size || second < 3 || second > 255 || ((source.read(at + 8 + length, 1)[0] ?? 0) & 31) !== 8) continue;
    const pps = source.copy(at + 8 + length, second);
    const lengths = (bytes: Buffer) => Buffer.from([bytes.length >> 8, bytes.length & 255]);
    const config = box(
      'avcC',
      Buffer.from([1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xff, 0xe1]),
      lengths(sps),
      sps,
      Buffer.from([1]),
      lengths(pps),
      pps,
    );
    const entry = Buffer.alloc(78);
    entry.writeUInt16BE(1, 6);
    entry.writeUInt16BE(size.width, 24);
    entry.writeUInt16BE(size.height, 26);
    entry.writeUInt32BE(0x00480000, 28);
    entry.writeUInt32BE(0x00480000, 32);
    entry.writeUInt16BE(1, 40);
    entry.writeUInt16BE(24, 74);
    entry.writeInt16BE(-1, 76);
    const stsd = box('stsd', words(0, 1), box('avc1', entry, config));
    return {
      stsd,
      codec: 'avc1',
      timescale: 30000,
      step: 1000,
      most: 1 << 21,
      origin: 'the video itself; 30 frames a second are a guess',
    };
  }
  return null;
}

function toTrack(template: Template, frames: Frames): Track {
  const count = frames.sizes.length;
  return {
    id: 1,
    kind: 'vide',
    codec: template.codec,
    timescale: template.timescale,
    lengthBytes: 4,
    inside: true,
    raw: new Map(),
    stsd: template.stsd,
    sizes: Uint32Array.from(frames.sizes),
    offsets: Float64Array.from(frames.offsets),
    durations: new Uint32Array(count).fill(template.step),
    compositions: null,
    keys: Uint8Array.from(frames.keys),
    entries: null,
    chunks: Uint32Array.from(frames.sizes, (_, index) => index),
    agreed: true,
  };
}

/** Where media data begins: behind the header of `mdat` when there is one. */
function dataStart(source: Source): number {
  const at = source.find(Buffer.from('mdat'), 0, Math.min(source.size, 1 << 20));
  if (at < 4) return 0;
  return at + 4 + (source.word(at - 4) === 1 ? 8 : 0);
}

function sampleMovie(session: Session, draft: Draft): Movie | null {
  const { sample } = session;
  if (!sample) return null;
  return findMovie(sample, topLevel(sample), draft);
}

/** Brings back a video whose index is gone: its pictures by their NAL units, with what a sample, remains or the stream itself tell. */
export async function repairWithoutIndex(session: Session, _layout: Layout, remains: Movie | null): Promise<Outcome> {
  const { source, draft, job, sample } = session;
  const start = dataStart(source);
  draft.find('index', 'The index of the video, which says where each frame is, is missing.');
  const movie = sampleMovie(session, draft);
  const template =
    templateOf(movie, 'the working video that you added') ??
    templateOf(remains, 'what is left of the index') ??
    templateInBand(source, start);
  if (!template)
    return draft.unrepairable(
      sample
        ? 'The index of this video is gone, and the video that was added does not tell how its frames are kept.'
        : gone,
    );
  const frames = await findFrames(session, start, /^(hvc1|hev1)$/.test(template.codec), template.most);
  const first = frames.keys.indexOf(1);
  if (frames.sizes.length < 2 || first < 0)
    return draft.unrepairable(
      sample ? 'No frames could be found in this file, even with the working video that was added.' : gone,
    );
  const track = toTrack(template, frames);
  const located: Located = {
    track,
    offsets: track.offsets,
    sizes: track.sizes,
    states: new Uint8Array(track.sizes.length),
    moved: 0,
    judged: true,
  };
  const plan = planTrack(located);
  const empty: Movie = { tracks: [track], raw: new Map(), whole: true, fragmented: false, skipped: 0 };
  const output = await writeOutput(job, (sink) =>
    writeMovie(session, sink, brandBox(session, { boxes: [], stop: 0 }).bytes, empty, [plan]),
  );
  const again = await readOutput(job, async (written) => findMovie(written, topLevel(written), draft));
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  if (!again?.whole || again.tracks[0]?.sizes.length !== frames.sizes.length || packets?.video === 0)
    return draft.unrepairable('The rebuilt video did not pass its own check, so it is not handed out.');
  draft.step('frames', `${counted(frames.sizes.length, 'frame')} were found by the way they are stored.`);
  draft.note(`Codec and frame rate come from ${template.origin}.`);
  draft.note('Frames follow one another evenly, in the order in which they are stored.');
  draft.kept.push(
    { unit: 'frames', count: frames.sizes.length },
    { unit: 'seconds', count: Math.round((plan.mediaTime / track.timescale) * 10) / 10 },
  );
  draft.rebuilt.push({ unit: 'frame times', count: frames.sizes.length });
  draft.lost.push({
    unit: 'sound tracks',
    count: 1,
    detail: 'if there was sound, it cannot be told apart without the index',
  });
  return draft.done(output, {
    repaired: 'The video is repaired.',
    partly: 'The pictures of the video play again; its sound could not be brought back.',
  });
}
