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

export function raf(jpeg: Buffer, sensor: Buffer): Buffer {
  const head = Buffer.alloc(160);
  head.write('FUJIFILMCCD-RAW 0201FF000000Test camera', 0, 'latin1');
  head.writeUInt32BE(160, 84);
  head.writeUInt32BE(jpeg.length, 88);
  head.writeUInt32BE(160 + jpeg.length, 92);
  head.writeUInt32BE(64, 96);
  head.writeUInt32BE(224 + jpeg.length, 100);
  head.writeUInt32BE(sensor.length, 104);
  return Buffer.concat([head, jpeg, Buffer.alloc(64, 1), sensor]);
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
