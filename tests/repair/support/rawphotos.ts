import { writeLossless } from '../../../lib/repair/codecs/ljpeg/write';
import { scene } from './scene';

/**
 * Raw photos as cameras lay them out: a first directory with the camera's name and a picture, directories of sensor data and of EXIF with
 * the maker's notes, then the pictures, then the sensor data, packed as that maker packs it.
 */
export type RawKind = 'cr2' | 'nef' | 'arw' | 'dng' | 'unpacked';

/** Size of the sensor in pixels, bits of its values, and the value of black. */
export const sensorSize = { width: 640, height: 480 } as const;
const bits = 12;
const black = 200;

type Entry = [tag: number, type: 1 | 2 | 3 | 4, values: readonly number[] | string];

/** What a sensor behind filters, red first, sees of a scene, with a little noise. */
export function sensorValues(seed: number, { width, height } = sensorSize): Uint16Array {
  const seen = scene(width, height, seed);
  const values = new Uint16Array(width * height);
  let state = seed * 7919 + 1;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
      const colour = y % 2 === 0 ? x % 2 : 1 + (x % 2);
      const light = (seen[(y * width + x) * 3 + colour] ?? 0) * 13;
      values[y * width + x] = black + light + (state % 13);
    }
  return values;
}

const isLittle = (kind: RawKind) => kind !== 'nef';

function put(bytes: Buffer, value: number, at: number, size: 1 | 2 | 4, little: boolean): void {
  if (little) bytes.writeUIntLE(value, at, size);
  else bytes.writeUIntBE(value, at, size);
}

/** A directory at an even place, its values behind it. */
export function directory(entries: readonly Entry[], offset: number, next: number, little: boolean): Buffer {
  const sorted = [...entries].sort((left, right) => left[0] - right[0]);
  const head = Buffer.alloc(6 + sorted.length * 12);
  const behind: Buffer[] = [];
  let place = offset + head.length;
  put(head, sorted.length, 0, 2, little);
  for (const [index, [tag, type, values]] of sorted.entries()) {
    const size = type === 3 ? 2 : type === 4 ? 4 : 1;
    const count = typeof values === 'string' ? values.length + 1 : values.length;
    const data = Buffer.alloc(Math.max(4, Math.ceil((count * size) / 2) * 2));
    if (typeof values === 'string') data.write(values, 'latin1');
    else for (const [step, value] of values.entries()) put(data, value, step * size, size, little);
    const at = 2 + index * 12;
    put(head, tag, at, 2, little);
    put(head, type, at + 2, 2, little);
    put(head, count, at + 4, 4, little);
    if (count * size <= 4) data.copy(head, at + 8, 0, 4);
    else {
      put(head, place, at + 8, 4, little);
      behind.push(data);
      place += data.length;
    }
  }
  put(head, next, head.length - 4, 4, little);
  return Buffer.concat([head, ...behind]);
}

/** Nikon's codes for lossless values of 12 bits: lengths by category, in the order in which codes are given. */
const nikonCodes = (() => {
  const counts = [0, 1, 4, 2, 3, 1, 2];
  const order = [5, 4, 6, 3, 7, 2, 8, 1, 9, 0, 10, 11, 12];
  const codes = new Map<number, { code: number; length: number }>();
  let [code, index] = [0, 0];
  for (const [step, count] of counts.entries()) {
    for (let one = 0; one < count; one++) codes.set(order[index++] ?? 0, { code: code++, length: step + 1 });
    code <<= 1;
  }
  return codes;
})();

/** What the first two values of the first two rows follow from. */
const foretold = [800, 700, 700, 600] as const;

function nikonPacked(values: Uint16Array, width: number): Buffer {
  const bytes: number[] = [];
  let [held, count] = [0, 0];
  const write = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) {
      held = (held << 1) | ((value >> bit) & 1);
      if (++count === 8) {
        bytes.push(held);
        [held, count] = [0, 0];
      }
    }
  };
  for (const [at, value] of values.entries()) {
    const [row, column] = [Math.floor(at / width), at % width];
    const before = column >= 2 ? values[at - 2] : row >= 2 ? values[at - 2 * width] : (foretold[row * 2 + column] ?? 0);
    const difference = value - (before ?? 0);
    const category = 32 - Math.clz32(Math.abs(difference));
    const { code = 0, length = 0 } = nikonCodes.get(category) ?? {};
    write(code, length);
    if (category > 0) write(difference < 0 ? difference + (1 << category) - 1 : difference, category);
  }
  if (count > 0) write(0, 8 - count);
  return Buffer.from(bytes);
}

/** Nikon's table of linearisation: lossless values of 12 bits, and what the first ones follow from. */
export function nikonTable(): Buffer {
  const table = Buffer.alloc(12);
  table.set([0x46, 0x30]);
  for (const [index, value] of foretold.entries()) table.writeUInt16BE(value, 2 + index * 2);
  return table;
}

/** Nikon's notes: their mark, and a TIFF of their own with the table that tells how values are packed. */
function nikonNotes(): Buffer {
  const table = nikonTable();
  const head = Buffer.from('4d4d002a00000008', 'hex');
  return Buffer.concat([
    Buffer.from('Nikon\0\x02\x10\0\0', 'latin1'),
    head,
    directory([[0x96, 1, [...table]]], 8, 0, false),
  ]);
}

/** Sony's blocks of sixteen pixels of the same filter. */
function sonyPacked(values: Uint16Array, width: number): Buffer {
  const bytes = Buffer.alloc(values.length);
  for (let from = 0; from < values.length; from += 32)
    for (const odd of [0, 1]) {
      const block = Array.from({ length: 16 }, (_, index) => (values[from + index * 2 + odd] ?? 0) >> 1);
      const most = Math.max(...block);
      const least = Math.min(...block);
      const mostAt = most === least ? 0 : block.indexOf(most);
      const leastAt = most === least ? 1 : block.indexOf(least);
      let shift = 0;
      while (shift < 4 && 0x80 << shift <= most - least) shift++;
      let packed = BigInt(most) | (BigInt(least) << 11n) | (BigInt(mostAt) << 22n) | (BigInt(leastAt) << 26n);
      let place = 30n;
      for (const [index, value] of block.entries()) {
        if (index === mostAt || index === leastAt) continue;
        packed |= BigInt(Math.min(127, (value - least) >> shift)) << place;
        place += 7n;
      }
      for (let step = 0; step < 16; step++) bytes[from + odd * 16 + step] = Number((packed >> BigInt(8 * step)) & 255n);
    }
  return width % 32 === 0 ? bytes : Buffer.alloc(0);
}

/** The values of a CR2 in the order of its upright slices: two of the first width, and what is left. */
const slices = [2, 256, 128] as const;
function sliced(values: Uint16Array): Uint16Array {
  const { width, height } = sensorSize;
  const [count, each, last] = slices;
  const out: number[] = [];
  let left = 0;
  for (const one of [...Array<number>(count).fill(each), last]) {
    for (let row = 0; row < height; row++) for (let x = 0; x < one; x++) out.push(values[row * width + left + x] ?? 0);
    left += one;
  }
  return Uint16Array.from(out);
}

const tile = { width: 160, height: 120 } as const;

/** The sensor data in pieces, and the fields that describe it. */
function packed(kind: RawKind, values: Uint16Array): { pieces: Buffer[]; fields: Entry[] } {
  const { width, height } = sensorSize;
  const size: Entry[] = [
    [254, 4, [0]],
    [256, 4, [width]],
    [257, 4, [height]],
    [258, 3, [bits]],
    [262, 3, [32_803]],
    [277, 3, [1]],
    [33_421, 3, [2, 2]],
    [33_422, 1, [0, 1, 1, 2]],
  ];
  if (kind === 'cr2') {
    const picture = { precision: bits, width: width / 2, height, components: 2, samples: sliced(values) };
    return {
      pieces: [writeLossless(picture)],
      fields: [
        [259, 3, [6]],
        [0xc5d8, 4, [1]],
        [0xc640, 3, slices],
      ],
    };
  }
  if (kind === 'dng') {
    const pieces: Buffer[] = [];
    for (let top = 0; top < height; top += tile.height)
      for (let left = 0; left < width; left += tile.width) {
        const samples = Uint16Array.from(
          { length: tile.width * tile.height },
          (_, at) => values[(top + Math.floor(at / tile.width)) * width + left + (at % tile.width)] ?? 0,
        );
        pieces.push(
          writeLossless({ precision: bits, width: tile.width / 2, height: tile.height, components: 2, samples }),
        );
      }
    return { pieces, fields: [...size, [259, 3, [7]], [322, 4, [tile.width]], [323, 4, [tile.height]]] };
  }
  const rows: Entry[] = [...size, [278, 4, [height]]];
  if (kind === 'nef') return { pieces: [nikonPacked(values, width)], fields: [...rows, [259, 3, [34_713]]] };
  if (kind === 'arw') return { pieces: [sonyPacked(values, width)], fields: [...rows, [259, 3, [32_767]]] };
  const wide = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) wide.writeUInt16LE(value, at * 2);
  return {
    pieces: [wide],
    fields: [...rows, [259, 3, [1]], [258, 3, [16]]].filter(
      ([tag], at, all) => all.findLastIndex((one) => one[0] === tag) === at,
    ) as Entry[],
  };
}

const packedBefore = new Map<string, ReturnType<typeof packed>>();

/** The same, packed once for all photos of a kind and a scene. */
function packedOnce(kind: RawKind, seed: number): ReturnType<typeof packed> {
  const key = `${kind} ${seed}`;
  const known = packedBefore.get(key) ?? packed(kind, sensorValues(seed));
  packedBefore.set(key, known);
  return known;
}

const cameras = {
  cr2: ['Canon', 'Canon EOS 350D DIGITAL'],
  nef: ['NIKON CORPORATION', 'NIKON D70'],
  arw: ['SONY', 'ILCE-7'],
  dng: ['Canon', 'Canon EOS 350D DIGITAL'],
  unpacked: ['NIKON CORPORATION', 'NIKON D70'],
} as const;

/** Bytes of the maker's other notes, which stand between the directories and the pictures. */
const notesBytes = 3000;

/** A raw photo of one kind, with this picture inside. */
export function rawPhoto(kind: RawKind, jpeg: Buffer, seed = 3): Buffer {
  const little = isLittle(kind);
  const { pieces, fields } = packedOnce(kind, seed);
  const notes = Buffer.concat([
    kind === 'nef' ? nikonNotes() : Buffer.from('notes\0', 'latin1'),
    Buffer.alloc(notesBytes, 0x51),
  ]);
  const start = kind === 'cr2' ? 16 : 8;
  const isTiled = kind === 'dng';
  const [make, model] = cameras[kind];
  const first = (jpegAt: number, sub: number, exif: number): Entry[] => [
    [254, 4, [1]],
    [271, 2, make],
    [272, 2, model],
    [274, 3, [1]],
    [259, 3, [6]],
    ...(kind === 'cr2'
      ? ([
          [256, 3, [640]],
          [257, 3, [480]],
          [273, 4, [jpegAt]],
          [279, 4, [jpeg.length]],
        ] as Entry[])
      : ([
          [330, 4, [sub]],
          [513, 4, [jpegAt]],
          [514, 4, [jpeg.length]],
        ] as Entry[])),
    ...(kind === 'dng' ? ([[0xc612, 1, [1, 1, 0, 0]]] as Entry[]) : []),
    [0x8769, 4, [exif]],
  ];
  const sensor = (places: readonly number[]): Entry[] => [
    ...fields,
    [isTiled ? 324 : 273, 4, places],
    [isTiled ? 325 : 279, 4, pieces.map(({ length }) => length)],
  ];
  const none = pieces.map(() => 0);
  const exifAt = start + directory(first(0, 0, 0), start, 0, little).length;
  const exif = (at: number) =>
    directory(
      [
        [0x829a, 4, [1]],
        [0x9003, 2, '2026:05:04 10:11:12'],
        [0x927c, 1, [...notes]],
      ],
      at,
      0,
      little,
    );
  const subAt = exifAt + exif(exifAt).length;
  const jpegAt = subAt + directory(sensor(none), subAt, 0, little).length;
  let place = jpegAt + jpeg.length + (jpeg.length % 2);
  const places: number[] = [];
  for (const { length } of pieces) {
    places.push(place);
    place += length + (length % 2);
  }
  const head = Buffer.alloc(start);
  head.write(little ? 'II' : 'MM', 0, 'latin1');
  put(head, 42, 2, 2, little);
  put(head, start, 4, 4, little);
  if (kind === 'cr2') {
    head.write('CR\x02\x00', 8, 'latin1');
    put(head, subAt, 12, 4, little);
  }
  const even = (bytes: Buffer) => (bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]));
  return Buffer.concat([
    head,
    directory(first(jpegAt, subAt, exifAt), start, kind === 'cr2' ? subAt : 0, little),
    exif(exifAt),
    directory(sensor(places), subAt, 0, little),
    even(jpeg),
    ...pieces.map(even),
  ]);
}
