import type { Source } from '../source';
import type { Movi } from './chunks';

const chunk = (id: string, ...parts: Buffer[]): Buffer => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, ...parts, Buffer.alloc(length & 1)]);
};

/** The header list of the file with the new number of frames; indexes of OpenDML, which no longer fit, become JUNK. */
export function patchHeaders(list: Buffer, movi: Movi): Buffer {
  const copy = Buffer.from(list);
  const count = (stream: number) =>
    movi.chunks.filter(({ id }) => Number(id.slice(0, 2)) === stream && /dc|db/.test(id)).length;
  const main = copy.indexOf('avih', 0, 'latin1');
  let stream = -1;
  for (
    let at = copy.indexOf('strh', 0, 'latin1');
    at >= 0 && at + 56 <= copy.length;
    at = copy.indexOf('strh', at + 4, 'latin1')
  ) {
    stream++;
    if (copy.toString('latin1', at + 8, at + 12) !== 'vids') continue;
    copy.writeUInt32LE(count(stream), at + 8 + 32);
    if (main >= 0 && main + 64 <= copy.length) copy.writeUInt32LE(count(stream), main + 8 + 16);
  }
  for (let at = copy.indexOf('indx', 0, 'latin1'); at >= 0; at = copy.indexOf('indx', at + 4, 'latin1'))
    copy.write('JUNK', at, 'latin1');
  // AVIF_HASINDEX: the index is written anew.
  if (main >= 0 && main + 24 <= copy.length) copy.writeUInt32LE(copy.readUInt32LE(main + 8 + 12) | 0x10, main + 8 + 12);
  return copy;
}

type Picture = { code: string; width: number; height: number };

/** Codec and size of the pictures, by how a frame begins: JPEG's SOF, or MPEG-4's video object layer; null when it cannot be told. */
function tellPicture(source: Source, movi: Movi): Picture | null {
  const frame = movi.chunks.find(({ id, length }) => /dc|db/.test(id) && length > 16);
  if (!frame) return null;
  const bytes = source.copy(frame.offset + 8, Math.min(frame.length, 65536));
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2)
      return { code: 'MJPG', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

/** A new header list for Motion JPEG at 25 frames a second without sound, when the file's own is lost; null when the stream cannot be told. */
export function freshHeaders(source: Source, movi: Movi): Buffer | null {
  const picture = tellPicture(source, movi);
  if (!picture) return null;
  const frames = movi.chunks.filter(({ id }) => /dc|db/.test(id)).length;
  const main = Buffer.alloc(56);
  for (const [at, value] of [
    [0, 40000],
    [12, 0x10],
    [16, frames],
    [24, 1],
    [32, picture.width],
    [36, picture.height],
  ] as const)
    main.writeUInt32LE(value, at);
  const head = Buffer.alloc(56);
  head.write('vids', 0, 'latin1');
  head.write(picture.code, 4, 'latin1');
  for (const [at, value] of [
    [20, 1],
    [24, 25],
    [32, frames],
    [40, 0xffffffff],
  ] as const)
    head.writeUInt32LE(value, at);
  const format = Buffer.alloc(40);
  for (const [at, value] of [
    [0, 40],
    [4, picture.width],
    [8, picture.height],
    [20, picture.width * picture.height * 3],
  ] as const)
    format.writeUInt32LE(value, at);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(24, 14);
  format.write(picture.code, 16, 'latin1');
  return chunk(
    'LIST',
    Buffer.from('hdrl'),
    chunk('avih', main),
    chunk('LIST', Buffer.from('strl'), chunk('strh', head), chunk('strf', format)),
  );
}
