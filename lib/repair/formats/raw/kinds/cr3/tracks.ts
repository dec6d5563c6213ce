import { type CrxShape, crxShapeOf, isKnownCrx } from '../../../../codecs/crx/headers';
import { type Box, boxesIn, topBoxes } from '../../../../core/boxes';
import type { Buffer } from '../../../../host/bytes';

/** A track of a CR3: a picture of the camera, sensor data, or what the camera noted. */
export type Track = {
  /** The whole box, and where it stands in the file. */
  box: Box;
  bytes: Buffer;
  /** Sensor data tells how it is packed; a JPEG and notes do not. */
  shape: CrxShape | null;
  /** It tells that, but nothing that a camera writes. */
  isTorn: boolean;
  isJpeg: boolean;
  /** Holds what the camera noted of the moment. Tracks of other kinds, as pictures in HEVC, are neither. */
  isNotes: boolean;
  /** Where its data stands, in bytes of the file. */
  start: number;
  length: number;
  /** Where that start is written, as 64 bits, and that length, as 32. */
  startAt: number;
  lengthAt: number;
};

/** Bytes of a sample entry before the boxes in it (ISO/IEC 14496-12, 12.1.3, and four more of Canon's). */
const entryBytes = 90;
/** Bytes before the first entry of a list of sample entries, and before the values of sizes and places. */
const listHead = 8;
/** Most tracks that are looked at; cameras write four. */
export const mostTracks = 16;

/** The tracks in a box of the whole film. */
function tracksIn(bytes: Buffer, moov: Box): Track[] {
  const { boxes } = boxesIn(bytes, moov.body, Math.min(moov.end, bytes.length));
  return boxes
    .filter(({ type }) => type === 'trak')
    .slice(0, mostTracks)
    .flatMap((box) => trackOf(bytes, box) ?? []);
}

/** The tracks to which a file leads from its beginning. */
export function tracksOf(bytes: Buffer): Track[] {
  const moov = topBoxes(bytes).boxes.find(({ type }) => type === 'moov');
  return moov ? tracksIn(bytes, moov) : [];
}

/** Reads a track; null where its lists do not tell of data. */
export function trackOf(bytes: Buffer, box: Box): Track | null {
  const list = inside(bytes, box, ['mdia', 'minf', 'stbl']);
  if (!list) return null;
  const { boxes } = boxesIn(bytes, list.body, list.end);
  const [entries, sizes, places] = ['stsd', 'stsz', 'co64'].map((type) => boxes.find((one) => one.type === type));
  if (!entries || !sizes || !places || places.end < places.body + 16 || sizes.end < sizes.body + 12) return null;
  const same = bytes.readUInt32BE(sizes.body + 4);
  const hasOwn = same === 0 && sizes.end >= sizes.body + 16;
  const start = Number(bytes.readBigUInt64BE(places.body + listHead));
  const length = hasOwn ? bytes.readUInt32BE(sizes.body + 12) : same;
  if (!Number.isSafeInteger(start) || length === 0) return null;
  return {
    box,
    bytes: bytes.subarray(box.offset, box.end),
    ...entryOf(bytes, entries),
    start,
    length,
    startAt: places.body + listHead,
    lengthAt: sizes.body + (hasOwn ? 12 : 4),
  };
}

function entryOf(bytes: Buffer, entries: Box): Pick<Track, 'shape' | 'isTorn' | 'isJpeg' | 'isNotes'> {
  const entry = boxesIn(bytes, entries.body + listHead, entries.end).boxes[0];
  if (entry?.type !== 'CRAW') return { shape: null, isTorn: false, isJpeg: false, isNotes: entry?.type === 'CTMD' };
  const { boxes } = boxesIn(bytes, entry.offset + entryBytes, entry.end);
  const found = boxes.find(({ type }) => type === 'CMP1');
  const packed = found && bytes.subarray(found.body, found.end);
  const shape = packed ? crxShapeOf(packed) : null;
  return {
    shape,
    isTorn: packed !== undefined && shape === null && isKnownCrx(packed),
    isJpeg: boxes.some(({ type }) => type === 'JPEG'),
    isNotes: false,
  };
}

function inside(bytes: Buffer, box: Box, types: readonly string[]): Box | null {
  let now: Box | undefined = box;
  for (const type of types) {
    if (!now || now.end > bytes.length) return null;
    now = boxesIn(bytes, now.body, now.end).boxes.find((one) => one.type === type);
  }
  return now ?? null;
}

/** The track with the sensor data: of those packed as that, the one with most pixels. */
export function sensorTrack(tracks: readonly Track[]): (Track & { shape: CrxShape }) | null {
  let most: (Track & { shape: CrxShape }) | null = null;
  for (const track of tracks) {
    const { shape } = track;
    if (shape && (!most || shape.width * shape.height > most.shape.width * most.shape.height))
      most = { ...track, shape };
  }
  return most;
}
