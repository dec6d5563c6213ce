import { unitReaderFor } from '../../codecs/following';
import type { UnitReader } from '../../codecs/units';
import { encrypted, type VideoExamined } from '../../families/video';
import type { Damage, Loss, Rebuilt, Remark } from '../../report/facts/video';
import { addMending, factsOf, type Mending, mendUnits, nothingMended } from '../../video/mend';
import { mendMpeg2, planeReaderFor } from '../../video/pictures';
import type { Reading } from '../../video/session';
import { setsAmong } from '../../video/startcodes';
import { factsOfHeads, mendHeads, tornPackets } from './heads';
import { type Scan, scanPackets } from './packets';
import { hasTables, isPictureType, type Programme, streamTypes, tellStreams } from './tables';
import { unitsOfStream } from './units';

/** What survives of a file: its packets, and the streams that are listed anew where the file's own list is gone. */
export type TransportParts = { scan: Scan | null; programme: Programme | null };

/** Reader of the pictures of a stream by its type and by the parameter sets, or the layer, in it; null for those that are read otherwise or not at all. */
function readerOf({ source, job }: Reading, scan: Scan, pid: number, type: number): UnitReader | null {
  const { effort } = job.deadline;
  const units = () => unitsOfStream(source, scan, pid);
  if (type === streamTypes.mpeg4) return planeReaderFor(null, units(), effort);
  const codec = type === streamTypes.avc ? 'avc' : type === streamTypes.hevc ? 'hevc' : null;
  return codec && unitReaderFor(codec, setsAmong(units(), codec), effort);
}

/** Codecs of which one PES packet holds one picture. */
const counted: readonly number[] = [streamTypes.avc, streamTypes.hevc, streamTypes.mpeg4];

/** Streams whose pictures are read, each in passes over the whole file: a multiplex holds fewer, a made file may name thousands. */
const mostStreams = 16;

/** The streams of which most pictures begin. */
function largest(scan: Scan, streams: Programme['streams']): Programme['streams'] {
  if (streams.length <= mostStreams) return streams;
  const startsOf = (pid: number) => scan.pids.get(pid)?.starts ?? 0;
  const pictures = streams.filter(({ type }) => isPictureType(type));
  return pictures.sort((one, other) => startsOf(other.pid) - startsOf(one.pid)).slice(0, mostStreams);
}

/** Sets wrong bits right in the pictures of all streams; how many pictures begin in those that tell. */
async function mendStreams(
  reading: Reading,
  scan: Scan,
  { streams }: Programme,
): Promise<{ mending: Mending; frames: number }> {
  const { source } = reading;
  const mending = nothingMended();
  let frames = 0;
  for (const { pid, type } of streams) if (counted.includes(type)) frames += scan.pids.get(pid)?.starts ?? 0;
  for (const { pid, type } of largest(scan, streams)) {
    if (type === streamTypes.mpeg2)
      addMending(mending, await mendMpeg2(reading, () => unitsOfStream(source, scan, pid)));
    const reader = readerOf(reading, scan, pid, type);
    if (reader) addMending(mending, await mendUnits(reading, reader, unitsOfStream(source, scan, pid)));
  }
  return { mending, frames };
}

function damagesOf(scan: Scan, isListed: boolean): Damage[] {
  const damages: Damage[] = scan.gaps.map(({ offset, length }) => ({ kind: 'gap', bytes: length, offset }));
  for (const offset of scan.unsynced) damages.push({ kind: 'sync', offset });
  if (!isListed) damages.push({ kind: 'tables', of: 'streams' });
  return damages;
}

/** Surveys a transport stream (ISO/IEC 13818-1): the grid of its packets, their counters, its tables, and its pictures. */
export async function examineTransport(reading: Reading): Promise<VideoExamined<TransportParts>> {
  const { source, tell } = reading;
  const scan = await scanPackets(source, (offset) => tell(offset, 0, 0.4));
  const units = scan ? [...scan.pids.values()].reduce((sum, { starts }) => sum + starts, 0) : 0;
  const nothing = {
    damages: [],
    inside: [],
    steps: [],
    remarks: [],
    kept: [],
    rebuilt: [],
    lost: [],
    wantsSample: false,
  };
  if (!scan || units === 0) return { ...nothing, hopeless: 'empty', parts: { scan, programme: null } };
  // Pictures and sound are most packets of every programme.
  if (scan.scrambled * 2 > scan.total) return encrypted({ scan, programme: null });
  const heads = factsOfHeads(mendHeads(source, scan));
  const isListed = hasTables(source, scan);
  const told = tellStreams(source, scan);
  const { mending, frames } = await mendStreams(reading, scan, told.programme);
  const mended = factsOf(mending);
  const torn = tornPackets(scan, told.programme);
  const inside = [...torn.damages, ...mended.damages];
  const damages = [...damagesOf(scan, isListed), ...heads.damages];
  const remarks: Remark[] = scan.jumps > 0 ? [{ kind: 'jumps', count: scan.jumps }] : [];
  if (damages.length === 0)
    return {
      ...nothing,
      ...{ inside, steps: mended.steps, rebuilt: mended.rebuilt, lost: [...torn.lost, ...mended.lost], remarks },
      kept: [{ unit: 'frames', count: Math.max(0, frames - torn.frames) }],
      hopeless: null,
      parts: { scan, programme: null },
    };
  const listed = isListed ? null : told;
  const streams = listed?.programme.streams.length ?? 0;
  const rebuilt: Rebuilt[] = [...heads.rebuilt, ...mended.rebuilt];
  if (scan.unsyncedCount > 0) rebuilt.push({ unit: 'packet starts', count: scan.unsyncedCount, how: 'anew' });
  if (listed) rebuilt.push({ unit: 'stream lists', count: 1, how: 'told', streams });
  const lost: Loss[] = [...torn.lost, ...mended.lost];
  const stray = scan.gaps.reduce((sum, { length }) => sum + length, 0);
  if (stray > 0) lost.push({ unit: 'bytes', count: stray, how: 'stray' });
  if (listed && listed.unknown > 0) lost.push({ unit: 'streams', count: listed.unknown, how: 'untold' });
  return {
    ...nothing,
    ...{ damages, inside, steps: mended.steps, remarks, rebuilt, lost },
    kept: [{ unit: 'transport packets', count: scan.total }],
    hopeless: listed && streams === 0 ? 'streamsGone' : null,
    parts: { scan, programme: listed?.programme ?? null },
  };
}
