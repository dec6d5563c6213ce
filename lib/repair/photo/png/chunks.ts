import { crc32 } from '../../bytes';

/** One chunk (ISO/IEC 15948, 5.3) as found: where its data lies, and whether its check sum fits. */
export type Chunk = { type: string; start: number; end: number; sound: boolean };

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

/** Finds the chunks of a PNG by their types; lengths that are wrong are replaced by the distance to the next chunk. */
export function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  let at = firstType(bytes, 0);
  while (at >= 0) {
    const length = at >= 4 ? bytes.readUInt32BE(at - 4) : 0;
    const end = at + 4 + length;
    const type = bytes.toString('latin1', at, at + 4);
    const fits = end + 4 <= bytes.length && (type === 'IEND' || isType(bytes, end + 8) || crcFits(bytes, at, end));
    if (fits) {
      chunks.push({ type, start: at + 4, end, sound: crcFits(bytes, at, end) });
      if (type === 'IEND') break;
      at = isType(bytes, end + 8) ? end + 8 : firstType(bytes, end + 4);
      continue;
    }
    const next = firstType(bytes, at + 4);
    const stop = next < 0 ? bytes.length : next - 8;
    // Without a next chunk the data runs to the end of the file, which may have cut the check sum too.
    chunks.push({
      type,
      start: at + 4,
      end: Math.max(at + 4, next < 0 && end <= bytes.length ? end : stop),
      sound: false,
    });
    at = next;
  }
  return chunks;
}

function crcFits(bytes: Buffer, at: number, end: number): boolean {
  return end >= at + 4 && end + 4 <= bytes.length && bytes.readUInt32BE(end) === crc32(bytes.subarray(at, end));
}

/** The next place where a chunk's type stands; types that may be chance inside data must be followed by something sane. */
function firstType(bytes: Buffer, from: number): number {
  let best = -1;
  for (const type of known) {
    for (
      let at = bytes.indexOf(type, from, 'latin1');
      at >= 0 && (best < 0 || at < best);
      at = bytes.indexOf(type, at + 4, 'latin1')
    ) {
      if (type !== 'IHDR' && type !== 'IDAT' && type !== 'IEND' && type !== 'PLTE' && !plausible(bytes, at)) continue;
      best = at;
      break;
    }
  }
  return best;
}

function plausible(bytes: Buffer, at: number): boolean {
  if (at < 4) return false;
  const end = at + 4 + bytes.readUInt32BE(at - 4);
  return end + 4 <= bytes.length && (crcFits(bytes, at, end) || isType(bytes, end + 8));
}

/** Writes one chunk. */
export function writeChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, 'latin1');
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
  return Buffer.concat([head, data, tail]);
}
