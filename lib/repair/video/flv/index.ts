import { Buffer } from '../../host/bytes';
import { counted, type Outcome } from '../../report';
import { copiedMended, type Mending, mendFrames, noteMending, nothingMended, setsOf, unitReaderFor } from '../mend';
import { countOverwritten, givenBack, noteOverwritten } from '../overwritten';
import { readOutput, type Session, writeOutput } from '../session';
import type { Source } from '../source';
import { missingSetups } from './setup';
import { closed, nextTag, plausible, type Tag, tagAt } from './tags';
import { isSetup, retime } from './timing';

type Walk = { tags: Tag[]; wrongSizes: number; gaps: { offset: number; length: number }[]; headOk: boolean };

async function walk(source: Source, tell: (offset: number) => Promise<void>): Promise<Walk> {
  const head = source.read(0, 13);
  const start = head.length === 13 ? head.readUInt32BE(5) : 0;
  const headOk = head.toString('latin1', 0, 3) === 'FLV' && head[3] === 1 && start >= 9 && start < 1024;
  const found: Walk = { tags: [], wrongSizes: 0, gaps: [], headOk };
  let at = headOk ? start + 4 : 0;
  while (at < source.size) {
    let tag = tagAt(source, at);
    const end = tag ? at + 11 + tag.size : 0;
    if (tag && plausible(source, tag) && (closed(source, tag) || end >= source.size - 4 || tagAt(source, end + 4))) {
      if (!closed(source, tag)) found.wrongSizes++;
    } else {
      tag = nextTag(source, at);
      const until = tag ? tag.offset : source.size;
      if (headOk || found.tags.length > 0 || until > 13) found.gaps.push({ offset: at, length: until - at });
      if (!tag) break;
    }
    found.tags.push(tag);
    at = tag.offset + 15 + tag.size;
    await tell(at);
  }
  return found;
}

const isMedia = (tag: Tag) => tag.type !== 18;

function timesBroken(tags: Tag[]): 'zeroed' | 'backwards' | null {
  const media = tags.filter(isMedia);
  if (media.length > 8 && media.every((tag) => tag.time === 0)) return 'zeroed';
  const last = new Map<number, number>();
  for (const tag of media) {
    if (tag.time < (last.get(tag.type) ?? 0)) return 'backwards';
    last.set(tag.type, tag.time);
  }
  return null;
}

/** The frames of H.264, behind the bytes that say what a packet holds (E.4.3.1, E.4.3.2). */
function* avcFrames(source: Source, tags: readonly Tag[]): Generator<{ from: number; to: number }> {
  for (const tag of tags)
    if (tag.type === 9 && ((source.read(tag.offset + 11, 1)[0] ?? 0) & 15) === 7)
      yield { from: tag.offset + 16, to: tag.offset + 11 + tag.size };
}

/** Sets wrong bits right in the frames of H.264, by the packet that sets its decoder up. */
async function mendTags(session: Session, media: readonly Tag[]): Promise<Mending> {
  const { source } = session;
  const setup = media.find(
    (tag) => tag.type === 9 && (source.read(tag.offset + 11, 2)[0] ?? 0) === 0x17 && isSetup(source, tag),
  );
  const configuration = setup ? source.copy(setup.offset + 16, setup.size - 5) : null;
  const reader = configuration && unitReaderFor('avc', setsOf('avc', configuration), session.job.deadline.effort);
  const frames = media.filter((tag) => !isSetup(source, tag));
  return reader ? mendFrames(session, reader, avcFrames(source, frames)) : nothingMended();
}

/** Checks and repairs Flash video (Adobe FLV 10.1, annex E): head, tag chain, sizes between tags and times. */
export async function repairFlv(session: Session): Promise<Outcome> {
  const { job, source, draft, tell } = session;
  const seen = await walk(source, (offset) => tell(offset, 0, 0.4));
  const media = seen.tags.filter(isMedia);
  const times = timesBroken(seen.tags);
  // Some writers never fill in these sizes and players do not read them, so that only a few wrong ones are damage.
  const sizesDamaged = seen.wrongSizes > 0 && seen.wrongSizes <= seen.tags.length / 2;
  const { found: setups, lost: unset } = await missingSetups(session, seen.tags);
  const isSetUp = setups.length + unset.length === 0;
  const mending = await mendTags(session, media);
  noteMending(draft, mending);
  const overwritten = countOverwritten(source, avcFrames(source, media));
  noteOverwritten(draft, overwritten);
  const intact = seen.headOk && seen.gaps.length === 0 && !times && !sizesDamaged && isSetUp && media.length > 0;
  const pictures = media.filter((tag) => tag.type === 9 && !isSetup(source, tag)).length;
  if (intact && mending.mended > 0) return copiedMended(session, pictures);
  if (intact && overwritten.frames + mending.broken > 0) return givenBack(draft, pictures);
  if (intact) return draft.healthy('Nothing is wrong with this video; you get it back as it was.');
  if (media.length === 0)
    return draft.unrepairable('No picture or sound was found in this file, so there is nothing to bring back.');
  if (!seen.headOk) draft.find('header', 'The beginning that says what the file is was missing or damaged.', 0);
  for (const gap of seen.gaps)
    draft.find('gap', `${counted(gap.length, 'byte')} did not hold whole picture or sound packets.`, gap.offset);
  if (sizesDamaged) draft.find('sizes', `${counted(seen.wrongSizes, 'packet size')} did not match.`);
  if (times) draft.find('times', times === 'zeroed' ? 'All times were zero.' : 'Times ran backwards.');
  const fixed = retime(source, seen.tags, times !== null);
  if (times) {
    draft.step('times', `New times were given to ${counted(media.length, 'packet')}.`);
    draft.note(fixed.note);
  }
  if (!isSetUp) draft.find('setup', 'The packets that tell how picture and sound are decoded were missing.', 0);
  if (setups.some(({ origin }) => origin === 'sample'))
    draft.note('How picture and sound are decoded was taken from the working video that you added.');
  if (setups.some(({ origin }) => origin === 'picture'))
    draft.note('How the pictures are decoded was told from what their encoder wrote into the first of them.');
  if (setups.some(({ origin }) => origin === 'sound'))
    draft.note('How the sound is decoded was told from the sound itself.');
  draft.wantsSample = unset.length > 0;
  const frames = unset.includes(9) ? 0 : pictures;
  const sounds = unset.includes(8) ? 0 : media.filter((tag) => tag.type === 8 && !isSetup(source, tag)).length;
  if (frames + sounds === 0)
    return draft.unrepairable(
      unset.includes(9)
        ? 'What tells how the pictures are decoded is gone. A working video from the same camera would help.'
        : 'No whole picture or sound that can be decoded is left in this file.',
    );
  // Without pictures that can be decoded the sound is still worth having.
  const isKept = ({ type }: Tag) => type !== 9 || !unset.includes(9);
  const tags = seen.tags.filter(isKept);
  if (unset.includes(9)) {
    draft.note(
      'Only the sound could be brought back. For the pictures a working video from the same camera is needed.',
    );
    draft.lost.push({ unit: 'video tracks', count: 1, detail: 'of which nothing tells how it is decoded' });
  }
  if (unset.includes(8)) draft.lost.push({ unit: 'sound tracks', count: 1, detail: 'that cannot be decoded any more' });
  const output = await writeOutput(job, async (sink) => {
    const flags = (tags.some((tag) => tag.type === 8) ? 4 : 0) | (tags.some((tag) => tag.type === 9) ? 1 : 0);
    sink.write(Buffer.from([0x46, 0x4c, 0x56, 1, flags, 0, 0, 0, 9, 0, 0, 0, 0]));
    for (const { type, content } of setups) {
      const head = Buffer.alloc(11);
      head[0] = type;
      head.writeUIntBE(content.length, 1, 3);
      const size = Buffer.alloc(4);
      size.writeUInt32BE(content.length + 11);
      sink.write(Buffer.concat([head, content, size]));
    }
    for (const [index, tag] of seen.tags.entries()) {
      if (!isKept(tag)) continue;
      const head = source.copy(tag.offset, 11);
      const time = fixed.times[index] ?? tag.time;
      head.writeUIntBE(time & 0xffffff, 4, 3);
      head.writeUInt8((time >>> 24) & 0xff, 7);
      sink.write(head);
      sink.take(source, tag.offset + 11, tag.size);
      const size = Buffer.alloc(4);
      size.writeUInt32BE(tag.size + 11);
      sink.write(size);
      await tell(tag.offset, 0.4, 0.8);
    }
  });
  const again = await readOutput(job, (written) => walk(written, async () => session.source.pause(job.deadline)));
  if (again.gaps.length > 0 || again.tags.length !== tags.length + setups.length || timesBroken(again.tags))
    return draft.unrepairable('The rebuilt video did not pass its own check, so it is not handed out.');
  if (frames > 0) draft.kept.push({ unit: 'frames', count: frames });
  if (sounds > 0) draft.kept.push({ unit: 'sound packets', count: sounds });
  const lost = seen.gaps.reduce((sum, gap) => sum + gap.length, 0);
  if (lost > 0)
    draft.lost.push({ unit: 'bytes', count: lost, detail: 'parts of packets that were cut or overwritten' });
  draft.step('rebuild', 'The file was written anew from every whole packet.');
  return draft.done(output, {
    repaired: 'The video is repaired: every picture and sound packet is kept.',
    partly: unset.includes(9)
      ? 'Only the sound of this video could be brought back.'
      : 'The video plays again; the damaged packets are left out.',
  });
}
