import { crxHeaders, writeCrx } from '../../../lib/repair/codecs/crx/write';
import { box, words } from '../../../lib/repair/core/boxes';
import { directory, sensorSize, sensorValues } from './rawphotos';

/** The values of one colour of a part of the sensor, around zero. */
function planeOf(values: Uint16Array, width: number, from: { x: number; width: number }, plane: number, bits: number) {
  const height = values.length / width;
  const across = from.width / 2;
  const own = new Int16Array((across * height) / 2);
  for (let row = 0; row < height / 2; row++) {
    const start = (row * 2 + (plane >> 1)) * width + from.x + (plane & 1);
    for (let column = 0; column < across; column++)
      own[row * across + column] = (values[start + column * 2] ?? 0) - (1 << (bits - 1));
  }
  return writeCrx(own, across);
}

/** Packs the values of a sensor into tiles of `tileWidth` pixels; the headers come first. */
function crxPacked(values: Uint16Array, width: number, bits: number, tileWidth: number) {
  const tiles: ReturnType<typeof writeCrx>[][] = [];
  for (let x = 0; x < width; x += tileWidth) {
    const from = { x, width: Math.min(tileWidth, width - x) };
    tiles.push([0, 1, 2, 3].map((plane) => planeOf(values, width, from, plane, bits)));
  }
  const head = crxHeaders(tiles);
  return { head, sample: Buffer.concat([head, ...tiles.flat().map(({ data }) => data)]) };
}

/** The content of a CMP1 box. */
function cmp1(width: number, height: number, bits: number, tileWidth: number, headBytes: number): Buffer {
  const box = Buffer.alloc(52);
  box.writeUInt32BE(0xff100030, 0);
  box.writeUInt16BE(0x0100, 4);
  for (const [index, value] of [width, height, tileWidth, height].entries()) box.writeUInt32BE(value, 8 + index * 4);
  box.set([bits, 0x40, 0, tileWidth < width ? 0x80 : 0], 24);
  box.writeUInt32BE(headBytes, 28);
  return box;
}

/** Bits of the sensor, the width of its tiles, and what the camera notes of the moment. */
const sensorBits = 12;
const tileWidth = 320;

/** A sample entry of Canon's: what says nothing here, and the boxes of the kind. */
const entry = (...kind: Buffer[]) => box('CRAW', Buffer.alloc(82), ...kind);

/** A track of one sample. Its size is its own, or that of all samples, as for notes. */
function track(sample: { at: number; length: number }, description: Buffer, hasOwnSize = true): Buffer {
  const wide = Buffer.alloc(8);
  wide.writeBigUInt64BE(BigInt(sample.at), 0);
  const sizes = hasOwnSize ? words(0, 0, 1, sample.length) : words(0, sample.length, 1);
  const list = box('stbl', box('stsd', words(0, 1), description), box('stsz', sizes), box('co64', words(0, 1), wide));
  return box('trak', box('tkhd', Buffer.alloc(84)), box('mdia', box('minf', list)));
}

/** Notes of the moment: items of a size, a kind and something behind. */
function momentNotes(): Buffer {
  const item = (length: number, kind: number) => {
    const bytes = Buffer.alloc(length, 0x21);
    bytes.writeUInt32LE(length, 0);
    bytes.writeUInt16LE(kind, 4);
    return bytes;
  };
  return Buffer.concat([item(24, 1), item(40, 3), item(600, 7)]);
}

const tiffOf = (...entries: Parameters<typeof directory>[0][number][]) =>
  Buffer.concat([Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]), directory(entries, 8, 0, true)]);

/** A CR3 as cameras lay it out, its picture of that kind: its brand, descriptions and tracks, a box of texts, and the data of a JPEG, of the sensor, and of notes. */
export function cr3Photo(
  jpeg: Buffer,
  kind: 'JPEG' | 'HEVC' = 'JPEG',
): { bytes: Buffer; sensorAt: number; sensorBytes: number } {
  const { width, height } = sensorSize;
  const { head, sample } = crxPacked(sensorValues(3), width, sensorBits, tileWidth);
  const notes = momentNotes();
  const canon = box(
    'uuid',
    Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex'),
    box('CNCV', Buffer.from('CanonCR3_001/00.09.00/00.00.00', 'latin1')),
    box('CMT1', tiffOf([271, 2, 'Canon'], [272, 2, 'Canon EOS R'])),
    box('CMT2', tiffOf([0x829a, 4, [1]])),
    box('CMT3', tiffOf([6, 2, 'Canon EOS R'], [0x10, 4, [0x80000424]])),
    box('THMB', Buffer.alloc(2000, 0x33)),
  );
  const texts = box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), Buffer.alloc(3000, 0x20));
  const [jpegBox, packedBox] = [
    box(kind, Buffer.alloc(4)),
    box('CMP1', cmp1(width, height, sensorBits, tileWidth, head.length)),
  ];
  const moov = (at: number) =>
    box(
      'moov',
      canon,
      box('mvhd', Buffer.alloc(100)),
      track({ at, length: jpeg.length }, entry(jpegBox)),
      track({ at: at + jpeg.length, length: sample.length }, entry(packedBox)),
      track({ at: at + jpeg.length + sample.length, length: notes.length }, box('CTMD', Buffer.alloc(16)), false),
    );
  const brand = box('ftyp', Buffer.from('crx \0\0\0\x01crx isom', 'latin1'));
  const first = brand.length + moov(0).length + texts.length + 8;
  return {
    bytes: Buffer.concat([brand, moov(first), texts, box('mdat', jpeg, sample, notes)]),
    sensorAt: first + jpeg.length,
    sensorBytes: sample.length,
  };
}
