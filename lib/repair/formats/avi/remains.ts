import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';

/** What is left of what describes one stream: the contents of `strh` and `strf` (AVI RIFF File Reference, AVISTREAMHEADER), each where it is left. */
export type Remains = { kind: 'vids' | 'auds'; head: Buffer | null; format: Buffer | null };

/** How far they are looked for, and the largest format; sizes of AVISTREAMHEADER that programs write. */
const searched = 1 << 20;
const largest = 1 << 16;
const headSizes = [48, 56, 64];
/** Bytes of BITMAPINFOHEADER, and of the shortest WAVEFORMATEX, which is one of PCM. */
const bitmapBytes = 40;
const leastWave = 14;
/** Sizes, rates and channels that there may be. */
const mostPixels = 16_384;
const rates = { least: 2000, most: 200_000 };
const mostChannels = 16;

const strh = Buffer.from('strh');
const strf = Buffer.from('strf');

/** A chunk that lies whole in the bytes. */
function contentAt(bytes: Buffer, at: number): Buffer | null {
  if (at + 8 > bytes.length) return null;
  const length = bytes.readUInt32LE(at + 4);
  return length <= largest && at + 8 + length <= bytes.length ? bytes.subarray(at + 8, at + 8 + length) : null;
}

function headAt(bytes: Buffer, at: number): Remains | null {
  const content = contentAt(bytes, at);
  if (!content || !headSizes.includes(content.length)) return null;
  const kind = content.toString('latin1', 0, 4);
  const isClock = content.readUInt32LE(20) > 0 && content.readUInt32LE(24) > 0;
  return isClock && (kind === 'vids' || kind === 'auds') ? { kind, head: Buffer.from(content), format: null } : null;
}

/** Whether this describes pictures (BITMAPINFOHEADER), or sound (WAVEFORMATEX). */
function kindOf(format: Buffer): Remains['kind'] | null {
  if (format.length >= bitmapBytes && format.readUInt32LE(0) >= bitmapBytes && format.readUInt16LE(12) <= 1) {
    const [width, height] = [format.readInt32LE(4), Math.abs(format.readInt32LE(8))];
    if (width > 0 && width <= mostPixels && height > 0 && height <= mostPixels) return 'vids';
  }
  if (format.length < leastWave) return null;
  const [channels, hertz] = [format.readUInt16LE(2), format.readUInt32LE(4)];
  const isSound = channels > 0 && channels <= mostChannels && hertz >= rates.least && hertz <= rates.most;
  return isSound && format.readUInt32LE(8) > 0 && format.readUInt16LE(12) > 0 ? 'auds' : null;
}

/** What is left of the descriptions of streams before the first chunk, in their order. */
export function remainsOf(source: Source, before: number): Remains[] {
  const bytes = source.copy(0, Math.min(before, searched));
  const found: Remains[] = [];
  let end = -1;
  for (let at = 0; at + 8 <= bytes.length; at++) {
    const isHead = bytes.compare(strh, 0, 4, at, at + 4) === 0;
    if (!isHead && bytes.compare(strf, 0, 4, at, at + 4) !== 0) continue;
    const head = isHead ? headAt(bytes, at) : null;
    if (head) {
      found.push(head);
      end = at + 8 + (head.head?.length ?? 0);
      at = end - 1;
      continue;
    }
    const format = isHead ? null : contentAt(bytes, at);
    const kind = format && kindOf(format);
    if (!format || !kind) continue;
    const own = at === end ? found.at(-1) : undefined;
    if (own?.kind === kind) own.format = Buffer.from(format);
    else found.push({ kind, head: null, format: Buffer.from(format) });
    at += 7 + format.length;
  }
  return found;
}

/** What is left of the stream that is number `index` of `count` of its kind: the last ones are, where not all are. */
export function remainsFor(
  found: readonly Remains[],
  kind: Remains['kind'],
  index: number,
  count: number,
): Remains | null {
  const own = found.filter((one) => one.kind === kind);
  return own.length > count ? null : (own[index - (count - own.length)] ?? null);
}
