import { randomBytes, randomFrom } from './random';

/** One kind of damage. `apply` returns null where the kind does not fit the file. */
export type Recipe = { name: string; apply: (bytes: Buffer, random: () => number) => Buffer | null };

function overwrite(bytes: Buffer, at: number, patch: Buffer): Buffer {
  const result = Buffer.from(bytes);
  patch.copy(result, Math.max(0, at), 0, Math.min(patch.length, result.length - Math.max(0, at)));
  return result;
}

function cut(bytes: Buffer, at: number, count: number): Buffer {
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);
}

function replaceAll(bytes: Buffer, find: Buffer, patch: Buffer): Buffer | null {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(find); at >= 0; at = bytes.indexOf(find, from)) {
    pieces.push(bytes.subarray(from, at), patch);
    from = at + find.length;
  }
  return from === 0 ? null : Buffer.concat([...pieces, bytes.subarray(from)]);
}

const somewhere = (bytes: Buffer, random: () => number, from = 0.2, to = 0.9) =>
  Math.floor(bytes.length * (from + random() * (to - from)));

/** Damage that any file can suffer: cut short, overwritten, with bytes lost or added, sent in text mode. */
export const generalRecipes: Recipe[] = [
  ...[0.95, 0.8, 0.6, 0.4].map((share) => ({
    name: `truncated to ${share * 100} %`,
    apply: (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share)),
  })),
  { name: 'head of 16 bytes zeroed', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(16)) },
  { name: 'head of 64 bytes random', apply: (bytes, random) => overwrite(bytes, 0, randomBytes(random, 64)) },
  { name: 'head of 512 bytes zeroed', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(512)) },
  { name: 'junk of 300 bytes before', apply: (bytes, random) => Buffer.concat([randomBytes(random, 300), bytes]) },
  { name: 'tail of 100 bytes zeroed', apply: (bytes) => overwrite(bytes, bytes.length - 100, Buffer.alloc(100)) },
  { name: '20 bytes flipped', apply: flip(20) },
  { name: '3 bytes flipped', apply: flip(3) },
  {
    name: 'block of 512 bytes random',
    apply: (bytes, random) => overwrite(bytes, somewhere(bytes, random), randomBytes(random, 512)),
  },
  {
    name: 'block of 512 bytes zeroed',
    apply: (bytes, random) => overwrite(bytes, somewhere(bytes, random), Buffer.alloc(512)),
  },
  { name: 'gap of 100 bytes', apply: (bytes, random) => cut(bytes, somewhere(bytes, random), 100) },
];

/** Line ends changed as by a transfer in text mode. */
export const textModeRecipes: Recipe[] = [
  { name: 'LF became CRLF', apply: (bytes) => replaceAll(bytes, Buffer.from('\n'), Buffer.from('\r\n')) },
  { name: 'CRLF became LF', apply: (bytes) => replaceAll(bytes, Buffer.from('\r\n'), Buffer.from('\n')) },
];

function flip(count: number): Recipe['apply'] {
  return (bytes, random) => {
    const result = Buffer.from(bytes);
    for (let index = 0; index < count; index++) {
      const at = somewhere(bytes, random, 0.02, 0.99);
      result[at] = (result[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    }
    return result;
  };
}

/** Overwrites every `find` with `patch` of the same length, from the `skip`th on. */
export function wipe(find: string, skip = 0, most = Number.POSITIVE_INFINITY): Recipe['apply'] {
  return (bytes) => {
    const result = Buffer.from(bytes);
    const needle = Buffer.from(find, 'latin1');
    let seen = 0;
    for (let at = result.indexOf(needle); at >= 0; at = result.indexOf(needle, at + needle.length)) {
      if (seen++ >= skip && seen - skip <= most) result.fill(0, at, at + needle.length);
    }
    return seen > skip ? result : null;
  };
}

/** Damage of ZIP containers. */
export const zipRecipes: Recipe[] = [
  { name: 'central directory cut off', apply: (bytes) => cutAt(bytes, 'PK\x01\x02') },
  { name: 'end record cut off', apply: (bytes) => cutAt(bytes, 'PK\x05\x06') },
  { name: 'central directory zeroed', apply: zeroFrom('PK\x01\x02') },
  { name: 'local signatures wiped', apply: wipe('PK\x03\x04') },
  { name: 'central signatures wiped', apply: wipe('PK\x01\x02', 1) },
  { name: 'check sums wrong', apply: wrongCrc },
];

function cutAt(bytes: Buffer, mark: string): Buffer | null {
  const at = bytes.indexOf(mark, 0, 'latin1');
  return at > 0 ? bytes.subarray(0, at) : null;
}

function zeroFrom(mark: string): Recipe['apply'] {
  return (bytes) => {
    const at = bytes.indexOf(mark, 0, 'latin1');
    return at > 0 ? overwrite(bytes, at, Buffer.alloc(bytes.length - at)) : null;
  };
}

function wrongCrc(bytes: Buffer): Buffer {
  const result = Buffer.from(bytes);
  for (
    let at = result.indexOf('PK\x01\x02', 0, 'latin1');
    at >= 0;
    at = result.indexOf('PK\x01\x02', at + 4, 'latin1')
  ) {
    result.writeUInt32LE(0x12345678, at + 16);
  }
  return result;
}

/** Damage of PDF structure (ISO 32000-1, 7.5). */
export const pdfRecipes: Recipe[] = [
  { name: 'startxref wrong', apply: (bytes) => patchLast(bytes, 'startxref', 'startxref\n7\n%%EOF') },
  { name: 'xref wiped', apply: wipe('\nxref') },
  { name: 'trailer wiped', apply: wipe('trailer') },
  {
    name: 'tail of 2000 bytes cut',
    apply: (bytes) => (bytes.length > 6000 ? bytes.subarray(0, bytes.length - 2000) : null),
  },
  { name: 'endobj wiped', apply: wipe('endobj') },
  { name: 'endstream wiped', apply: wipe('endstream') },
  {
    name: 'lengths wrong',
    apply: (bytes) =>
      Buffer.from(bytes.toString('latin1').replace(/\/Length (\d)(\d+)\b(?! \d+ R)/g, '/Length 9$2'), 'latin1'),
  },
  { name: 'catalogue wiped', apply: wipe('/Catalog') },
  { name: 'page tree wiped', apply: wipe('/Kids') },
];

function patchLast(bytes: Buffer, find: string, patch: string): Buffer | null {
  const at = bytes.lastIndexOf(find, bytes.length, 'latin1');
  return at < 0 ? null : Buffer.concat([bytes.subarray(0, at), Buffer.from(patch, 'latin1')]);
}

/** Damage of OLE compound files ([MS-CFB]). */
export const oleRecipes: Recipe[] = [
  { name: 'signature wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(8)) },
  { name: 'header wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(512)) },
  {
    name: 'allocation table wiped',
    apply: (bytes) => {
      const result = Buffer.from(bytes);
      for (let index = 0; index < Math.min(109, bytes.readUInt32LE(44)); index++) {
        const sector = bytes.readUInt32LE(76 + index * 4);
        result.fill(0, (sector + 1) * 512, (sector + 2) * 512);
      }
      return result;
    },
  },
  {
    name: 'directory wiped',
    apply: (bytes) => {
      const result = Buffer.from(bytes);
      const needle = Buffer.from('Root Entry\0', 'utf16le');
      const at = bytes.indexOf(needle);
      return at < 0 ? null : Buffer.from(result.fill(0, at, at + 512));
    },
  },
];

/** Overwrites or removes JPEG segments by their marker (ISO/IEC 10918-1, B.1). */
function segments(
  bytes: Buffer,
  marker: number,
  change: (at: number, end: number, result: Buffer) => void,
): Buffer | null {
  const result = Buffer.from(bytes);
  let hits = 0;
  for (let at = 2; at + 4 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; ) {
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (bytes[at + 1] === marker) {
      change(at, end, result);
      hits++;
    }
    at = end;
  }
  return hits > 0 ? result : null;
}

const scanOf = (bytes: Buffer) => bytes.indexOf(Buffer.from([0xff, 0xda]));
const inScan = (bytes: Buffer, random: () => number) =>
  Math.floor(scanOf(bytes) + (bytes.length - scanOf(bytes)) * (0.1 + random() * 0.8));

/** Damage of JPEG files. */
export const jpegRecipes: Recipe[] = [
  { name: 'SOI wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(2)) },
  { name: 'EOI cut', apply: (bytes) => bytes.subarray(0, bytes.length - 2) },
  { name: 'DQT wiped', apply: (bytes) => segments(bytes, 0xdb, (at, end, result) => result.fill(0, at, end)) },
  { name: 'DHT wiped', apply: (bytes) => segments(bytes, 0xc4, (at, end, result) => result.fill(0, at, end)) },
  { name: 'SOF wiped', apply: (bytes) => segments(bytes, 0xc0, (at, end, result) => result.fill(0, at, end)) },
  {
    name: 'height zeroed',
    apply: (bytes) => segments(bytes, 0xc0, (at, _, result) => result.writeUInt16BE(0, at + 5)),
  },
  {
    name: 'width wrong',
    apply: (bytes) =>
      segments(bytes, 0xc0, (at, _, result) => result.writeUInt16BE(bytes.readUInt16BE(at + 7) + 160, at + 7)),
  },
  {
    name: 'segment lengths wrong',
    apply: (bytes) => segments(bytes, 0xe0, (at, _, result) => result.writeUInt16BE(0x7777, at + 2)),
  },
  { name: 'scan loses 40 bytes', apply: (bytes, random) => cut(bytes, inScan(bytes, random), 40) },
  { name: 'scan loses 1000 bytes', apply: (bytes, random) => cut(bytes, inScan(bytes, random), 1000) },
  {
    name: 'scan loses 60 bytes twice',
    apply: (bytes, random) => cut(cut(bytes, inScan(bytes, random), 60), inScan(bytes, random), 60),
  },
  { name: 'scan has 200 zeroes', apply: (bytes, random) => overwrite(bytes, inScan(bytes, random), Buffer.alloc(200)) },
];

/** Damage of PNG files (ISO/IEC 15948). */
export const pngRecipes: Recipe[] = [
  { name: 'signature wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(8)) },
  { name: 'IHDR zeroed', apply: (bytes) => overwrite(bytes, 16, Buffer.alloc(13)) },
  {
    name: 'check sums wrong',
    apply: (bytes) => pngChunks(bytes, (at, length, result) => result.writeUInt32BE(1, at + 8 + length)),
  },
  {
    name: 'chunk lengths wrong',
    apply: (bytes) => pngChunks(bytes, (at, length, result) => result.writeUInt32BE(length + 77, at)),
  },
  { name: 'IEND cut', apply: (bytes) => bytes.subarray(0, bytes.length - 12) },
];

function pngChunks(bytes: Buffer, change: (at: number, length: number, result: Buffer) => void): Buffer {
  const result = Buffer.from(bytes);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') change(at, bytes.readUInt32BE(at), result);
  return result;
}

/** Damage of TIFF files. */
export const tiffRecipes: Recipe[] = [
  { name: 'byte order wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(4)) },
  { name: 'directory offset wrong', apply: (bytes) => overwrite(bytes, 4, Buffer.from([7, 7, 7, 7])) },
  {
    name: 'directory wiped',
    apply: (bytes) => {
      const little = bytes[0] === 0x49;
      const at = little ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
      const count = little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
      return overwrite(bytes, at, Buffer.alloc(2 + count * 12 + 4));
    },
  },
];

/** Applies a recipe with the random numbers of `seed`. */
export function damaged(bytes: Buffer, recipe: Recipe, seed: number): Buffer | null {
  const result = recipe.apply(bytes, randomFrom(seed));
  return result && !result.equals(bytes) ? result : null;
}
