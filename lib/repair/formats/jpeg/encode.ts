import type { Component, Frame } from '../../codecs/jpeg/frame';
import { type HuffmanSpec, standardTable } from '../../codecs/jpeg/tables';
import { Buffer } from '../../host/bytes';
import type { JpegParts } from './markers';
import { endOfImage } from './marks';

/** One marker segment. */
function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return Buffer.concat([head, body]);
}

/** The DQT segment for tables in zigzag order. */
function quantisationSegment(tables: ReadonlyMap<number, Uint16Array>): Buffer {
  const pieces = [...tables].map(([number, table]) => {
    const wide = table.some((value) => value > 255);
    const body = Buffer.alloc(1 + (wide ? 128 : 64));
    body[0] = (wide ? 0x10 : 0) | number;
    for (const [index, value] of table.entries()) {
      if (wide) body.writeUInt16BE(value, 1 + index * 2);
      else body[1 + index] = value;
    }
    return body;
  });
  return pieces.length > 0 ? segment(0xdb, Buffer.concat(pieces)) : Buffer.alloc(0);
}

/** The DHT segment for tables by class and number. */
function huffmanSegment(
  tables: Iterable<readonly [number, { counts: readonly number[]; symbols: readonly number[] }]>,
): Buffer {
  const pieces = [...tables].map(([key, spec]) => Buffer.from([key, ...spec.counts, ...spec.symbols]));
  return pieces.length > 0 ? segment(0xc4, Buffer.concat(pieces)) : Buffer.alloc(0);
}

/** The frame header. */
export function frameSegment(frame: Frame): Buffer {
  const body = Buffer.alloc(6 + frame.components.length * 3);
  body[0] = frame.precision;
  body.writeUInt16BE(frame.height, 1);
  body.writeUInt16BE(frame.width, 3);
  body[5] = frame.components.length;
  for (const [index, component] of frame.components.entries()) {
    body.set([component.id, (component.horizontal << 4) | component.vertical, component.quantisation], 6 + index * 3);
  }
  return segment(frame.marker, body);
}

/** The DRI segment; nothing for an interval of 0. */
function restartSegment(interval: number): Buffer {
  return interval > 0 ? segment(0xdd, Buffer.from([interval >> 8, interval & 255])) : Buffer.alloc(0);
}

/** The header of one scan with all components. */
export function scanSegment(components: readonly Component[]): Buffer {
  const body = [components.length, ...components.flatMap(({ id, dc, ac }) => [id, (dc << 4) | ac]), 0, 63, 0];
  return segment(0xda, Buffer.from(body));
}

/** The header of a scan as it stood in a file, length included. */
export const keptScanSegment = (header: Buffer): Buffer => Buffer.concat([Buffer.from([0xff, 0xda]), header]);

/** The standard Huffman tables as DHT keys. */
function standardTables(components: number): [number, { counts: readonly number[]; symbols: readonly number[] }][] {
  const numbers = components > 1 ? ([0, 1] as const) : ([0] as const);
  return [0, 1].flatMap((kind) =>
    numbers.map((number) => [(kind << 4) | number, standardTable(kind, number)] as [number, HuffmanSpec]),
  );
}

const startOfImage = Buffer.from([0xff, 0xd8]);

type Head = {
  quantisation: ReadonlyMap<number, Uint16Array>;
  frame: Frame;
  huffman: Parameters<typeof huffmanSegment>[0];
  interval: number;
};

/** Everything that stands before the first scan of a picture: what its own segments told of it, and its tables and frame. */
export function headSegments({ applications }: JpegParts, { quantisation, frame, huffman, interval }: Head): Buffer {
  return Buffer.concat([
    startOfImage,
    ...applications,
    quantisationSegment(quantisation),
    frameSegment(frame),
    huffmanSegment(huffman),
    restartSegment(interval),
  ]);
}

/** A picture written anew as one scan, whose data was encoded with the standard tables. */
export function writtenAnew(parts: JpegParts, quantisation: Head['quantisation'], frame: Frame, data: Buffer): Buffer {
  const components = frame.components.map((component, index) => {
    const number = index === 0 ? 0 : 1;
    return { ...component, dc: number, ac: number };
  });
  const sequential = { ...frame, marker: frame.marker === 0xc2 ? 0xc0 : frame.marker };
  const huffman = standardTables(components.length);
  return Buffer.concat([
    headSegments(parts, { quantisation, frame: sequential, huffman, interval: 0 }),
    scanSegment(components),
    data,
    endOfImage,
  ]);
}
