import { Buffer } from '../../host/bytes';
import { isPicture, isSound, type Movi } from './chunks';
import { chunkOf } from './headers';
import { tags } from './soundcodes';

/** The head of a chunk: its code and its size; a list has its kind behind them (RIFF, Multimedia Programming Interface 1.0). */
const [headBytes, kindBytes] = [8, 4];

/** Bytes of a stream header (AVISTREAMHEADER), and the fewest of a stream's format that are believed (WAVEFORMAT without its last field). */
const [streamBytes, leastFormat] = [56, 14];

const codeAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + kindBytes);
const isCode = (code: string) => /^[A-Za-z0-9 _]{4}$/.test(code);

/** The chunks in [from, to); a writer may leave out the byte that pads odd sizes. */
function* chunksIn(bytes: Buffer, from: number, to: number): Generator<{ code: string; body: number; end: number }> {
  for (let at = from; at + headBytes <= to; ) {
    const body = at + headBytes;
    const end = body + bytes.readUInt32LE(at + kindBytes);
    if (end > to) return;
    yield { code: codeAt(bytes, at), body, end };
    const padded = end + (end & 1) - (from & 1);
    at = padded > end && padded + kindBytes <= to && !isCode(codeAt(bytes, padded)) ? end : Math.max(end, padded);
  }
}

/** Where a format of pictures has its own size, width and height (BITMAPINFOHEADER), and one of sound its code, channels and rate (WAVEFORMAT). */
const picture = { bytes: 40, width: 4, height: 8 };
const sound = { channels: 2, rate: 4, block: 12 };
/** Most pixels in a row or column, channels, and samples a second, far beyond what is recorded. */
const most = { pixels: 65535, channels: 64, rate: 1_000_000 };
const leastRate = 1000;

/** Whether a stream's format can be one: programs show nothing of pictures without a size, and play nothing of sound without a rate. */
function isFormat(format: Buffer, kind: string): boolean {
  if (format.length < leastFormat) return false;
  if (kind === 'vids' || kind === 'iavs') {
    if (kind === 'iavs' || format.length < picture.bytes) return kind === 'iavs';
    const [width, height] = [format.readInt32LE(picture.width), Math.abs(format.readInt32LE(picture.height))];
    return width > 0 && width <= most.pixels && height > 0 && height <= most.pixels;
  }
  if (kind !== 'auds') return true;
  const [channels, rate] = [format.readUInt16LE(sound.channels), format.readUInt32LE(sound.rate)];
  return (
    format.readUInt16LE(0) > 0 && channels > 0 && channels <= most.channels && rate >= leastRate && rate <= most.rate
  );
}

/** Whether chunks lead from the beginning of a file to the list of its pictures, at `list`, and the header list is among them. */
export function leadsOn(head: Buffer, list: number): boolean {
  let hasHeader = false;
  let end = headBytes + kindBytes;
  for (const chunk of chunksIn(head, end, list)) {
    if (!isCode(chunk.code)) return false;
    hasHeader ||= chunk.code === 'LIST' && codeAt(head, chunk.body) === 'hdrl';
    end = chunk.end;
  }
  return hasHeader && list - end <= 1 && list >= end;
}

/** The streams that a header list describes, each by the kind in its header, `vids`, `auds` or what else stands there, and its format; empty where they are gone. */
function* streamsIn(list: Buffer): Generator<{ kind: string; format: Buffer }> {
  for (const { code, body, end } of chunksIn(list, headBytes + kindBytes, list.length)) {
    if (code !== 'LIST' || codeAt(list, body) !== 'strl') continue;
    const inner = [...chunksIn(list, body + kindBytes, end)];
    const head = inner.find((one) => one.code === 'strh' && one.end - one.body >= kindBytes);
    const format = inner.find((one) => one.code === 'strf');
    yield { kind: head ? codeAt(list, head.body) : '', format: list.subarray(format?.body ?? 0, format?.end ?? 0) };
  }
}

/** Kinds of the streams that a header list describes; empty for those whose format cannot be one. */
const streamsOf = (list: Buffer): string[] =>
  [...streamsIn(list)].map(({ kind, format }) => (isFormat(format, kind) ? kind : ''));

/** Bytes of a sample of all channels (nBlockAlign) of streams of plain PCM, by the number of the stream. */
export function plainSounds(list: Buffer): ReadonlyMap<number, number> {
  const blocks = new Map<number, number>();
  for (const [number, { kind, format }] of [...streamsIn(list)].entries())
    if (kind === 'auds' && isFormat(format, kind) && format.readUInt16LE(0) === tags.pcm)
      blocks.set(number, Math.max(1, format.readUInt16LE(sound.block)));
  return blocks;
}

/** Share of the chunks that belong to a stream which must be described: fewer may be chance in damaged data. */
const leastShare = 0.05;

/** Streams of pictures and of sound by their numbers, as the chunks name them. */
function named({ chunks }: Movi): { number: number; kind: string }[] {
  const counts = new Map<string, number>();
  for (const { id } of chunks) {
    const kind = isPicture(id) ? 'vids' : isSound(id) ? 'auds' : '';
    if (kind) counts.set(id.slice(0, 2) + kind, (counts.get(id.slice(0, 2) + kind) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= chunks.length * leastShare)
    .map(([key]) => ({ number: Number(key.slice(0, 2)), kind: key.slice(2) }));
}

/** Whether a header list describes the streams that the chunks name; of two in one (`iavs`) either. */
function describesAll(list: Buffer, movi: Movi): boolean {
  const kinds = streamsOf(list);
  return named(movi).every(({ number, kind }) => kinds[number] === kind || kinds[number] === 'iavs');
}

/** The same list of what can be found in it by codes: main header, and header and format of each stream, in order. */
function listAnew(list: Buffer): Buffer | null {
  const main = list.indexOf('avih', 0, 'latin1');
  const lists: Buffer[] = [];
  for (let at = list.indexOf('strh', 0, 'latin1'); at >= 0; ) {
    const next = list.indexOf('strh', at + kindBytes, 'latin1');
    const limit = next < 0 ? list.length : next - headBytes - kindBytes;
    const format = list.indexOf('strf', at, 'latin1');
    if (format < 0 || format + headBytes >= limit) return null;
    const from = format + headBytes;
    const end = from + list.readUInt32LE(format + kindBytes);
    const rest = ['LIST', 'JUNK', 'strn', 'strd', 'indx', 'vprp']
      .map((code) => list.indexOf(code, from, 'latin1'))
      .filter((place) => place >= 0 && place < limit);
    const to = end > from && end <= limit ? end : Math.min(limit, ...rest);
    const head = list.subarray(at + headBytes, Math.min(at + headBytes + streamBytes, format));
    lists.push(chunkOf('LIST', Buffer.from('strl'), chunkOf('strh', head), chunkOf('strf', list.subarray(from, to))));
    at = next;
  }
  if (main < 0 || lists.length === 0) return null;
  const head = list.subarray(main + headBytes, main + headBytes + streamBytes);
  return chunkOf('LIST', Buffer.from('hdrl'), chunkOf('avih', head), ...lists);
}

/** How far chunks lead through a header list, over the heads of the lists in it, in bytes: readers that meet none lose the pictures. */
function filledTo(list: Buffer): number {
  let at = headBytes + kindBytes;
  while (at + headBytes <= list.length) {
    const next = chunksIn(list, at, list.length).next();
    if (next.done || !isCode(next.value.code)) break;
    const { code, body, end } = next.value;
    const padded = end + ((end - body) & 1);
    // Readers do not expect that a header is padded.
    if (/^(avih|strh)$/.test(code) && padded > end) break;
    const isPadded = padded + kindBytes > list.length || isCode(codeAt(list, padded));
    at = code === 'LIST' ? body + kindBytes : isPadded ? padded : end;
  }
  return at;
}

/**
 * The header list that describes all streams which the chunks name: the file's own, or of what can be found in that by codes (`isOwn` is false then);
 * null where neither does, so that the streams have to be told from their chunks. `isLed` where chunks lead to the list and behind it, so that
 * they must lead through it as well.
 */
export function settleHead(list: Buffer | null, movi: Movi, isLed: boolean): { head: Buffer | null; isOwn: boolean } {
  const to = list ? filledTo(list) : 0;
  const isOwn = list === null || (describesAll(list, movi) && to >= list.length - 1);
  if (isOwn) return { head: list, isOwn };
  const own = isLed ? null : shortened(list, to);
  if (own && describesAll(own, movi)) return { head: own, isOwn: true };
  const anew = listAnew(list);
  if (anew && describesAll(anew, movi)) return { head: anew, isOwn: false };
  return { head: describesAll(list, movi) ? list : null, isOwn: false };
}

/** A list up to a place. */
function shortened(list: Buffer, to: number): Buffer {
  const copy = Buffer.from(list.subarray(0, to));
  copy.writeUInt32LE(to - headBytes, kindBytes);
  return copy;
}
