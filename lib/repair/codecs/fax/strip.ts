import { Buffer } from '../../host/bytes';
import { blank, type FaxKind, type FaxReader } from './reader';

/** What a strip holds and how it is coded: its width in pixels, its rows, and whether what is shown as white is coded as black. */
export type FaxStrip = { width: number; rows: number; kind: FaxKind; isPaperBlack?: boolean };

/** Rows that were read one behind the other, each as the places at which its colour changes, and whether they are all that the data holds. */
export type FaxRows = { rows: (readonly number[])[]; isWhole: boolean };

/** Bytes that writers leave behind the last row. */
const mostBehind = 4;

/** Reads rows from a bit on, up to the first that makes no sense; `above` is the row before. */
export function readRows(reader: FaxReader, { rows: wanted, kind }: FaxStrip, above = blank): FaxRows {
  const rows: (readonly number[])[] = [];
  let last = above;
  while (rows.length < wanted) {
    const row = nextRow(reader, kind, last);
    if (!row) return { rows, isWhole: false };
    rows.push(row);
    last = row;
  }
  return { rows, isWhole: isEnd(reader, kind) };
}

/** The next row; null where the data makes none, or ends. */
export function nextRow(reader: FaxReader, kind: FaxKind, above: readonly number[]): readonly number[] | null {
  if (kind === 'both') return reader.byAbove(above);
  if (kind === 'plain') {
    reader.align();
    return reader.runs();
  }
  // A mark stands in front of each row, but for the first of some writers, and two of them behind the last.
  reader.mark();
  if (kind === 'oneWay') return reader.runs();
  const isOneWay = reader.peek(1) === 1;
  reader.position++;
  return isOneWay ? reader.runs() : reader.byAbove(above);
}

/** Whether nothing but marks of the end (T.4, 4.1.4; T.6, 2.4) and what fills bytes up stands behind the last row. */
export function isEnd(reader: FaxReader, kind: FaxKind): boolean {
  if (kind === 'oneWay' || kind === 'twoWay') reader.mark();
  if (kind === 'twoWay') reader.position++;
  return reader.end - reader.position < mostBehind * 8 || reader.isAtMark();
}

/** Rows as bits, eight pixels a byte, black as ones. */
export function drawRows(rows: readonly (readonly number[])[], width: number): Buffer {
  const step = Math.ceil(width / 8);
  const data = Buffer.alloc(step * rows.length);
  for (const [line, changes] of rows.entries())
    for (let index = 0; index < changes.length; index += 2)
      blacken(data, line * step * 8, changes[index] ?? 0, changes[index + 1] ?? width);
  return data;
}

function blacken(data: Buffer, start: number, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const bit = start + at;
    if ((bit & 7) === 0 && to - at >= 8) {
      data[bit >> 3] = 0xff;
      at += 7;
    } else data[bit >> 3] = (data[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
}
