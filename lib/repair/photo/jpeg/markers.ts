import type { HuffmanSpec } from './tables';

/** One component of a frame (ISO/IEC 10918-1, B.2.2) with its tables in the scan. */
export type Component = {
  id: number;
  horizontal: number;
  vertical: number;
  quantisation: number;
  dc: number;
  ac: number;
};
export type Frame = {
  marker: number;
  precision: number;
  width: number;
  height: number;
  components: Component[];
  offset: number;
};

/** The parts of a JPEG as found; segments are kept as bytes, `end` is where entropy-coded data stops. */
export type JpegParts = {
  start: number;
  applications: Buffer[];
  quantisation: Map<number, Uint16Array>;
  huffman: Map<number, HuffmanSpec>;
  frame: Frame | null;
  restartInterval: number;
  scanHeader: Buffer | null;
  /** Entropy-coded data from the first scan to the end of the image, further scans of a progressive picture included. */
  scanStart: number;
  scanEnd: number;
  hasEnd: boolean;
  scans: number;
  problems: { kind: string; detail: string; offset: number | null }[];
};

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Finds the parts of a JPEG by their markers; a segment whose length is wrong is stepped over to the next marker that makes sense. */
export function readJpegParts(bytes: Buffer): JpegParts {
  const parts: JpegParts = {
    start: 0,
    applications: [],
    quantisation: new Map(),
    huffman: new Map(),
    frame: null,
    restartInterval: 0,
    scanHeader: null,
    scanStart: -1,
    scanEnd: bytes.length,
    hasEnd: false,
    scans: 0,
    problems: [],
  };
  const start = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
  const scanFirst = findScanHeader(bytes, 0);
  if (start < 0 || (scanFirst >= 0 && start > scanFirst))
    parts.problems.push({ kind: 'head', detail: 'The mark that begins the picture was missing.', offset: 0 });
  else if (start > 0)
    parts.problems.push({
      kind: 'head',
      detail: `Before the picture there were ${start} bytes that do not belong to it.`,
      offset: 0,
    });
  parts.start = start >= 0 && (scanFirst < 0 || start < scanFirst) ? start : 0;
  let at = parts.start;
  if (bytes[at] === 0xff && bytes[at + 1] === 0xd8) at += 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff || !isHeaderMarker(bytes[at + 1] ?? 0)) {
      const next = nextMarker(bytes, at);
      if (next < 0) break;
      if (next > at)
        parts.problems.push({ kind: 'header', detail: 'Between the parts of the header there is damage.', offset: at });
      at = next;
    }
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    const body = bytes.subarray(at + 4, Math.min(end, bytes.length));
    if (marker === 0xda) {
      parts.scanHeader = scanHeaderOf(bytes, at, parts);
      parts.scanStart = at + 2 + (parts.scanHeader?.length ?? length);
      readScan(bytes, parts);
      return parts;
    }
    const read = length >= 2 && readSegment(marker, body, at, parts, bytes.subarray(at, end));
    at = read && (end >= bytes.length || bytes[end] === 0xff) ? end : at + 2;
    if (!read) parts.problems.push({ kind: 'header', detail: 'A part of the header is damaged.', offset: at });
  }
  return parts;
}

function isHeaderMarker(marker: number): boolean {
  return (
    marker === 0xc4 ||
    marker === 0xdb ||
    marker === 0xdd ||
    marker === 0xda ||
    marker === 0xfe ||
    (marker >= 0xe0 && marker <= 0xef) ||
    isFrame(marker)
  );
}

function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 4 <= bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (marker === 0xda && isScanHeader(bytes, at)) return at;
    if (marker === 0xdb && (length - 2) % 65 === 0 && length > 2 && (bytes[at + 4] ?? 9) < 4) return at;
    if (marker === 0xc4 && length > 19 && ((bytes[at + 4] ?? 255) & 0xee) === 0) return at;
    if (isFrame(marker) && length === 8 + 3 * (bytes[at + 9] ?? 0) && bytes[at + 4] === 8) return at;
    if (marker === 0xdd && length === 4) return at;
    if (
      marker >= 0xe0 &&
      marker <= 0xef &&
      length > 4 &&
      at + 2 + length < bytes.length &&
      bytes[at + 2 + length] === 0xff
    )
      return at;
  }
  return -1;
}

function isScanHeader(bytes: Buffer, at: number): boolean {
  const count = bytes[at + 4] ?? 0;
  return count >= 1 && count <= 4 && bytes.readUInt16BE(at + 2) === 6 + 2 * count;
}

/** The first SOS marker at or after `from` whose length fits its count of components. */
export function findScanHeader(bytes: Buffer, from: number): number {
  const mark = Buffer.from([0xff, 0xda]);
  for (let at = bytes.indexOf(mark, from); at >= 0 && at + 6 <= bytes.length; at = bytes.indexOf(mark, at + 2))
    if (isScanHeader(bytes, at)) return at;
  return -1;
}

function scanHeaderOf(bytes: Buffer, at: number, parts: JpegParts): Buffer | null {
  if (!isScanHeader(bytes, at)) {
    parts.problems.push({ kind: 'scan', detail: 'The header before the picture data is damaged.', offset: at });
    return null;
  }
  const header = bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at + 2));
  for (let index = 0; index < (header[2] ?? 0); index++) {
    const component = parts.frame?.components.find((candidate) => candidate.id === header[3 + index * 2]);
    if (!component) continue;
    component.dc = (header[4 + index * 2] ?? 0) >> 4;
    component.ac = (header[4 + index * 2] ?? 0) & 15;
  }
  return header;
}

function readSegment(marker: number, body: Buffer, offset: number, parts: JpegParts, whole: Buffer): boolean {
  if (marker === 0xdb) return readQuantisation(body, parts);
  if (marker === 0xc4) return readHuffman(body, parts);
  if (marker === 0xdd) {
    if (body.length < 2) return false;
    parts.restartInterval = body.readUInt16BE(0);
    return true;
  }
  if (isFrame(marker)) return readFrame(marker, body, offset, parts);
  if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) parts.applications.push(Buffer.from(whole));
  return true;
}

function readQuantisation(body: Buffer, parts: JpegParts): boolean {
  let at = 0;
  while (at < body.length) {
    const head = body[at++] ?? 0;
    const wide = head >> 4 === 1;
    if (head >> 4 > 1 || (head & 15) > 3 || at + (wide ? 128 : 64) > body.length) return at > 65;
    const table = new Uint16Array(64);
    for (let index = 0; index < 64; index++)
      table[index] = wide ? body.readUInt16BE(at + index * 2) : (body[at + index] ?? 1);
    at += wide ? 128 : 64;
    if (table.includes(0)) return false;
    parts.quantisation.set(head & 15, table);
  }
  return true;
}

function readHuffman(body: Buffer, parts: JpegParts): boolean {
  let at = 0;
  while (at + 17 <= body.length) {
    const head = body[at] ?? 0;
    const counts = [...body.subarray(at + 1, at + 17)];
    const total = counts.reduce((sum, count) => sum + count, 0);
    let space = 0;
    for (const [index, count] of counts.entries()) space += count / 2 ** (index + 1);
    if ((head & 0xec) !== 0 || total > 256 || space > 1 || at + 17 + total > body.length || total === 0) return false;
    parts.huffman.set(head, { counts, symbols: [...body.subarray(at + 17, at + 17 + total)] });
    at += 17 + total;
  }
  return true;
}

function readFrame(marker: number, body: Buffer, offset: number, parts: JpegParts): boolean {
  const count = body[5] ?? 0;
  if (count < 1 || count > 4 || body.length < 6 + count * 3) return false;
  const components = Array.from({ length: count }, (_, index) => ({
    id: body[6 + index * 3] ?? 0,
    horizontal: (body[7 + index * 3] ?? 0x11) >> 4,
    vertical: (body[7 + index * 3] ?? 0x11) & 15,
    quantisation: body[8 + index * 3] ?? 0,
    dc: index === 0 ? 0 : 1,
    ac: index === 0 ? 0 : 1,
  }));
  if (components.some(({ horizontal, vertical }) => horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4))
    return false;
  parts.frame = {
    marker,
    precision: body[0] ?? 8,
    height: body.readUInt16BE(1),
    width: body.readUInt16BE(3),
    components,
    offset,
  };
  return true;
}

/** Finds where the picture data ends: at EOI, or at the end of the file. Markers of further scans are counted. */
function readScan(bytes: Buffer, parts: JpegParts): void {
  parts.scans = 1;
  let lastEnd = -1;
  for (
    let at = bytes.indexOf(0xff, parts.scanStart);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 2)
  ) {
    const next = bytes[at + 1] ?? 0;
    if (next === 0xda && isScanHeader(bytes, at)) parts.scans++;
    if (next === 0xd9) {
      lastEnd = at;
      // Behind the end there may be other pictures or a maker's data; in the middle of damage an end may be chance.
      if (at > bytes.length - 65536 || bytes[at + 2] === 0xff || looksFinished(bytes, at + 2)) break;
    }
  }
  parts.hasEnd = lastEnd >= 0;
  parts.scanEnd = lastEnd >= 0 ? lastEnd : bytes.length;
}

/** Bytes after a real end are no entropy-coded data: there FF is nearly always followed by 00. */
function looksFinished(bytes: Buffer, from: number): boolean {
  let stuffed = 0;
  let other = 0;
  const end = Math.min(bytes.length - 1, from + 65536);
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < end; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === 0) stuffed++;
    else other++;
  }
  return other > stuffed;
}
