import { superframeMark, superframeMask } from '../../../codecs/bool';
import { Vp9Frames } from '../../../codecs/vp9/frames';
import { readVp9Key } from '../../../codecs/vp9/key';
import { box } from '../../../core/boxes';
import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { madeTemplate, visualEntry } from './entries';
import type { Template } from './template';
import { firstBytes, plain, type Unit, type UnitReader } from './units';

/** Bytes that are read of a frame at first, and at most. */
const firstRead = 1 << 16;
const mostRead = 8 << 20;
/** Frames of a sample at most (annex B). */
const mostFrames = 8;
/** Bytes of the uncompressed header at most, with all that is optional in it. */
const longestHeader = 256;
/** First bytes of frames: frame_marker is 2 (VP9 bitstream specification, 6.2). */
const marked = firstBytes(...Array.from({ length: 64 }, (_, index) => 0x80 + index));

/**
 * Samples of VP9 in raw data. Nothing in a frame tells its length: each is read to its last coefficient with what was read before it, and
 * libvpx ends it with zeroes that prove the end. Behind damage the next key frame begins anew.
 */
export class Vp9Samples implements UnitReader {
  readonly way = 'whole';
  readonly firstBytes = marked;
  readonly #frames = new Vp9Frames();
  /** Samples that were found, by their place: they are asked for again. */
  readonly #found = new Map<number, Unit>();

  measure(source: Source, at: number, end: number): Unit | null {
    const known = this.#found.get(at);
    if (known) return at + known.size <= end ? known : null;
    let [place, isKey, sizes] = [at, false, [] as number[]];
    while (sizes.length < mostFrames) {
      const taken = this.#frameAt(source, place, end);
      if (!taken) return null;
      sizes = [...sizes, taken.size];
      isKey ||= taken.isKey;
      place += taken.size;
      if (taken.isShown) break;
    }
    const unit = plain(place + indexBytes(source, place, end, sizes) - at, isKey);
    this.#found.set(at, unit);
    return unit;
  }

  #frameAt(source: Source, at: number, end: number) {
    if (!marked[source.read(at, 1)[0] ?? 0]) return null;
    const head = Math.min(end - at, longestHeader);
    for (let length = head; ; length = Math.min(end - at, mostRead, Math.max(firstRead, length * 4))) {
      const taken = this.#frames.take(source.copy(at, length));
      if (taken !== 'short') return taken;
      if (length >= Math.min(end - at, mostRead)) return null;
    }
  }
}

/** Bytes of the index of a superframe behind frames of these sizes (superframe_index, B.2); 0 where there is none. */
function indexBytes(source: Source, at: number, end: number, sizes: readonly number[]): number {
  const marker = source.read(at, 1)[0] ?? 0;
  const width = ((marker >> 3) & 3) + 1;
  const length = 2 + width * sizes.length;
  if ((marker & superframeMask) !== superframeMark || (marker & 7) + 1 !== sizes.length || at + length > end) return 0;
  const index = source.copy(at, length);
  const isOurs = sizes.every((size, place) => index.readUIntLE(1 + place * width, width) === size);
  return isOurs && index[length - 1] === marker ? length : 0;
}

/** How far the beginning of the data is searched, in bytes. */
const searched = 8 << 20;
/** Bytes of the head of a key frame. */
const keyHead = 16;

/** A sample description made of the head of a key frame (vpcC: VP codec ISO media file format binding, 2.2); null where there is none. */
function entryAt(source: Source, at: number): Buffer | null {
  const key = readVp9Key(source.read(at, keyHead));
  if (!key) return null;
  // Profile, level 5.1, depth with 4:2:0 beside luma, and colours that nothing tells.
  const config = box('vpcC', Buffer.from([1, 0, 0, 0, key.profile, 51, (key.depth << 4) | 2, 2, 2, 2, 0, 0]));
  return visualEntry('vp09', key.width, key.height, config);
}

/** Picture of a stream of VP9, told by the first key frame that can be read to its end; null where there is none. */
export function pictureOfVp9(source: Source, spans: readonly Span[]): Template | null {
  const sync = Buffer.from([0x49, 0x83, 0x42]);
  for (const { from, to } of spans) {
    const end = Math.min(to, from + searched);
    for (let hit = source.find(sync, from + 1, end); hit >= 0; hit = source.find(sync, hit + 1, end)) {
      const entry = entryAt(source, hit - 1);
      if (entry && new Vp9Samples().measure(source, hit - 1, to)?.key) return madeTemplate('vide', entry, 30000, 0);
    }
  }
  return null;
}
