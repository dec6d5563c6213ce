import { counted, type Outcome } from '../../report';
import { readOutput, type Session, writeOutput } from '../session';
import type { Source } from '../source';
import { countPackets } from '../verify';
import { boxAt, boxesIn } from './boxes';
import { brandBox, findMovie, type Layout } from './layout';

/** One movie fragment (ISO/IEC 14496-12, 8.8): moof and the data after it. `bases` are places of absolute data offsets inside moof. */
type Fragment = {
  offset: number;
  end: number;
  samples: number;
  dataEnd: number;
  bases: { at: number; wide: boolean }[];
  whole: boolean;
};

const moofLimit = 64 << 20;

function readFragment(source: Source, offset: number): Fragment | null {
  const head = boxAt(source, offset);
  if (head?.type !== 'moof' || head.end - head.offset > moofLimit || head.end > source.size) return null;
  const bytes = source.copy(offset, head.end - offset);
  const parts = boxesIn(bytes, head.body - offset, bytes.length);
  if (!parts.whole || parts.boxes[0]?.type !== 'mfhd') return null;
  const fragment: Fragment = { offset, end: head.end, samples: 0, dataEnd: head.end, bases: [], whole: true };
  for (const traf of parts.boxes) {
    if (traf.type !== 'traf') continue;
    let base = offset;
    let size = 0;
    for (const leaf of boxesIn(bytes, traf.body, traf.end).boxes) {
      if (leaf.end - leaf.body < 8) continue;
      const flags = bytes.readUInt32BE(leaf.body) & 0xffffff;
      let at = leaf.body + 8;
      if (leaf.type === 'tfhd') {
        if (flags & 1) {
          fragment.bases.push({ at, wide: true });
          base = Number(bytes.readBigUInt64BE(at));
          at += 8;
        }
        if (flags & 2) at += 4;
        if (flags & 8) at += 4;
        if (flags & 0x10) size = bytes.readUInt32BE(at);
      }
      if (leaf.type !== 'trun') continue;
      const count = bytes.readUInt32BE(leaf.body + 4);
      let data = base;
      if (flags & 1) {
        data += bytes.readInt32BE(at);
        at += 4;
      }
      if (flags & 4) at += 4;
      const width = [0x100, 0x200, 0x400, 0x800].filter((bit) => flags & bit).length * 4;
      const sizeAt = flags & 0x100 ? 4 : 0;
      if (at + count * width > leaf.end) return null;
      for (let index = 0; index < count; index++)
        data += flags & 0x200 ? bytes.readUInt32BE(at + index * width + sizeAt) : size;
      fragment.samples += count;
      fragment.dataEnd = Math.max(fragment.dataEnd, data);
    }
  }
  const mdat = boxAt(source, head.end);
  fragment.whole = fragment.dataEnd <= source.size && (mdat?.type === 'mdat' || fragment.samples === 0);
  fragment.end =
    mdat?.type === 'mdat' && mdat.end <= source.size && mdat.end >= fragment.dataEnd
      ? mdat.end
      : Math.max(head.end, Math.min(fragment.dataEnd, source.size));
  return fragment;
}

/** All fragments of the file: where boxes break off, the next moof is looked for by its code. */
async function walk(session: Session, source: Source): Promise<{ fragments: Fragment[]; breaks: number[] }> {
  const fragments: Fragment[] = [];
  const breaks: number[] = [];
  let at = 0;
  while (at < source.size) {
    await session.tell(at, 0, 0.4);
    const head = boxAt(source, at);
    const fragment = head?.type === 'moof' ? readFragment(source, at) : null;
    if (fragment) {
      fragments.push(fragment);
      at = fragment.end;
      continue;
    }
    if (head && head.type !== 'moof' && head.end <= source.size) {
      at = head.end;
      continue;
    }
    if (head && head.end > source.size && ['mfra', 'free', 'skip', 'sidx'].includes(head.type)) break;
    breaks.push(at);
    let next = source.find(Buffer.from('moof'), at + 5);
    while (next >= 0 && !readFragment(source, next - 4)) next = source.find(Buffer.from('moof'), next + 1);
    if (next < 0) break;
    at = next - 4;
  }
  return { fragments, breaks };
}

/** Checks and repairs a fragmented file: whole fragments are kept with the head, broken ones are dropped. */
export async function repairFragments(session: Session, layout: Layout): Promise<Outcome> {
  const { source, draft, job, sample } = session;
  const { fragments, breaks } = await walk(session, source);
  const whole = fragments.filter((fragment) => fragment.whole);
  let head = layout.boxes.find((found) => found.type === 'moov' && found.end <= source.size);
  let headSource = source;
  const movie = findMovie(source, layout, draft);
  const brand = brandBox(session, layout);
  if (!brand.own) draft.find('header', 'The beginning that says what the file is was missing or damaged.', 0);
  if (!head || !movie?.whole) {
    draft.find('index', 'The description of the tracks was missing or damaged.');
    const at = source.find(Buffer.from('moov'), 0);
    const found = at >= 4 ? boxAt(source, at - 4) : null;
    head = movie?.whole && found && found.end <= source.size ? found : undefined;
    if (!head && sample) {
      let from = 0;
      for (let next = boxAt(sample, from); next && from < sample.size && !head; next = boxAt(sample, from)) {
        if (next.type === 'moov') head = next;
        from = next.end;
      }
      if (head) {
        headSource = sample;
        draft.note('The description of the tracks was taken from the working video that you added.');
      }
    }
  }
  for (const offset of breaks) draft.find('structure', 'What follows could not be read as part of a video.', offset);
  const broken = fragments.filter((fragment) => !fragment.whole);
  for (const fragment of broken)
    draft.find('truncated', 'The data of a part of the video is cut off.', fragment.offset);
  if (draft.found.length === 0) return draft.healthy('Nothing is wrong with this video; you get it back as it was.');
  if (!head)
    return draft.unrepairable(
      'The description of the tracks of this video is gone. A working video from the same camera would help.',
    );
  const samples = whole.reduce((sum, fragment) => sum + fragment.samples, 0);
  if (samples === 0) return draft.unrepairable('No part of this video is whole, so there is nothing to bring back.');
  const box = head;
  const output = await writeOutput(job, async (sink) => {
    sink.write(brand.bytes);
    sink.take(headSource, box.offset, box.end - box.offset);
    for (const fragment of whole) {
      const shift = sink.position - fragment.offset;
      const start = sink.position;
      sink.take(source, fragment.offset, fragment.end - fragment.offset);
      for (const base of fragment.bases) {
        const moved = Buffer.alloc(8);
        moved.writeBigUInt64BE(source.copy(fragment.offset + base.at, 8).readBigUInt64BE(0) + BigInt(shift));
        sink.patch(start + base.at, moved);
      }
      await session.tell(fragment.end, 0.4, 0.8);
    }
  });
  const again = await readOutput(job, (written) => walk({ ...session, tell: async () => {} }, written));
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  if (again.breaks.length > 0 || again.fragments.length !== whole.length || packets?.video === 0)
    return draft.unrepairable('The rebuilt video did not pass its own check, so it is not handed out.');
  if (packets) {
    draft.step(
      'check',
      `Opened again: ${counted(packets.video, 'frame')} and ${counted(packets.sound, 'sound packet')} were read.`,
    );
    draft.kept.push({ unit: 'frames', count: packets.video }, { unit: 'sound packets', count: packets.sound });
  } else draft.kept.push({ unit: 'packets', count: samples });
  draft.step(
    'rebuild',
    `${counted(whole.length, 'whole part')} of the video ${whole.length === 1 ? 'was' : 'were'} written behind its head.`,
  );
  // A break before the first fragment is the damaged head, which is whole again.
  const cuts = breaks.filter((offset) => offset > (fragments[0]?.offset ?? 0)).length;
  const lost = broken.reduce((sum, fragment) => sum + fragment.samples, 0);
  if (lost > 0)
    draft.lost.push({ unit: 'packets', count: lost, detail: 'picture and sound of parts that are cut off' });
  else if (cuts > 0) draft.lost.push({ unit: 'parts', count: cuts, detail: 'that could not be read' });
  return draft.done(output, {
    repaired: 'The video is repaired: all of its parts are kept.',
    partly: 'The video plays again; the broken parts are left out.',
  });
}
