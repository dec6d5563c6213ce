import { Buffer } from '../../host/bytes';
import { counted, type Outcome } from '../../report';
import { readOutput, type Session, writeOutput } from '../../video/session';
import type { Source } from '../../video/source';
import { countPackets } from '../../video/verify';
import { isEssence, isIndex, isRandomIndex, type Klv, partitionKind, type Walk, walkKlv } from './klv';
import { isPicture, isSound, remake } from './remake';

const metadata = /^060e2b34025301010d01010101/;

/** The packets of the header partition up to the first essence or next partition, or none when it or its metadata is gone. */
function headOf(walk: Walk): Klv[] {
  const start = walk.klvs.findIndex(({ key }) => partitionKind(key) === 'header');
  if (start < 0) return [];
  const rest = walk.klvs.slice(start + 1);
  const end = rest.findIndex(({ key }) => partitionKind(key) !== null || isEssence(key) || isIndex(key));
  const head = walk.klvs.slice(start, start + 1 + (end < 0 ? rest.length : end));
  return head.filter(({ key }) => metadata.test(key)).length >= 4 ? head : [];
}

function footerFits(source: Source, walk: Walk): boolean {
  const header = walk.klvs.find(({ key }) => partitionKind(key) === 'header');
  if (!header || header.end - header.body < 80) return false;
  const runIn = header.offset;
  const footer = Number(source.copy(header.body + 24, 8).readBigUInt64BE(0));
  return (
    footer === 0 || walk.klvs.some(({ key, offset }) => offset === footer + runIn && partitionKind(key) === 'footer')
  );
}

/** A file whose description is gone, made anew from its picture and sound. */
async function remade(session: Session, essence: readonly Klv[]): Promise<Outcome> {
  const { draft, job } = session;
  draft.wantsSample = true;
  const made = await remake(session, essence);
  const packets = made ? await countPackets(job.outputPath, () => job.deadline.check()) : null;
  const written = made
    ? await readOutput(job, (again) => walkKlv({ ...session, tell: async () => job.deadline.check() }, again, 0, 0))
    : null;
  const frames = written?.klvs.filter((klv) => isEssence(klv.key) && isPicture(klv)).length ?? 0;
  if (!made || frames === 0)
    return draft.unrepairable(
      'The description of picture and sound is gone. A working video from the same camera would help.',
    );
  draft.step('rebuild', 'A new file was written around the picture and sound, which were told by their own data.');
  draft.note(`The picture is shown at ${Math.round(made.rate * 100) / 100} frames a second.`);
  draft.kept.push({ unit: 'frames', count: packets?.video || frames });
  const tracks = new Set(essence.filter(isSound).map((klv) => klv.key)).size;
  if (tracks > made.sounds)
    draft.lost.push({ unit: 'sound tracks', count: tracks - made.sounds, detail: 'whose format could not be told' });
  return draft.done(
    { kind: 'written' },
    {
      repaired: 'The video is repaired: picture and sound were put into a new file.',
      partly: 'The picture plays again; sound whose format is no longer told is left out.',
    },
  );
}

/** Checks and repairs MXF (SMPTE 377-1): packets one by one, partitions and footer written anew. */
export async function repairMxf(session: Session): Promise<Outcome> {
  const { source, sample, draft, job, tell } = session;
  const walk = await walkKlv(session, source, 0, 0.4);
  const essence = walk.klvs.filter(({ key }) => isEssence(key));
  const fits = footerFits(source, walk);
  let head = headOf(walk);
  if (walk.gaps.length === 0 && fits && head.length > 0 && essence.length > 0)
    return draft.healthy('Nothing is wrong with this video; you get it back as it was.');
  if (essence.length === 0)
    return draft.unrepairable('No picture or sound was found in this file, so there is nothing to bring back.');
  for (const gap of walk.gaps)
    draft.find('gap', `${counted(gap.length, 'byte')} could not be read as part of the video.`, gap.offset);
  if (!fits) draft.find('partitions', 'The end of the file, or what leads to it, was missing.');
  let headSource = source;
  if (head.length === 0) {
    draft.find('header', 'The description of picture and sound was missing or damaged.', 0);
    head = sample ? headOf(await walkKlv({ ...session, tell: async () => job.deadline.check() }, sample, 0, 0)) : [];
    if (!sample || head.length === 0) return remade(session, essence);
    headSource = sample;
    draft.note('The description of picture and sound was taken from the working video that you added.');
  }
  const firstEssence = essence[0]?.offset ?? 0;
  const inHead = new Set(headSource === source ? head.map(({ offset }) => offset) : []);
  const body = walk.klvs.filter(
    (klv) =>
      !inHead.has(klv.offset) &&
      (isEssence(klv.key) || (klv.offset > firstEssence && partitionKind(klv.key) === 'body')),
  );
  const pack = head[0];
  if (!pack) return draft.unrepairable('The description of picture and sound is gone.');
  const output = await writeOutput(job, async (sink) => {
    const value = headSource.copy(pack.body, pack.end - pack.body);
    const places: number[] = [];
    let previous = 0;
    const partition = (kind: number, fields: Buffer, headBytes: number) => {
      const place = sink.position;
      fields.writeBigUInt64BE(BigInt(place), 8);
      fields.writeBigUInt64BE(BigInt(previous), 16);
      fields.writeBigUInt64BE(BigInt(headBytes), 32);
      // Index tables spoke of places that have moved; a reader goes without them (377-1, 10.1).
      fields.writeBigUInt64BE(0n, 40);
      fields.writeUInt32BE(0, 48);
      const key = Buffer.from(pack.key, 'hex');
      key[13] = kind;
      key[14] = 4;
      const size = Buffer.alloc(4);
      size.writeUInt32BE(fields.length);
      size[0] = 0x83;
      sink.write(Buffer.concat([key, size]));
      places.push(sink.position);
      sink.write(fields);
      previous = place;
    };
    const rest = head.slice(1);
    partition(
      2,
      Buffer.from(value),
      rest.reduce((sum, klv) => sum + klv.end - klv.offset, 0),
    );
    for (const klv of rest) sink.take(headSource, klv.offset, klv.end - klv.offset);
    // Essence needs its own partition when the header's carries none (BodySID zero).
    if (value.readUInt32BE(60) === 0 && partitionKind(body[0]?.key ?? '') !== 'body') {
      const own = Buffer.from(value);
      own.writeUInt32BE(1, 60);
      partition(3, own, 0);
    }
    for (const klv of body) {
      if (partitionKind(klv.key) === 'body' && klv.end - klv.body >= 80)
        partition(3, source.copy(klv.body, klv.end - klv.body), 0);
      else if (isEssence(klv.key)) sink.take(source, klv.offset, klv.end - klv.offset);
      await tell(klv.end, 0.4, 0.8);
    }
    const footer = sink.position;
    const last = Buffer.from(value);
    last.writeBigUInt64BE(0n, 52);
    last.writeUInt32BE(0, 60);
    partition(4, last, 0);
    const at = Buffer.alloc(8);
    at.writeBigUInt64BE(BigInt(footer));
    for (const place of places) sink.patch(place + 24, at);
  });
  const again = await readOutput(job, async (written) => {
    const seen = await walkKlv(session, written, 0.8, 0.95);
    return { seen, fits: footerFits(written, seen) };
  });
  if (
    again.seen.gaps.length > 0 ||
    !again.fits ||
    again.seen.klvs.filter(({ key }) => isEssence(key)).length !== essence.length
  )
    return draft.unrepairable('The rebuilt video did not pass its own check, so it is not handed out.');
  const kind = (klv: Klv) => Number.parseInt(klv.key.slice(24, 26), 16);
  const frames = essence.filter((klv) => [0x05, 0x15].includes(kind(klv))).length;
  const sounds = essence.filter((klv) => [0x06, 0x16].includes(kind(klv))).length;
  if (frames > 0) draft.kept.push({ unit: 'frames', count: frames });
  if (sounds > 0) draft.kept.push({ unit: 'sound packets', count: sounds });
  const lost = walk.gaps
    .filter((gap) => gap.offset + gap.length > firstEssence)
    .reduce((sum, gap) => sum + gap.length, 0);
  if (lost > 0) draft.lost.push({ unit: 'bytes', count: lost, detail: 'that could not be read as part of the video' });
  if (walk.klvs.some(({ key }) => isIndex(key) || isRandomIndex(key)))
    draft.note('The index for quick jumps was left out, since places in the file have changed.');
  draft.step('rebuild', 'Partitions were written anew around every whole packet.');
  return draft.done(output, {
    repaired: 'The video is repaired: every picture and sound packet is kept.',
    partly: 'The video plays again; the damaged pictures and sound are left out.',
  });
}
