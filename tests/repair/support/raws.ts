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
