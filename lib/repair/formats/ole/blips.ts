import { inflateStrict } from '../../core/deflate/whole';
import { adler32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import { LimitError } from '../../report';

/** How a picture is stored ([MS-ODRAW] 2.2.23 and following): as the file that it was, or as a metafile that may be packed. */
export type BlipKind = 'jpg' | 'png' | 'metafile';

/** A picture of a stream: where its record begins, and its data without the record around it. */
export type Blip = { at: number; end: number; kind: BlipKind; bytes: Buffer; identifier: Buffer };

/** Types of records that hold pictures, and of each by its instance the bytes between its head and the picture ([MS-ODRAW] 2.2.24 to 2.2.28): one identifier or two, and a mark or the head of a metafile. */
const metafileHead = 34;
const identifierBytes = 16;
const records: Readonly<Record<number, { kind: BlipKind; instances: readonly number[] }>> = {
  61466: { kind: 'metafile', instances: [0x3d4, 0x3d5] },
  61467: { kind: 'metafile', instances: [0x216, 0x217] },
  61468: { kind: 'metafile', instances: [0x542, 0x543] },
  61469: { kind: 'jpg', instances: [0x46a, 0x46b, 0x6e2, 0x6e3] },
  61470: { kind: 'png', instances: [0x6e0, 0x6e1] },
};
/** The upper byte of all types of records of drawings (2.2). */
const drawing = 0xf0;
/** Bytes of a record's head. */
const head = 8;

function blipAt(data: Buffer, at: number): Blip | null {
  if (at < 0 || at + head > data.length || data[at + 3] !== drawing) return null;
  const [first, length] = [data.readUInt16LE(at), data.readUInt32LE(at + 4)];
  const record = records[data.readUInt16LE(at + 2)];
  if (!record || (first & 15) !== 0 || !record.instances.includes(first >> 4)) return null;
  const isTwice = ((first >> 4) & 1) === 1;
  const skip = identifierBytes * (isTwice ? 2 : 1) + (record.kind === 'metafile' ? 0 : 1);
  const end = at + head + length;
  if (end > data.length || length <= skip) return null;
  const identifier = data.subarray(at + head, at + head + identifierBytes);
  return { at, end, kind: record.kind, bytes: data.subarray(at + head + skip, end), identifier };
}

/** The pictures of a stream, in their order. */
export function blipsIn(data: Buffer): Blip[] {
  const found: Blip[] = [];
  for (let mark = data.indexOf(drawing, 3); mark >= 0; ) {
    const blip = blipAt(data, mark - 3);
    if (blip) found.push(blip);
    mark = data.indexOf(drawing, blip ? Math.max(mark + 1, blip.end + 3) : mark + 1);
  }
  return found;
}

/** Offsets within an entry of the list of pictures, behind its head (2.2.32): its identifier, how often it is used, and its place. */
const entry = { type: 0xf007, bytes: 36, identifier: 2, uses: 24, place: 28 } as const;
/** Kinds of pictures that entries name (2.4.1, MSOBLIPTYPE): from EMF to DIB. */
const [firstKind, lastKind] = [2, 7];

/**
 * Pictures that lost the head of their record: those that an entry of the list places where no record begins, and that are nowhere else
 * under their identifier.
 */
export function lostBlips(list: Buffer, pictures: Buffer, blips: readonly Blip[]): number {
  const known = new Set(blips.map(({ identifier }) => identifier.toString('hex')));
  const lost = new Set<number>();
  const mark = Buffer.from([entry.type & 255, entry.type >> 8]);
  for (let at = list.indexOf(mark, 2); at >= 0; at = list.indexOf(mark, at + 1)) {
    const start = at + 6;
    if (start + entry.bytes > list.length || ((list[at - 2] ?? 0) & 15) !== 2) continue;
    const kind = list[start] ?? 0;
    const isEntry = list.readUInt32LE(at + 2) >= entry.bytes && kind >= firstKind && kind <= lastKind;
    if (!isEntry || list.readUInt32LE(start + entry.uses) === 0) continue;
    const place = list.readUInt32LE(start + entry.place);
    const identifier = list.toString('hex', start + entry.identifier, start + entry.identifier + identifierBytes);
    if (place + head > pictures.length || known.has(identifier)) continue;
    if (isRecordOfPicture(pictures, place) || blips.some((blip) => blip.at <= place && place < blip.end)) continue;
    lost.add(place);
  }
  return lost.size;
}

/** Whether any record of a picture begins here: those that nothing here reads, such as plain bitmaps and TIFF, too (2.2.23, f018 to f117). */
function isRecordOfPicture(data: Buffer, at: number): boolean {
  const type = data.readUInt16LE(at + 2);
  return type >= 0xf018 && type <= 0xf117;
}

/** Offsets within the head of a metafile (2.2.31): its size, and how it is packed. */
const metafile = { size: 0, packing: 32, deflate: 0, zlib: 2 } as const;

/** Whether a packed metafile can be unpacked, and its check sum fits (RFC 1950, 2.2); one that is not packed, or too large, is not looked into. */
export function isMetafileSound(bytes: Buffer, most: number): boolean {
  if (bytes.length < metafileHead + metafile.zlib || bytes[metafile.packing] !== metafile.deflate) return true;
  const packed = bytes.subarray(metafileHead + metafile.zlib);
  try {
    const plain = inflateStrict(packed, most);
    if (!plain) return false;
    return plain.consumed + 4 > packed.length || packed.readUInt32BE(plain.consumed) === adler32(plain.data);
  } catch (error) {
    if (error instanceof LimitError) return true;
    throw error;
  }
}
