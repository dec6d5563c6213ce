import { overwrite, type Recipe, wipe } from './common';

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
