import type { VideoExamined, VideoTypes } from '../../families/video';
import { Buffer } from '../../host/bytes';
import { countPackets } from '../../readers/media';
import type { Amount, Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Sink } from '../../video/sink';
import type { Source } from '../../video/source';
import type { Seen } from '../format';
import { packetBytes } from './census';
import type { TransportParts } from './examine';
import { scanPackets, sync } from './packets';
import { hasTables, type Programme, tablePackets } from './tables';

/** Packets between two lists of the streams, so that players that begin in the middle find one. */
const tableEvery = 2000;
/** PID of the program association table (2.4.4.3, table 2-3). */
const associationPid = 0;

/** Writes the two tables, each behind the time stamp that packets of 192 bytes have in front, and before zeroes instead of check bytes. */
function writeTables(sink: Sink, programme: Programme, counter: number, stamp: Buffer, behind: number): void {
  for (const table of tablePackets(programme, counter)) {
    sink.write(stamp);
    sink.write(table);
    if (behind > 0) sink.write(Buffer.alloc(behind));
  }
}

/** Writes every whole packet in order, and lists of the streams where the file's own are gone. */
export async function rebuildTransport(
  { source, tell }: Reading,
  { parts: { scan, programme } }: VideoExamined<TransportParts>,
  sink: Sink,
): Promise<readonly Step[]> {
  if (!scan) return [];
  const { step, lead } = scan.grid;
  let written = 0;
  for (const { offset, count } of scan.runs) {
    for (let index = 0; index < count; index++) {
      const packet = source.copy(offset + index * step, step);
      packet[lead] = sync;
      if (programme && written % tableEvery === 0)
        writeTables(sink, programme, written / tableEvery, packet.subarray(0, lead), step - lead - packetBytes);
      // Broken association tables would stand against the new ones.
      const isOutdated = programme !== null && (packet.readUInt16BE(lead + 1) & 0x1fff) === associationPid;
      if (!isOutdated) sink.write(packet);
      written++;
      if ((written & 1023) === 0) await tell(offset + index * step, 0.4, 0.8);
    }
  }
  return [{ kind: 'rebuild', of: 'packets' }];
}

/** Whether what was written reads as it was meant: packets without gaps, and tables; then what a second reader counts in it. */
export async function verifyTransport(written: Source, { job, tell }: Reading): Promise<boolean | Seen<VideoTypes>> {
  const again = await scanPackets(written, (offset) => tell(offset, 0.8, 0.95));
  const isWhole = again !== null && again.gaps.length === 0 && again.unsyncedCount === 0 && hasTables(written, again);
  if (!isWhole) return false;
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  if (!packets || packets.video + packets.sound === 0) return true;
  const kept: Amount[] = [
    { unit: 'frames', count: packets.video },
    { unit: 'sound packets', count: packets.sound },
  ];
  return {
    steps: [{ kind: 'check', frames: packets.video, packets: packets.sound }],
    kept: kept.filter(({ count }) => count > 0),
  };
}
