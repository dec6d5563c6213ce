import { Buffer } from '../../host/bytes';
import type { Movi } from './chunks';

/** A chunk of the parts, padded to an even length. */
export const chunkOf = (id: string, ...parts: Buffer[]): Buffer => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, ...parts, Buffer.alloc(length & 1)]);
};

/** Bytes of a strh list's head up to the end of dwSampleSize's neighbours, and of avih up to its flags, chunk heads included. */
const headBytes = { strh: 56, avih: 24 };

/** AVIF_HASINDEX among the flags of avih, of which damage may have set any. */
export const hasIndex = 0x10;

/** The header list of the file with the new number of frames; indexes of OpenDML, which no longer fit, become JUNK. */
export function patchHeaders(list: Buffer, movi: Movi): Buffer {
  const copy = Buffer.from(list);
  const count = (stream: number) =>
    movi.chunks.filter(({ id }) => Number(id.slice(0, 2)) === stream && /dc|db/.test(id)).length;
  const main = copy.indexOf('avih', 0, 'latin1');
  let stream = -1;
  for (
    let at = copy.indexOf('strh', 0, 'latin1');
    at >= 0 && at + headBytes.strh <= copy.length;
    at = copy.indexOf('strh', at + 4, 'latin1')
  ) {
    stream++;
    if (copy.toString('latin1', at + 8, at + 12) !== 'vids') continue;
    copy.writeUInt32LE(count(stream), at + 8 + 32);
    if (main >= 0 && main + 64 <= copy.length) copy.writeUInt32LE(count(stream), main + 8 + 16);
  }
  for (let at = copy.indexOf('indx', 0, 'latin1'); at >= 0; at = copy.indexOf('indx', at + 4, 'latin1'))
    copy.write('JUNK', at, 'latin1');
  // The index is written anew.
  if (main >= 0 && main + headBytes.avih <= copy.length)
    copy.writeUInt32LE((copy.readUInt32LE(main + 8 + 12) | hasIndex) >>> 0, main + 8 + 12);
  return copy;
}

/** Where dwMicroSecPerFrame and dwTotalFrames stand in the main header, behind its chunk head (AVI RIFF File Reference, AVIMAINHEADER). */
const mainFields = { microseconds: 8, frames: 24 };

/** How long the pictures of a file are by its main header, and how long those are that are there, in seconds; null where the header does not say. */
export function secondsTold(list: Buffer, movi: Movi): { all: number; left: number } | null {
  const main = list.indexOf('avih', 0, 'latin1');
  if (main < 0 || main + mainFields.frames + 4 > list.length) return null;
  const frame = list.readUInt32LE(main + mainFields.microseconds) / 1e6;
  const pictures = movi.chunks.filter(({ id }) => /d[bc]$/.test(id));
  const first = pictures[0]?.id.slice(0, 2);
  const count = pictures.filter(({ id }) => id.startsWith(first ?? '')).length;
  return { all: list.readUInt32LE(main + mainFields.frames) * frame, left: count * frame };
}
