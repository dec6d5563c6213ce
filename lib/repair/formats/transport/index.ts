import { Buffer } from '../../host/bytes';
import { counted, type Outcome } from '../../report';
import {
  addMending,
  copiedMended,
  type Mending,
  mendUnits,
  noteMending,
  nothingMended,
  unitReaderFor,
} from '../../video/mend';
import { givenBack } from '../../video/overwritten';
import { readOutput, type Session, writeOutput } from '../../video/session';
import { countPackets } from '../../video/verify';
import { type Scan, scanPackets } from './packets';
import { hasTables, tablePackets, tellStreams } from './tables';
import { unitsOfStream } from './units';

const tableEvery = 2000;

/** Units at the beginning of a stream among which its parameter sets are looked for. */
const looked = 400;

/** Sets wrong bits right in the pictures of H.264 and HEVC, by the parameter sets in the stream. */
async function mendStreams(session: Session, scan: Scan): Promise<{ mending: Mending; frames: number }> {
  const mending = nothingMended();
  let frames = 0;
  for (const { pid, type } of tellStreams(session.source, scan).programme.streams) {
    if (type !== 0x1b && type !== 0x24) continue;
    frames += scan.pids.get(pid)?.starts ?? 0;
    const sets = new Map<string, Buffer>();
    let seen = 0;
    for (const { bytes } of unitsOfStream(session.source, scan, pid)) {
      const kind = type === 0x1b ? (bytes[0] ?? 0) & 31 : ((bytes[0] ?? 0) >> 1) & 63;
      if (type === 0x1b ? kind === 7 || kind === 8 : kind === 33 || kind === 34)
        sets.set(bytes.toString('latin1'), bytes);
      if (++seen > looked) break;
    }
    const reader = unitReaderFor(type === 0x1b ? 'avc' : 'hevc', [...sets.values()], session.job.deadline.effort);
    if (reader) addMending(mending, await mendUnits(session, reader, unitsOfStream(session.source, scan, pid)));
  }
  return { mending, frames };
}

/** Checks and repairs transport streams of 188 and 192 bytes a packet: MTS, M2TS and TS (ISO/IEC 13818-1). */
export async function repairTransport(session: Session): Promise<Outcome> {
  const { source, draft, job, tell } = session;
  const scan = await scanPackets(session, source, 0, 0.4);
  const units = scan ? [...scan.pids.values()].reduce((sum, pid) => sum + pid.starts, 0) : 0;
  if (!scan || units === 0)
    return draft.unrepairable('No packets of a video could be found in this file, so there is nothing to bring back.');
  const tables = hasTables(source, scan);
  if (scan.jumps > 0)
    draft.note(
      `In ${counted(scan.jumps, 'place')} packets are missing from the recording; what was never in the file cannot come back.`,
    );
  const { mending, frames } = await mendStreams(session, scan);
  noteMending(draft, mending);
  const intact = scan.gaps.length === 0 && scan.unsyncedCount === 0 && tables;
  if (intact && mending.mended > 0) return copiedMended(session, frames);
  if (intact && mending.broken > 0) return givenBack(draft, frames);
  if (intact) return draft.healthy('Nothing is wrong with this video; you get it back as it was.');
  const told = tables ? null : tellStreams(source, scan);
  if (told && told.programme.streams.length === 0)
    return draft.unrepairable(
      'The list of the streams in this video is gone, and their kinds can’t be told from what is left.',
    );
  for (const gap of scan.gaps)
    draft.find('gap', `${counted(gap.length, 'byte')} did not belong to whole packets.`, gap.offset);
  for (const offset of scan.unsynced) draft.find('sync', 'The mark at the start of a packet was overwritten.', offset);
  if (told) draft.find('tables', 'The list of the streams in the video was missing or damaged.');
  let stamp = 0;
  const output = await writeOutput(job, async (sink) => {
    let written = 0;
    const lead = scan.grid.lead;
    for (const run of scan.runs) {
      for (let index = 0; index < run.count; index++) {
        const packet = source.copy(run.offset + index * scan.grid.step, scan.grid.step);
        packet[lead] = 0x47;
        if (lead > 0) stamp = packet.readUInt32BE(0);
        if (told && written % tableEvery === 0) {
          for (const table of tablePackets(told.programme, written / tableEvery)) {
            const time = Buffer.alloc(lead);
            if (lead > 0) time.writeUInt32BE(stamp);
            sink.write(time);
            sink.write(table);
          }
        }
        const pid = packet.readUInt16BE(lead + 1) & 0x1fff;
        // Broken association tables would stand against the new ones.
        if (!(told && pid === 0)) sink.write(packet);
        written++;
        if ((written & 1023) === 0) await tell(run.offset + index * scan.grid.step, 0.4, 0.8);
      }
    }
  });
  const checked = await readOutput(job, async (again) => {
    const seen = await scanPackets(session, again, 0.8, 0.95);
    return seen !== null && seen.gaps.length === 0 && seen.unsyncedCount === 0 && hasTables(again, seen);
  });
  if (!checked) return draft.unrepairable('The rebuilt video did not pass its own check, so it is not handed out.');
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  if (packets && packets.video + packets.sound > 0) {
    draft.step(
      'check',
      `Opened again: ${counted(packets.video, 'frame')} and ${counted(packets.sound, 'sound packet')} were read.`,
    );
    if (packets.video > 0) draft.kept.push({ unit: 'frames', count: packets.video });
    if (packets.sound > 0) draft.kept.push({ unit: 'sound packets', count: packets.sound });
  }
  draft.kept.push({ unit: 'transport packets', count: scan.total });
  if (scan.unsyncedCount > 0) draft.rebuilt.push({ unit: 'packet starts', count: scan.unsyncedCount });
  if (told)
    draft.rebuilt.push({
      unit: 'stream lists',
      count: 1,
      detail: `${counted(told.programme.streams.length, 'stream')} told by their content`,
    });
  const dropped = scan.gaps.reduce((sum, gap) => sum + gap.length, 0);
  if (dropped > 0) draft.lost.push({ unit: 'bytes', count: dropped, detail: 'that did not belong to whole packets' });
  if (told && told.unknown > 0)
    draft.lost.push({ unit: 'streams', count: told.unknown, detail: 'whose kind could not be told' });
  draft.step('rebuild', 'Every whole packet was written in order.');
  return draft.done(output, {
    repaired: 'The video is repaired: every packet of the recording is kept.',
    partly: 'The video plays again; what did not belong to whole packets is left out.',
  });
}
