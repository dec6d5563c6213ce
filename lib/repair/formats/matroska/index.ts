import { Buffer } from '../../host/bytes';
import { counted, type Outcome } from '../../report';
import {
  addMending,
  copiedMended,
  type Mending,
  mendFrames,
  noteMending,
  nothingMended,
  setsOf,
  unitReaderFor,
} from '../../video/mend';
import { countOverwritten, givenBack, noteOverwritten } from '../../video/overwritten';
import { readOutput, type Session, writeOutput } from '../../video/session';
import type { Source } from '../../video/source';
import { countPackets } from '../../video/verify';
import { mendBlocks } from './blocks';
import { eight, element, elementAt, ids, numberIn } from './elements';
import { wrongSums } from './sums';
import { type ToldTracks, tellTracks } from './tell';
import { type Walk, walkSegment } from './walk';

type Track = { kind: number; codec: string; setup: Buffer | null };

/** Kinds and codecs of tracks in a Tracks element by their numbers (RFC 9559, 5.1.4): kind 1 is picture, 2 sound. Empty when it is broken. */
function tracksOf(source: Source, walk: Walk): Map<number, Track> {
  const found = new Map<number, Track>();
  const tracks = walk.parts.find((part) => part.id === ids.tracks);
  if (!tracks) return found;
  for (let at = tracks.body; at < tracks.end; ) {
    const entry = elementAt(source, at);
    if (!entry || entry.end > tracks.end) return new Map();
    let number = 0;
    const track: Track = { kind: 0, codec: '', setup: null };
    for (let inner = entry.body; entry.id === 0xae && inner < entry.end; ) {
      const child = elementAt(source, inner);
      if (!child || child.end > entry.end) return new Map();
      if (child.id === 0xd7) number = numberIn(source, child);
      if (child.id === 0x83) track.kind = source.read(child.body, 1)[0] ?? 0;
      if (child.id === 0x86)
        track.codec = source.read(child.body, Math.min(64, child.end - child.body)).toString('latin1');
      if (child.id === 0x63a2) track.setup = source.copy(child.body, Math.min(65536, child.end - child.body));
      inner = child.end;
    }
    if (number > 0) found.set(number, track);
    at = entry.end;
  }
  return found;
}

const kindsOf = (tracks: ReadonlyMap<number, Track>) =>
  new Map([...tracks].map(([number, { kind }]) => [number, kind]));

/** The blocks of tracks whose codec leaves no runs of zeroes, by the names of RFC 9559's codec mappings. */
function* packedFrames(walk: Walk, tracks: ReadonlyMap<number, Track>): Generator<{ from: number; to: number }> {
  for (const cluster of walk.clusters)
    for (const { track, data, dataEnd } of cluster.blocks)
      if (/^V_(?:MPEG4\/ISO\/AVC|MPEGH\/ISO\/HEVC|VP9|AV1)/.test(tracks.get(track)?.codec ?? ''))
        yield { from: data, to: dataEnd };
}

/** Sets wrong bits right in the frames of tracks whose slices can be read. */
async function mendTracks(session: Session, walk: Walk, tracks: ReadonlyMap<number, Track>): Promise<Mending> {
  const all = nothingMended();
  for (const [number, { codec, setup }] of tracks) {
    const kind = codec === 'V_MPEG4/ISO/AVC' ? 'avc' : codec === 'V_MPEGH/ISO/HEVC' ? 'hevc' : null;
    const reader = kind && setup ? unitReaderFor(kind, setsOf(kind, setup), session.job.deadline.effort) : null;
    if (!reader) continue;
    const blocks = walk.clusters.flatMap((cluster) => cluster.blocks.filter(({ track }) => track === number));
    const frames = blocks
      .filter(({ lacing }) => lacing === 0)
      .map(({ data, dataEnd }) => ({ from: data, to: dataEnd }));
    addMending(all, await mendFrames(session, reader, frames));
  }
  return all;
}

/** Checks and repairs Matroska (RFC 9559): head, open or wrong sizes, clusters one by one, index. */
export async function repairMatroska(session: Session): Promise<Outcome> {
  const { source, draft, job, sample, tell } = session;
  const walk = await walkSegment(session, source, 0, 0.4);
  const described = tracksOf(source, walk);
  let kinds = kindsOf(described);
  const blocks = walk.clusters.reduce((sum, cluster) => sum + cluster.blocks.length, 0);
  const overwritten = countOverwritten(source, packedFrames(walk, described));
  noteOverwritten(draft, overwritten);
  const heads = kinds.size > 0 ? mendBlocks(session, walk, new Set(kinds.keys())) : { mended: 0, stray: 0 };
  const mending = await mendTracks(session, walk, described);
  noteMending(draft, mending);
  const sums = await wrongSums(session, walk);
  if (sums.clusters > 0) {
    const parts = counted(sums.clusters, 'part');
    draft.find('sums', `The check sum of ${parts} of the video does not fit what it holds.`, sums.offset);
    draft.lost.push({ unit: 'parts', count: sums.clusters, detail: 'in which bytes were changed' });
  }
  const intact =
    walk.headOk && walk.sizeOk && walk.gaps.length === 0 && kinds.size > 0 && blocks > 0 && heads.stray === 0;
  const frames = walk.clusters.reduce(
    (sum, { blocks }) => sum + blocks.filter(({ track }) => kinds.get(track) === 1).length,
    0,
  );
  if (intact && mending.mended + heads.mended > 0) return copiedMended(session, frames);
  if (intact && overwritten.frames + sums.clusters + mending.broken > 0) return givenBack(draft, frames);
  if (intact) return draft.healthy('Nothing is wrong with this video; you get it back as it was.');
  if (blocks === 0)
    return draft.unrepairable('No picture or sound was found in this file, so there is nothing to bring back.');
  if (!walk.headOk) draft.find('header', 'The beginning that says what the file is was missing or damaged.', 0);
  else if (!walk.sizeOk) draft.find('sizes', 'The sizes in the file do not fit what it holds.', source.size);
  for (const gap of walk.gaps)
    draft.find('gap', `${counted(gap.length, 'byte')} could not be read as part of the video.`, gap.offset);
  let tracksSource = source;
  let told: ToldTracks | null = null;
  let tracks = walk.parts.find((part) => part.id === ids.tracks);
  if (kinds.size === 0) {
    draft.find('tracks', 'The description of the tracks was missing or damaged.');
    const other = sample
      ? await walkSegment({ ...session, tell: async () => job.deadline.check() }, sample, 0, 0)
      : null;
    kinds = sample && other ? kindsOf(tracksOf(sample, other)) : kinds;
    tracks = other?.parts.find((part) => part.id === ids.tracks);
    if (!sample || !tracks || kinds.size === 0) {
      draft.wantsSample = true;
      told = await tellTracks(session, walk);
      if (!told)
        return draft.unrepairable(
          'The description of the tracks of this video is gone. A working video from the same camera would help.',
        );
      kinds = told.kinds;
      draft.step('tracks', `What ${counted(kinds.size, 'track')} hold was told from their frames.`);
      if (![...kinds.values()].includes(1))
        draft.note('Only sound could be told. For the pictures a working video from the same camera is needed.');
      if (told.unknown.length > 0)
        draft.lost.push({ unit: 'tracks', count: told.unknown.length, detail: 'of which nothing tells the codec' });
    } else {
      tracksSource = sample;
      draft.note('The description of the tracks was taken from the working video that you added.');
    }
  }
  const known = walk.clusters
    .map((cluster) => ({ ...cluster, blocks: cluster.blocks.filter((block) => kinds.has(block.track)) }))
    .filter((cluster) => cluster.blocks.length > 0);
  const head = walk.headOk ? elementAt(source, 0) : null;
  const output = await writeOutput(job, async (sink) => {
    if (head) sink.take(source, 0, head.end);
    else
      sink.write(
        element(
          ids.ebml,
          element(0x4282, Buffer.from('matroska')),
          element(0x4287, Buffer.from([4])),
          element(0x4285, Buffer.from([2])),
        ),
      );
    sink.write(Buffer.from('18538067', 'hex'));
    const sizeAt = sink.position;
    sink.write(Buffer.alloc(8));
    const start = sink.position;
    const seek = (place: number) =>
      element(
        ids.seek,
        element(0x4dbb, element(0x53ab, Buffer.from('1c53bb6b', 'hex')), element(0x53ac, eight(place))),
      );
    sink.write(seek(0));
    const info = walk.parts.find((part) => part.id === ids.info);
    if (info) sink.take(source, info.offset, info.end - info.offset);
    else
      sink.write(
        element(
          ids.info,
          element(0x2ad7b1, eight(1_000_000)),
          element(0x4d80, Buffer.from('mendara')),
          element(0x5741, Buffer.from('mendara')),
        ),
      );
    if (told) sink.write(told.tracks);
    else if (tracks) sink.take(tracksSource, tracks.offset, tracks.end - tracks.offset);
    for (const part of walk.parts)
      if (part.id === ids.tags || part.id === ids.chapters || part.id === ids.attachments)
        sink.take(source, part.offset, part.end - part.offset);
    const cues: Buffer[] = [];
    for (const cluster of known) {
      const place = sink.position - start;
      const keyed = cluster.blocks.find((block) => block.key && kinds.get(block.track) === 1);
      if (keyed)
        cues.push(
          element(
            0xbb,
            element(0xb3, eight(cluster.time)),
            element(0xb7, element(0xf7, Buffer.from([keyed.track])), element(0xf1, eight(place))),
          ),
        );
      const length = cluster.blocks.reduce((sum, block) => sum + block.end - block.offset, 0);
      const time = element(ids.time, eight(cluster.time));
      const size = Buffer.alloc(8);
      size.writeBigUInt64BE(BigInt(length + time.length) | (1n << 56n));
      sink.write(Buffer.concat([Buffer.from('1f43b675', 'hex'), size, time]));
      for (const block of cluster.blocks) sink.take(source, block.offset, block.end - block.offset);
      await tell(cluster.blocks.at(-1)?.end ?? 0, 0.4, 0.8);
    }
    const cuesAt = sink.position - start;
    sink.write(element(ids.cues, ...cues));
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(sink.position - start) | (1n << 56n));
    sink.patch(sizeAt, size);
    sink.patch(start, seek(cuesAt));
  });
  const count = known.reduce((sum, cluster) => sum + cluster.blocks.length, 0);
  const again = await readOutput(job, (written) => walkSegment(session, written, 0.8, 0.95));
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  if (
    !again.headOk ||
    !again.sizeOk ||
    again.gaps.length > 0 ||
    again.clusters.reduce((sum, one) => sum + one.blocks.length, 0) !== count
  )
    return draft.unrepairable('The rebuilt video did not pass its own check, so it is not handed out.');
  if (packets)
    draft.step(
      'check',
      `Opened again: ${counted(packets.video, 'frame')} and ${counted(packets.sound, 'sound packet')} were read.`,
    );
  for (const [unit, kind] of [
    ['frames', 1],
    ['sound packets', 2],
  ] as const) {
    const kept = known.reduce(
      (sum, cluster) => sum + cluster.blocks.filter((block) => kinds.get(block.track) === kind).length,
      0,
    );
    if (kept > 0) draft.kept.push({ unit, count: kept });
  }
  const first = walk.gaps.filter((gap) => walk.headOk || gap.offset > 0);
  const lost = first.reduce((sum, gap) => sum + gap.length, 0);
  if (lost > 0)
    draft.lost.push({ unit: 'bytes', count: lost, detail: 'of pictures and sound that were cut or overwritten' });
  else if (walk.headOk && !walk.sizeOk && (walk.segment?.end ?? 0) > source.size)
    draft.note('The file may once have been longer; everything that it holds now is kept.');
  draft.step('rebuild', 'Head, sizes and index were written anew around every whole block.');
  return draft.done(output, {
    repaired: 'The video is repaired: every picture and sound packet in the file is kept.',
    partly: [...kinds.values()].includes(1)
      ? 'The video plays again; the damaged pictures and sound are left out.'
      : 'Only the sound of this video could be brought back.',
  });
}
