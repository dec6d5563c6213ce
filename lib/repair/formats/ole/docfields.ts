import { Buffer } from '../../host/bytes';
import type { Piece } from './fib';

/** Where the header names the list of fields of the main text ([MS-DOC] 2.5.6, fcPlcfFldMom). */
const listPlace = 0x11a;
/** Bytes of an entry of the list: a place in characters, and what stands there (2.8.25 PlcFld, 2.9.90 Fld); one place more ends it. */
const [placeBytes, markBytes] = [4, 2];
/** Bits of an entry that are the character itself (2.9.91 fldch). */
const markBits = 0x1f;
/** Characters that begin, part and end a field. */
const marks: ReadonlySet<number> = new Set([0x13, 0x14, 0x15]);

/** A mark of a field that is not where the list says: its place in the document stream, and how many bytes it has there. */
export type LostMark = { at: number; mark: number; bytes: 1 | 2 };

/**
 * Marks of fields that are not where the list of fields has them, as text is there that was overwritten; none where the list itself is out of
 * order, or leads nowhere more often than not.
 */
export function lostMarks(document: Buffer, table: Buffer, pieces: readonly Piece[]): LostMark[] {
  if (document.length < listPlace + 8) return [];
  const [offset, length] = [document.readUInt32LE(listPlace), document.readUInt32LE(listPlace + 4)];
  const count = (length - placeBytes) / (placeBytes + markBytes);
  if (!Number.isInteger(count) || count < 1 || offset + length > table.length) return [];
  const lost: LostMark[] = [];
  let [before, known] = [-1, 0];
  for (let index = 0; index < count; index++) {
    const place = table.readUInt32LE(offset + index * placeBytes);
    const mark = table.readUInt8(offset + (count + 1) * placeBytes + index * markBytes) & markBits;
    const piece = pieces.find(({ start, end }) => place >= start && place < end);
    // An entry out of order is damage to the list, and tells nothing.
    if (place <= before || !marks.has(mark) || !piece) continue;
    known++;
    before = place;
    const bytes = piece.narrow ? 1 : 2;
    const at = piece.offset + (place - piece.start) * bytes;
    if (at + bytes <= document.length && document.readUIntLE(at, bytes) !== mark) lost.push({ at, mark, bytes });
  }
  return lost.length * 2 < known ? lost : [];
}

/** The stream with marks of fields where their list has them. */
export function withMarks(document: Buffer, lost: readonly LostMark[]): Buffer {
  const copy = Buffer.from(document);
  for (const { at, mark, bytes } of lost) copy.writeUIntLE(mark, at, bytes);
  return copy;
}
