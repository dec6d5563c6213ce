import type { Source } from '../../video/source';
import { nearInTime } from './elements';
import type { Block, Cluster, Walk } from './walk';

/** Bytes at the beginning of a gap in which the head of a block may stand: those of its element and of the group around it. */
const headRoom = 12;

/** Whether a block of one of these tracks begins here, of which only the element's own head is broken: its track and time follow (RFC 9559, 10.1). */
function beginsBlock(source: Source, at: number, before: Block, tracks: ReadonlySet<number>): boolean {
  const head = source.read(at, headRoom);
  for (let place = 1; place + 4 <= head.length; place++) {
    const byte = head[place] ?? 0;
    const isTrack = byte > 0x80 && tracks.has(byte & 0x7f);
    if (isTrack && Math.abs(head.readInt16BE(place + 1) - before.time) < nearInTime) return true;
  }
  return false;
}

/**
 * Clusters without the frames of AV1 that end where nothing begins, since bytes were lost or put in before their end, and how many those
 * are. Decoders of AV1 stop at such a frame, or show nothing up to the end; without it they go on at
 * the next one that stands alone.
 */
export function withoutTorn(
  source: Source,
  { gaps }: Walk,
  clusters: readonly Cluster[],
  codecs: ReadonlyMap<number, string>,
): { clusters: Cluster[]; torn: number } {
  const starts = new Set(gaps.map(({ offset }) => offset));
  const tracks = new Set(codecs.keys());
  const isTorn = (block: Block) =>
    codecs.get(block.track) === 'V_AV1' && starts.has(block.end) && !beginsBlock(source, block.end, block, tracks);
  let torn = 0;
  const whole = clusters.map((cluster) => {
    const blocks = cluster.blocks.filter((block) => !isTorn(block));
    torn += cluster.blocks.length - blocks.length;
    return { ...cluster, blocks };
  });
  return { clusters: whole.filter(({ blocks }) => blocks.length > 0), torn };
}
