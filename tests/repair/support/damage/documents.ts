import { strToU8, unzipSync, zipSync } from 'fflate';
import { randomBytes } from '../random';
import { cut, overwrite, type Recipe, wipe } from './common';

/** Bytes in front of, in the middle of and behind a container that do not belong to it, or are missing. */
const movedRecipes: Recipe[] = [
  { name: 'zeroes of 150,000 after', apply: (bytes) => Buffer.concat([bytes, Buffer.alloc(150_000)]) },
  { name: 'first 100 bytes cut off', apply: (bytes) => bytes.subarray(100) },
  { name: 'one byte lost', apply: (bytes, random) => cut(bytes, Math.floor(bytes.length * (0.1 + random() * 0.8)), 1) },
  {
    name: '700 bytes put in',
    apply: (bytes, random) => {
      const at = Math.floor(bytes.length * (0.1 + random() * 0.8));
      return Buffer.concat([bytes.subarray(0, at), randomBytes(random, 700), bytes.subarray(at)]);
    },
  },
];

/** Damage of ZIP containers. */
export const zipRecipes: Recipe[] = [
  { name: 'central directory cut off', apply: (bytes) => cutAt(bytes, 'PK\x01\x02') },
  { name: 'end record cut off', apply: (bytes) => cutAt(bytes, 'PK\x05\x06') },
  { name: 'central directory zeroed', apply: zeroFrom('PK\x01\x02') },
  { name: 'local signatures wiped', apply: wipe('PK\x03\x04') },
  { name: 'central signatures wiped', apply: wipe('PK\x01\x02', 1) },
  { name: 'check sums wrong', apply: wrongCrc },
  { name: 'text part cut short inside', apply: cutInside },
  ...movedRecipes,
];

/** The part with the text ends at 70 %, in an archive that is sound otherwise. */
function cutInside(bytes: Buffer): Buffer | null {
  const parts = unzipSync(bytes);
  const path = Object.keys(parts).find((name) =>
    /^(?:word\/document|xl\/worksheets\/sheet1|ppt\/slides\/slide1)\.xml$/.test(name),
  );
  if (!path) return null;
  const text = Buffer.from(parts[path] ?? []).toString('utf8');
  const cut = strToU8(text.slice(0, Math.floor(text.length * 0.7)));
  // A fixed time, so that the same seed gives the same file.
  return Buffer.from(zipSync({ ...parts, [path]: cut }, { mtime: new Date(2026, 0, 1) }));
}

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
  ...movedRecipes,
];
