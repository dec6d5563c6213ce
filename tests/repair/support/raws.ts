import { directory } from './rawphotos';

/** Raw photos that are not built like TIFF, as their makers lay them out: the structure is right, sensor data is noise, the picture inside is real. */
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
  const first = directory([[0xf000, 4, [26]]], 8, 0, true);
  const own = directory(
    [
      [0xf001, 4, [width]],
      [0xf002, 4, [height]],
      [0xf003, 4, [16]],
      [0xf007, 4, [strip]],
      [0xf008, 4, [length]],
    ],
    26,
    0,
    true,
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
