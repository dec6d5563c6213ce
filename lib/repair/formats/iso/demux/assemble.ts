import { box, boxesIn, words } from '../../../core/boxes';
import { Buffer } from '../../../host/bytes';
import { boxBytes } from '../boxsizes';
import { type Located, sampleState } from '../locate';
import type { Movie } from '../movie';
import type { Track } from '../track';
import type { Found } from './demux';
import { displayOrder } from './order';
import type { Template } from './template';

/** A copy of a full box (ISO/IEC 14496-12, 4.2) with fields of its versions 0 and 1 set; `dates` clears the two times behind the flags. */
function patchedHeader(raw: Buffer, fields: { narrow: number; wide: number; value: number; long: boolean }[]): Buffer {
  const copy = Buffer.from(raw);
  const wide = copy[8] === 1;
  copy.fill(0, 12, Math.min(copy.length, wide ? 28 : 20));
  for (const field of fields) {
    const at = wide ? field.wide : field.narrow;
    if (at + (wide && field.long ? 8 : 4) > copy.length) continue;
    if (wide && field.long) copy.writeBigUInt64BE(BigInt(Math.round(field.value)), at);
    else copy.writeUInt32BE(Math.min(0xffffffff, Math.round(field.value)), at);
  }
  return copy;
}

type Edit = { empty: boolean; length: number; mediaTime: number };

/** The edits of a track (8.6.6): lengths in the movie's timescale, media times in the track's. */
function editsOf(raw: Map<string, Buffer>): Edit[] {
  const edts = raw.get('edts');
  const elst =
    raw.get('elst') ??
    (edts
      ? edts.subarray(boxesIn(edts, 8, edts.length).boxes.find(({ type }) => type === 'elst')?.offset ?? edts.length)
      : undefined);
  if (!elst || elst.length < boxBytes.elst) return [];
  const wide = elst[8] === 1;
  const width = wide ? 20 : 12;
  const count = Math.min(elst.readUInt32BE(12), Math.floor((elst.length - 16) / width), 100);
  return Array.from({ length: count }, (_, index) => {
    const at = 16 + index * width;
    const length = wide ? Number(elst.readBigUInt64BE(at)) : elst.readUInt32BE(at);
    const mediaTime = wide ? Number(elst.readBigInt64BE(at + 8)) : elst.readInt32BE(at + 4);
    return { empty: mediaTime === -1, length, mediaTime };
  });
}

function editBox(edits: readonly Edit[]): Buffer {
  const entries = edits.map(({ empty, length, mediaTime }) => words(length, empty ? 0xffffffff : mediaTime, 0x10000));
  return box('edts', box('elst', words(0, edits.length), ...entries));
}

/** One track to write: its template and the samples found. */
export type Part = { template: Template; found: Found; orderRange: number };

function partTrack(part: Part, id: number, movieScale: number): Located {
  const { template, found } = part;
  const { timescale, step } = template;
  const count = found.sizes.length;
  const own = template.durations?.length === count ? template.durations : null;
  const block = template.block;
  const durations = own ?? Uint32Array.from(found.sizes, (size) => (block > 0 ? size / block : 1) * step);
  let compositions = own ? template.compositions : null;
  let mediaTime = 0;
  const edits = editsOf(template.raw);
  const start = edits.find(({ empty }) => !empty)?.mediaTime ?? 0;
  if (compositions || template.kind !== 'vide') mediaTime = start;
  else {
    const order = displayOrder(found, part.orderRange);
    if (order) {
      compositions = order.shifts.map((shift) => shift * step);
      mediaTime = order.delay * step;
    }
  }
  const total = durations.reduce((sum, value) => sum + value, 0);
  const lead = edits[0]?.empty ? [edits[0]] : [];
  // Reordered pictures are shown for as long as they last; the lead-in of sound is not heard.
  const heard = template.kind === 'vide' ? total : Math.max(0, total - mediaTime);
  const length = (heard * movieScale) / timescale;
  const wait = lead.reduce((sum, edit) => sum + edit.length, 0);
  const raw = new Map(template.raw);
  for (const name of ['edts', 'elst', 'tref', 'udta', 'meta', 'load', 'cslg', 'sgpd', 'sbgp', 'sdtp', 'stps', 'ctts'])
    raw.delete(name);
  if (mediaTime > 0 || lead.length > 0) raw.set('edts', editBox([...lead, { empty: false, length, mediaTime }]));
  const tkhd = raw.get('tkhd');
  if (tkhd && tkhd.length >= boxBytes.tkhd)
    raw.set(
      'tkhd',
      patchedHeader(tkhd, [
        { narrow: 20, wide: 28, value: id, long: false },
        { narrow: 28, wide: 36, value: length + wait, long: true },
      ]),
    );
  const mdhd = raw.get('mdhd');
  if (mdhd && mdhd.length >= 32)
    raw.set('mdhd', patchedHeader(mdhd, [{ narrow: 24, wide: 32, value: total, long: true }]));
  const track: Track = {
    id,
    kind: template.kind,
    codec: template.codec,
    timescale,
    lengthBytes: /^(avc[1-4]|hvc1|hev1|dvh[1e]|dva[1v])$/.test(template.codec) ? 4 : 0,
    inside: true,
    raw,
    stsd: template.stsd,
    sizes: Uint32Array.from(found.sizes),
    offsets: Float64Array.from(found.offsets),
    durations,
    compositions,
    keys: found.keys.includes(0) ? Uint8Array.from(found.keys) : null,
    entries: null,
    chunks: new Uint32Array(),
    block,
    unit: block,
    agreed: true,
  };
  return {
    track,
    offsets: track.offsets,
    sizes: track.sizes,
    states: new Uint8Array(count).fill(sampleState.whole),
    moved: 0,
    judged: true,
  };
}

/** A movie and its tracks from what was found; the movie's header comes from `header` where there is one. */
export function assemble(
  parts: readonly Part[],
  header: Buffer | undefined,
  firstId = 1,
): { movie: Movie; located: Located[] } {
  const usable = header && header.length >= boxBytes.mvhd ? header : undefined;
  const scale = usable ? usable.readUInt32BE(usable[8] === 1 ? 28 : 20) || 1000 : 1000;
  const located = parts.map((part, index) => partTrack(part, index + firstId, scale));
  const longest = Math.max(
    0,
    ...located.map(({ track }) => (track.durations.reduce((sum, value) => sum + value, 0) * scale) / track.timescale),
  );
  const raw = new Map<string, Buffer>();
  if (usable) {
    const copy = patchedHeader(usable, [{ narrow: 24, wide: 32, value: longest, long: true }]);
    copy.writeUInt32BE(parts.length + firstId, copy.length - 4);
    raw.set('mvhd', copy);
  }
  return {
    movie: {
      tracks: located.map(({ track }) => track),
      broken: [],
      undescribed: [],
      raw,
      whole: true,
      fragmented: false,
      skipped: 0,
      gone: new Set(),
    },
    located,
  };
}
