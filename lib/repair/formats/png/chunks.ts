import { crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';

/** Chunks of one file. */
const mostChunks = 200_000;

/** One chunk (ISO/IEC 15948, 5.3) as found: where its data lies, and whether its check sum fits. */
export type Chunk = {
  type: string;
  start: number;
  end: number;
  sound: boolean /** Its length or type in the file is wrong. */;
  mended?: boolean;
};

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const known = [
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'pHYs',
  'tEXt',
  'zTXt',
  'iTXt',
  'bKGD',
  'tIME',
  'sBIT',
  'eXIf',
  'hIST',
  'sPLT',
  'acTL',
  'fcTL',
  'fdAT',
  'cICP',
];

function isType(bytes: Buffer, at: number): boolean {
  return at >= 0 && at + 4 <= bytes.length && known.includes(bytes.toString('latin1', at, at + 4));
}

/** The check sum that belongs to a chunk from its type at `at` to `end`, for another type if one is given. */
function sumFits(bytes: Buffer, at: number, end: number, type?: string): boolean {
  if (end < at + 4 || end + 4 > bytes.length) return false;
  const start = type ? crc32(bytes.subarray(at + 4, end), crc32(Buffer.from(type, 'latin1'))) : null;
  return bytes.readUInt32BE(end) === (start ?? crc32(bytes.subarray(at, end)));
}

/** Finds the chunks of a PNG one behind the other; wrong lengths are replaced by the distance to the next type, wrong types by what the check sum or the place tells. */
export function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  const signature = bytes.indexOf(pngSignature);
  const first = signature >= 0 ? -1 : firstType(bytes, 0);
  let at = signature >= 0 ? signature + 8 : Math.max(0, first - 4);
  // Without any head the beginning may still hold picture data, in small pictures all of it.
  if (signature < 0 && first < 0) return [{ type: 'IDAT', start: 0, end: bytes.length, sound: false }];
  if (first - 4 > 64 && /^(?:IDAT|IEND)$/.test(bytes.toString('latin1', first, first + 4)))
    chunks.push({ type: 'IDAT', start: 0, end: Math.max(0, at - 4), sound: false });
  if (signature < 0 && isType(bytes, 12)) at = 8;
  while (at + 8 <= bytes.length && chunks.length < mostChunks) {
    const [chunk, next] = readChunk(bytes, at, chunks);
    if (chunk) chunks.push(chunk);
    if (chunk?.type === 'IEND' || next <= at) break;
    at = next;
  }
  return chunks;
}

function readChunk(bytes: Buffer, at: number, before: readonly Chunk[]): [Chunk | null, number] {
  const type = bytes.toString('latin1', at + 4, at + 8);
  const named = known.includes(type);
  const start = at + 8;
  const end = start + bytes.readUInt32BE(at);
  if (/^[a-zA-Z]{4}$/.test(type) && sumFits(bytes, at + 4, end)) return [{ type, start, end, sound: true }, end + 4];
  const inside = end + 4 <= bytes.length;
  const continues = inside && (end + 4 === bytes.length || isType(bytes, end + 8));
  const last = before.at(-1);
  // Programs write all parts but the last with one length, so a length seen before is right even when what follows is not.
  const usual =
    inside &&
    type === 'IDAT' &&
    last?.type === 'IDAT' &&
    last.sound &&
    last.end - last.start === end - start &&
    !movedNext(bytes, start, end);
  if (named && (continues || usual)) return [{ type, start, end, sound: false }, end + 4];
  if (inside && !named) {
    const meant = known.find((name) => sumFits(bytes, at + 4, end, name));
    if (meant) return [{ type: meant, start, end, sound: true, mended: true }, end + 4];
    if (continues) return [{ type: placeType(bytes, end + 8, last), start, end, sound: false }, end + 4];
  }
  const next = firstType(bytes, start);
  // Without a next chunk the data runs to the end of the file, which may have cut the check sum too.
  const stop = next < 0 ? (named && inside ? end : bytes.length) : Math.max(start, next - 8);
  const meant = named ? type : placeType(bytes, next, last);
  const sound = sumFits(bytes, at + 4, stop, meant);
  return [{ type: meant, start, end: stop, sound, mended: true }, next < 0 ? bytes.length : next - 4];
}

/** Bytes that may have come into a chunk or been lost from it. */
const mostMoved = 4096;

/** Whether the next part of the picture stands where no length says, as when bytes were lost or came in between. */
function movedNext(bytes: Buffer, start: number, end: number): boolean {
  const next = bytes.indexOf('IDAT', start, 'latin1');
  return next >= 0 && next - 8 >= start && next - 8 < end + mostMoved && next - 8 !== end;
}

/** What a chunk without a readable type must be by its place: picture data between the head and the end. */
function placeType(bytes: Buffer, next: number, last: Chunk | undefined): string {
  if (!last) return next >= 0 && next < 64 ? 'IHDR' : 'IDAT';
  const following = next < 0 ? '' : bytes.toString('latin1', next, next + 4);
  return last.type === 'IDAT' || following === 'IDAT' || following === 'IEND' || next < 0 ? 'IDAT' : '????';
}

/** The next place where a chunk's type stands; types that may be chance inside data must be followed by something sane. */
function firstType(bytes: Buffer, from: number): number {
  let best = -1;
  // Where picture data goes on, which is soon, nothing needs to be looked for behind that.
  for (const type of ['IDAT', ...known.filter((name) => name !== 'IDAT')]) {
    const certain = type === 'IHDR' || type === 'IDAT' || type === 'IEND' || type === 'PLTE';
    const part = best < 0 ? bytes : bytes.subarray(0, best);
    for (let at = part.indexOf(type, from, 'latin1'); at >= 0; at = part.indexOf(type, at + 4, 'latin1')) {
      if (!certain && !plausible(bytes, at)) continue;
      best = at;
      break;
    }
  }
  return best;
}

function plausible(bytes: Buffer, at: number): boolean {
  if (at < 4) return false;
  const end = at + 4 + bytes.readUInt32BE(at - 4);
  return end + 4 <= bytes.length && (isType(bytes, end + 8) || sumFits(bytes, at, end));
}

/** Writes one chunk. */
export function writeChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, 'latin1');
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
  return Buffer.concat([head, data, tail]);
}
