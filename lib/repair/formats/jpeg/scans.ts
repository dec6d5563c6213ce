import type { HuffmanSpec } from '../../codecs/jpeg/tables';
import type { Buffer } from '../../host/bytes';
import { readHuffman } from './segments';
import { isScanHeader } from './structure';

/** Bytes between which the length of a DHT segment with its tables lies (ITU-T T.81, B.2.4.2). */
const huffmanBytes = { least: 18, most: 1200 };

/** One scan of a picture that has several (ISO/IEC 10918-1, B.2.3 and G.1): its parameters, its tables, and where its data lies. */
export type Scan = {
  components: { id: number; dc: number; ac: number }[];
  /** First and last coefficient, and the bit positions before and after (Ss, Se, Ah, Al). */
  from: number;
  to: number;
  high: number;
  low: number;
  huffman: ReadonlyMap<number, HuffmanSpec>;
  interval: number;
  start: number;
  end: number;
};

/** Most scans that are read; writers make ten or so, and up to three times as many where they look for the shortest. */
const mostScans = 64;

/** Finds the scans from the first header on; tables that come between them hold from there on. */
export function readScans(
  bytes: Buffer,
  first: number,
  end: number,
  tables: ReadonlyMap<number, HuffmanSpec>,
  interval: number,
): Scan[] {
  const scans: Scan[] = [];
  let huffman = new Map(tables);
  let restart = interval;
  let at = first;
  while (at + 4 <= end && scans.length < mostScans) {
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, Math.min(end, at + 2 + length));
    if (marker === 0xda) {
      const start = at + 2 + length;
      const next = nextSegment(bytes, start, end);
      const count = body[0] ?? 0;
      scans.push({
        components: Array.from({ length: count }, (_, index) => ({
          id: body[1 + index * 2] ?? 0,
          dc: (body[2 + index * 2] ?? 0) >> 4,
          ac: (body[2 + index * 2] ?? 0) & 15,
        })),
        from: body[1 + count * 2] ?? 0,
        to: body[2 + count * 2] ?? 63,
        high: (body[3 + count * 2] ?? 0) >> 4,
        low: (body[3 + count * 2] ?? 0) & 15,
        huffman,
        interval: restart,
        start,
        end: next,
      });
      at = next;
      continue;
    }
    if (marker === 0xc4) {
      huffman = new Map(huffman);
      readHuffman(body, huffman);
    } else if (marker === 0xdd && body.length >= 2) restart = body.readUInt16BE(0);
    at = nextSegment(bytes, at + 2 + length, end);
  }
  return scans;
}

/** The next marker that begins a table or a scan; in damaged data others are chance. */
function nextSegment(bytes: Buffer, from: number, end: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 4 < end; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (marker === 0xda && isScanHeader(bytes, at)) return at;
    if (marker === 0xdd && length === 4) return at;
    if (
      marker === 0xc4 &&
      length > huffmanBytes.least &&
      length < huffmanBytes.most &&
      readHuffman(bytes.subarray(at + 4, at + 2 + length), new Map())
    )
      return at;
  }
  return end;
}
