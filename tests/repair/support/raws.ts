/** Raw photos built as their makers lay them out: the structure is right, sensor data is noise, the picture inside is real. */
type Entry = { tag: number; type: 1 | 2 | 3 | 4; values: number[] | string };

function directory(entries: readonly Entry[], offset: number, little: boolean, next: number): Buffer {
  const head = Buffer.alloc(2 + entries.length * 12 + 4);
  const tails: Buffer[] = [];
  const put = (buffer: Buffer, value: number, at: number, size: number) => {
    if (size === 1) buffer.writeUInt8(value, at);
    else if (size === 2) little ? buffer.writeUInt16LE(value, at) : buffer.writeUInt16BE(value, at);
    else little ? buffer.writeUInt32LE(value, at) : buffer.writeUInt32BE(value, at);
  };
  put(head, entries.length, 0, 2);
  let place = offset + head.length;
  for (const [index, entry] of entries.entries()) {
    const at = 2 + index * 12;
    const size = entry.type === 1 ? 1 : entry.type === 3 ? 2 : 4;
    const data =
      typeof entry.values === 'string'
        ? Buffer.from(`${entry.values}\0`)
        : Buffer.alloc(Math.max(4, entry.values.length * size));
    if (typeof entry.values !== 'string')
      for (const [step, value] of entry.values.entries()) put(data, value, step * size, size);
    put(head, entry.tag, at, 2);
    put(head, entry.type, at + 2, 2);
    put(head, typeof entry.values === 'string' ? data.length : entry.values.length, at + 4, 4);
    if (data.length <= 4) data.copy(head, at + 8);
    else {
      put(head, place, at + 8, 4);
      tails.push(data);
      place += data.length;
    }
  }
  put(head, next, 2 + entries.length * 12, 4);
  return Buffer.concat([head, ...tails]);
}

/** A raw photo shaped like TIFF: a directory with the picture, one below it with the sensor data. */
export function tiffRaw(kind: 'cr2' | 'nef' | 'arw' | 'dng', jpeg: Buffer, sensor: Buffer): Buffer {
  const little = kind !== 'nef';
  const start = kind === 'cr2' ? 16 : 8;
  const makers = { cr2: 'Canon', nef: 'NIKON CORPORATION', arw: 'SONY', dng: 'Adobe' };
  const build = (jpegAt: number, sensorAt: number, sub: number) =>
    [
      { tag: 254, type: 4, values: [1] },
      { tag: 256, type: 3, values: [320] },
      { tag: 257, type: 3, values: [240] },
      { tag: 259, type: 3, values: [6] },
      { tag: 271, type: 2, values: makers[kind] },
      { tag: 272, type: 2, values: 'Test camera' },
      { tag: 330, type: 4, values: [sub] },
      { tag: 513, type: 4, values: [jpegAt] },
      { tag: 514, type: 4, values: [jpeg.length] },
      ...(kind === 'dng' ? [{ tag: 0xc612, type: 1, values: [1, 4, 0, 0] }] : []),
      ...(sensorAt < 0 ? [{ tag: 700, type: 4, values: [0] }] : []),
    ] as Entry[];
  const size = directory(build(0, 0, 0), start, little, 0).length;
  const subEntries = (sensorAt: number): Entry[] => [
    { tag: 254, type: 4, values: [0] },
    { tag: 256, type: 3, values: [640] },
    { tag: 257, type: 3, values: [480] },
    { tag: 258, type: 3, values: [14] },
    { tag: 259, type: 3, values: [1] },
    { tag: 262, type: 3, values: [32803] },
    { tag: 273, type: 4, values: [sensorAt] },
    { tag: 279, type: 4, values: [sensor.length] },
  ];
  const sub = start + size;
  const subSize = directory(subEntries(0), sub, little, 0).length;
  const jpegAt = sub + subSize;
  const sensorAt = jpegAt + jpeg.length;
  const head = Buffer.alloc(start);
  head.write(little ? 'II' : 'MM', 0);
  if (little) {
    head.writeUInt16LE(42, 2);
    head.writeUInt32LE(start, 4);
  } else {
    head.writeUInt16BE(42, 2);
    head.writeUInt32BE(start, 4);
  }
  if (kind === 'cr2') head.write('CR\x02\x00', 8, 'latin1');
  return Buffer.concat([
    head,
    directory(build(jpegAt, sensorAt, sub), start, little, 0),
    directory(subEntries(sensorAt), sub, little, 0),
    jpeg,
    sensor,
  ]);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

export function cr3(jpeg: Buffer, sensor: Buffer): Buffer {
  const brands = Buffer.from('crx \0\0\0\x01crx isom', 'latin1');
  return Buffer.concat([
    box('ftyp', brands),
    box('moov', box('mvhd', Buffer.alloc(100))),
    box('uuid', Buffer.alloc(24, 7), jpeg),
    box('mdat', sensor),
  ]);
}

/** Records of the header before the sensor data of a RAF: the size of the sensor, where the picture lies in it, and one that is no number. */
function rafHeader(width: number, height: number): Buffer {
  const record = (number: number, ...values: number[]) => {
    const bytes = Buffer.alloc(4 + values.length * 2);
    for (const [index, value] of [number, values.length * 2, ...values].entries())
      bytes.writeUInt16BE(value, index * 2);
    return bytes;
  };
  const records = [
    record(0x0100, height, width),
    record(0x0110, 0, 0),
    record(0x0111, height, width),
    record(0x0121, height, width),
    record(0x2ff0, 302, 511, 302, 603),
    record(0x9200, ...Array.from({ length: 60 }, (_, index) => index)),
  ];
  const count = Buffer.alloc(4);
  count.writeUInt32BE(records.length, 0);
  return Buffer.concat([count, ...records]);
}

/** The directory that newer cameras put before their sensor data: one field that leads to the size and the place of the strip. */
function rafDirectory(width: number, height: number, length: number): Buffer {
  const strip = 2048;
  const first = directory([{ tag: 0xf000, type: 4, values: [26] }], 8, true, 0);
  const own = directory(
    [
      { tag: 0xf001, type: 4, values: [width] },
      { tag: 0xf002, type: 4, values: [height] },
      { tag: 0xf003, type: 4, values: [16] },
      { tag: 0xf007, type: 4, values: [strip] },
      { tag: 0xf008, type: 4, values: [length] },
    ],
    26,
    true,
    0,
  );
  const head = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  const bytes = Buffer.concat([head, first, own]);
  return Buffer.concat([bytes, Buffer.alloc(strip - bytes.length)]);
}

/** A RAF as older cameras write it, or newer ones with a directory before the sensor data; its sensor is 200 pixels wide, of 16 bits. */
export function raf(jpeg: Buffer, sensor: Buffer, isNewer = false): Buffer {
  const [width, height] = [200, sensor.length / 400];
  const head = Buffer.alloc(148);
  head.write('FUJIFILMCCD-RAW 0201FF000000Test camera', 0, 'latin1');
  const header = rafHeader(width, height);
  const data = isNewer ? Buffer.concat([rafDirectory(width, height, sensor.length), sensor]) : sensor;
  for (const [index, value] of [
    head.length,
    jpeg.length,
    head.length + jpeg.length,
    header.length,
    head.length + jpeg.length + header.length,
    data.length,
  ].entries())
    head.writeUInt32BE(value, 84 + index * 4);
  return Buffer.concat([head, jpeg, header, data]);
}

export function crw(jpeg: Buffer, sensor: Buffer): Buffer {
  const head = Buffer.from('49491a000000484541504343445202000100000000000000ffff', 'hex');
  const table = Buffer.alloc(2 + 20 + 4);
  table.writeUInt16LE(2, 0);
  for (const [index, [tag, length, at]] of (
    [
      [0x2005, sensor.length, 0],
      [0x2007, jpeg.length, sensor.length],
    ] as const
  ).entries()) {
    table.writeUInt16LE(tag, 2 + index * 10);
    table.writeUInt32LE(length, 4 + index * 10);
    table.writeUInt32LE(at, 8 + index * 10);
  }
  table.writeUInt32LE(sensor.length + jpeg.length, 22);
  return Buffer.concat([head, sensor, jpeg, table]);
}
