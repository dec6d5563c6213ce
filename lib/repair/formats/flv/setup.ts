import { readAac } from '../../codecs/aac/frame';
import { frequencies } from '../../codecs/aac/tables';
import { isAvcSlice } from '../../codecs/avc/unit';
import { boxInside } from '../../codecs/configuration';
import { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { pictureInSetup } from '../iso/demux/entries';
import { pictureByTrial } from '../iso/demux/trial';
import { avcBySearch, firstSlices } from '../iso/demux/untold';
import { nextTag, type Tag, tagAt } from './tags';
import { isSetup } from './timing';

/** A tag to be written that the file itself does not hold: its content without the header. */
export type Setup = { type: 8 | 9; content: Buffer; origin: 'sample' | 'sound' | 'picture' };

/** Codecs whose packets cannot be decoded without a first one that configures them (Adobe FLV 10.1, annex E.4.2.1 and E.4.3.1). */
function needsSetup(source: Source, tag: Tag): boolean {
  const first = source.read(tag.offset + 11, 1)[0] ?? 0;
  return tag.type === 9 ? (first & 15) === 7 || (first & 0x80) !== 0 : tag.type === 8 && first >> 4 === 10;
}

/** A packet that sets its decoder up, as against one that only ends the stream. */
const configures = (source: Source, tag: Tag) => isSetup(source, tag) && source.read(tag.offset + 12, 1)[0] === 0;

/** What configures picture and sound where the file has lost it: from a working video, or from the frames themselves. */
export async function missingSetups(
  reading: Reading,
  tags: readonly Tag[],
  did: (step: Step) => void,
): Promise<{ found: Setup[]; lost: number[] }> {
  const { source, sample } = reading;
  const found: Setup[] = [];
  const lost: number[] = [];
  for (const type of [9, 8] as const) {
    const packets = tags.filter((tag) => tag.type === type && needsSetup(source, tag));
    if (packets.length === 0 || packets.some((tag) => configures(source, tag))) continue;
    const borrowed = sample && setupOf(sample, type);
    const told = borrowed ? [borrowed] : await tell(reading, type, packets, did);
    const origin = borrowed ? 'sample' : type === 8 ? 'sound' : 'picture';
    for (const content of told) found.push({ type, content, origin });
    if (told.length === 0) lost.push(type);
  }
  return { found, lost };
}

/** What the packets of picture or sound themselves tell; nothing where they do not. */
async function tell(
  reading: Reading,
  type: 8 | 9,
  packets: readonly Tag[],
  did: (step: Step) => void,
): Promise<readonly Buffer[]> {
  if (type === 9) return tellAvc(reading, packets, did);
  const aac = tellAac(reading.source, packets);
  return aac ? [aac] : [];
}

/** Tags from the beginning on among which the codec's setup stands. */
const mostTags = 200;

function setupOf(source: Source, type: number): Buffer | null {
  let tag = tagAt(source, 13) ?? nextTag(source, 0);
  for (let count = 0; tag && count < mostTags; count++) {
    if (tag.type === type && configures(source, tag)) return source.copy(tag.offset + 11, tag.size);
    tag = tagAt(source, tag.offset + 15 + tag.size);
  }
  return null;
}

/**
 * The configuration of H.264 where the encoder wrote its options into the first frame, and that frame itself when its packet lost its
 * head: all that follows is told as changes to it.
 */
async function tellAvc(reading: Reading, packets: readonly Tag[], did: (step: Step) => void): Promise<Buffer[]> {
  const [first, last] = [packets[0], packets[Math.min(120, packets.length) - 1]];
  if (!first || !last) return [];
  const packet = (kind: number, content: Buffer) => Buffer.concat([Buffer.from([0x17, kind, 0, 0, 0]), content]);
  // The packet that held the configuration may have lost no more than its head.
  const left = pictureInSetup(reading.source, 0, first.offset);
  const own = left ? boxInside(left.stsd, 'avcC') : null;
  if (own) return [packet(0, own)];
  const tried = await pictureByTrial(reading, [{ from: 0, to: last.offset + 11 + last.size }], did);
  const config = tried ? boxInside(tried.template.stsd, 'avcC') : null;
  if (!tried || !config) {
    const frames = packets.map((tag) => ({ from: tag.offset + 16, to: tag.offset + 11 + tag.size }));
    const found = avcBySearch(reading, firstSlices(reading.source, frames, isAvcSlice), did);
    const searched = found && boxInside(found.stsd, 'avcC');
    return searched ? [packet(0, searched)] : [];
  }
  const setup = packet(0, config);
  if (tried.at > first.offset) return [setup];
  const end = tried.slices.reduce((sum, slice) => sum + 4 + slice.length, tried.at);
  return [setup, packet(1, reading.source.copy(tried.at, end - tried.at))];
}

/** The configuration of AAC-LC (ISO/IEC 14496-3, 1.6.2.1) with which every one of some frames ends where its packet does. */
function tellAac(source: Source, packets: readonly Tag[]): Buffer | null {
  const frames = packets.slice(0, 24).map((tag) => source.copy(tag.offset + 13, tag.size - 2));
  for (const channels of [2, 1])
    for (const frequency of [44100, 48000, 22050, 32000, 24000, 16000, 11025, 12000, 8000].map((hertz) =>
      frequencies.indexOf(hertz),
    )) {
      const fits = frames.filter((frame) => readAac(frame, { frequency, channels })?.length === frame.length).length;
      if (fits < Math.max(2, frames.length * 0.9)) continue;
      const config = Buffer.alloc(4);
      config[0] = 0xaf;
      config.writeUInt16BE((2 << 11) | (frequency << 7) | (channels << 3), 2);
      return config;
    }
  return null;
}
