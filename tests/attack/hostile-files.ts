import { deflateRawSync, deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { mutated } from '../repair/fuzz/mutate';
import { randomBytes, randomFrom } from '../repair/support/random';
import { makeDocx } from '../support/documents';
import type { Upload } from './client';

const [video, document, photo] = [17, 18, 19] as const;
const nothing = (length: number) => Buffer.alloc(length);

/** A box of ISO base media (ISO/IEC 14496-12, section 4.2): its size, which may lie, its type, its content. */
function box(type: string, content: Uint8Array, size = content.length + 8): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size >>> 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** A chunk of PNG (ISO/IEC 15948, section 5.3) whose check sum is left wrong. */
function chunk(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content, nothing(4)]);
}

function pngOf(width: number, height: number, data: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', nothing(0))]);
}

/** A document whose main part is `xml`. */
function docxOf(xml: string): Buffer {
  const parts = { 'word/document.xml': strToU8(xml), '[Content_Types].xml': strToU8('<Types/>') };
  return Buffer.from(zipSync(parts));
}

const entities = Array.from({ length: 12 }, (_, level) =>
  level === 0 ? '<!ENTITY e0 "lol">' : `<!ENTITY e${level} "${`&e${level - 1};`.repeat(10)}">`,
).join('');

/** A directory of TIFF (TIFF 6.0, section 2) that names itself as the next one. */
function loopingTiff(): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.write('II*\0', 0, 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(1, 8);
  bytes.set([0, 1, 3, 0, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], 10);
  bytes.writeUInt32LE(8, 22);
  return bytes;
}

const fileType = () => box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1'));

/** Boxes in boxes, each as long as the file. */
function nestedBoxes(depth: number): Buffer {
  let content: Buffer = nothing(0);
  for (let level = 0; level < depth; level += 1) content = box('moov', content, 0x7fffffff);
  return Buffer.concat([fileType(), content]);
}

/** A table of sample sizes that says that it has four thousand million of them. */
function hugeTable(): Buffer {
  const stsz = box('stsz', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff]));
  const stbl = box('stbl', stsz);
  const moov = box('moov', box('trak', box('mdia', box('minf', stbl))));
  return Buffer.concat([fileType(), moov, box('mdat', nothing(5000))]);
}

/** Elements of Matroska (RFC 8794, section 6.2) of unknown size, one in the other. */
const nestedElements = (depth: number) =>
  Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]),
    Buffer.from(
      Array.from({ length: depth }, () => [
        0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
      ]).flat(),
    ),
  ]);

const flateObject = (data: Uint8Array) =>
  Buffer.concat([
    Buffer.from(
      '%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]>>endobj\n',
      'latin1',
    ),
    Buffer.from(`4 0 obj<</Filter[/FlateDecode/FlateDecode]/Length ${data.length}>>stream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>', 'latin1'),
  ]);

const starts: Record<string, { begin: string; type: Upload['type'] }> = {
  mp4: { begin: '\0\0\0\x18ftypisom', type: video },
  avi: { begin: 'RIFF\xff\xff\xff\xffAVI LIST', type: video },
  mkv: { begin: '\x1a\x45\xdf\xa3', type: video },
  flv: { begin: 'FLV\x01\x05\0\0\0\x09', type: video },
  mxf: { begin: '\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02', type: video },
  mts: { begin: '\0\0\0\0G', type: video },
  pdf: { begin: '%PDF-1.7\n', type: document },
  docx: { begin: 'PK\x03\x04', type: document },
  doc: { begin: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', type: document },
  jpg: { begin: '\xff\xd8\xff\xe0', type: photo },
  tif: { begin: 'MM\0*\0\0\0\x08', type: photo },
  cr2: { begin: 'II*\0\x10\0\0\0CR\x02\0', type: photo },
};

/** Files made to hold, fill or break whoever opens them. Names are what a tool takes; some try to leave their folder. */
export async function hostileFiles(): Promise<Upload[]> {
  const zeros = deflateSync(nothing(64 << 20));
  const bomb = zipSync({ 'word/document.xml': [nothing(100 << 20), { level: 9 }] });
  const letter = makeDocx();
  const made: Upload[] = [
    { name: '../../../secrets.json.docx', bytes: letter.subarray(0, letter.length - 80), type: document },
    { name: '; rm -rf $HOME `id`.pdf', bytes: Buffer.from('%PDF-1.4\n1 0 obj'), type: document },
    { name: `${'n'.repeat(4000)}.pdf`, bytes: Buffer.from('%PDF-1.4\n'), type: document },
    { name: '<img src=x onerror=alert(1)>\u202e.docx', bytes: letter.subarray(40), type: document },
    { name: 'bomb.docx', bytes: Buffer.from(bomb), type: document },
    { name: 'laughs.docx', bytes: docxOf(`<!DOCTYPE d [${entities}]><d>&e11;</d>`), type: document },
    {
      name: 'outside.docx',
      bytes: docxOf('<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><d>&x;</d>'),
      type: document,
    },
    { name: 'deep.docx', bytes: docxOf('<w:p>'.repeat(300_000)), type: document },
    { name: 'flate.pdf', bytes: flateObject(deflateSync(zeros)), type: document },
    { name: 'wide.png', bytes: pngOf(60_000, 60_000, zeros), type: photo },
    { name: 'endless.png', bytes: pngOf(0x7fffffff, 0x7fffffff, deflateRawSync(nothing(100_000))), type: photo },
    { name: 'loop.tif', bytes: loopingTiff(), type: photo },
    { name: 'nested.mp4', bytes: nestedBoxes(400), type: video },
    { name: 'table.mp4', bytes: hugeTable(), type: video },
    { name: 'nested.mkv', bytes: nestedElements(50_000), type: video },
    { name: 'zeros.mp4', bytes: nothing(20_000_000), type: video },
  ];
  const random = randomFrom(77);
  for (const [ending, { begin, type }] of Object.entries(starts)) {
    const noise = Buffer.concat([Buffer.from(begin, 'latin1'), randomBytes(random, 200_000)]);
    made.push({ name: `noise.${ending}`, bytes: noise, type });
    made.push({ name: `short.${ending}`, bytes: Buffer.from(begin, 'latin1'), type });
  }
  return made;
}

const typeOf: Record<string, Upload['type']> = {
  jpg: photo,
  png: photo,
  tif: photo,
  docx: document,
  xlsx: document,
  pptx: document,
  doc: document,
  xls: document,
  ppt: document,
  pdf: document,
}; // prettier-ignore

/** Sound files that were changed at random, by number; null where no tool takes their ending. */
export async function mutatedFile(number: number, group: 'files' | 'videos'): Promise<Upload | null> {
  const { format, bytes } = await mutated(number, group);
  const type = group === 'videos' ? video : typeOf[format];
  return type && bytes.length > 0 ? { name: `mutated-${number}.${format}`, bytes, type } : null;
}
