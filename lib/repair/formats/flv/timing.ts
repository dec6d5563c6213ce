import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import type { Tag } from './tags';

const aacRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

function metadataNumber(source: Source, tags: Tag[], key: string): number {
  const script = tags.find((tag) => tag.type === 18);
  if (!script) return 0;
  const body = source.read(script.offset + 11, Math.min(script.size, 65536));
  const at = body.indexOf(Buffer.concat([Buffer.from([0, key.length]), Buffer.from(key), Buffer.from([0])]));
  return at >= 0 && at + key.length + 11 <= body.length ? body.readDoubleBE(at + key.length + 3) : 0;
}

/** Milliseconds of one sound packet: AAC by its AudioSpecificConfig (1024 samples, ISO/IEC 14496-3), MP3 by its header; 0 when unknown. */
function soundStep(source: Source, tags: Tag[]): number {
  for (const tag of tags) {
    if (tag.type !== 8) continue;
    const head = source.read(tag.offset + 11, 6);
    const kind = (head[0] ?? 0) >> 4;
    if (kind === 10 && head[1] === 0) {
      const index = (((head[2] ?? 0) & 7) << 1) | ((head[3] ?? 0) >> 7);
      return 1024000 / (aacRates[index] ?? 44100);
    }
    if (kind === 2) {
      const version = ((head[2] ?? 0) >> 3) & 3;
      const rate = [44100, 48000, 32000][((head[3] ?? 0) >> 2) & 3] ?? 44100;
      return version === 3 ? 1152000 / rate : (576000 * (version === 2 ? 2 : 4)) / rate;
    }
  }
  return 0;
}

/** True for packets of AAC, H.264 and HEVC that set the decoder up or end the stream, and take no time. */
export function isSetup(source: Source, tag: Tag): boolean {
  const head = source.read(tag.offset + 11, 2);
  const codec =
    tag.type === 8 ? (head[0] ?? 0) >> 4 === 10 : ((head[0] ?? 0) & 15) === 7 || ((head[0] ?? 0) & 15) === 12;
  return codec && (head[1] === 0 || (tag.type === 9 && head[1] === 2));
}

/** Frames a second that metadata may tell. */
const toldRate = { least: 0.5, most: 1000 };

/** Times for every tag, in milliseconds, those of `types` counted anew from the frame rate and the length of a sound packet, and what they were counted by. */
export function retime(
  source: Source,
  tags: Tag[],
  types: readonly number[],
): { times: number[]; from: 'metadata' | 'sound' | 'guess' } {
  const step = soundStep(source, tags);
  const frames = tags.filter((tag) => tag.type === 9 && !isSetup(source, tag)).length;
  const sounds = tags.filter((tag) => tag.type === 8 && !isSetup(source, tag)).length;
  const told = metadataNumber(source, tags, 'framerate');
  const byMetadata = told > toldRate.least && told < toldRate.most;
  const bySound = step > 0 && sounds > 0 && frames > 0;
  const frameStep = byMetadata ? 1000 / told : bySound ? (sounds * step) / frames : 1000 / 30;
  let frame = 0;
  let sound = 0;
  const times = tags.map((tag) => {
    if (!types.includes(tag.type)) return tag.time;
    if (tag.type === 9) return Math.round((isSetup(source, tag) ? frame : frame++) * frameStep);
    if (tag.type === 8) return Math.round((isSetup(source, tag) ? sound : sound++) * (step || 23));
    return 0;
  });
  return { times, from: byMetadata ? 'metadata' : bySound ? 'sound' : 'guess' };
}

/** When the last tag ends, in seconds: as long behind it as tags of its type lie apart. */
export function secondsOf(tags: readonly Tag[], timeOf: (index: number) => number): number {
  let end = 0;
  for (const type of [9, 8]) {
    const [count, first, last] = tags.reduce(
      ([seen, from, to], tag, index) =>
        tag.type === type ? [seen + 1, Math.min(from, timeOf(index)), Math.max(to, timeOf(index))] : [seen, from, to],
      [0, Number.POSITIVE_INFINITY, 0],
    );
    if (count > 1) end = Math.max(end, last + (last - first) / (count - 1));
  }
  return end / 1000;
}
