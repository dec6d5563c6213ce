import { topBoxes } from '../../core/boxes';
import type { Buffer } from '../../host/bytes';
import type { Damage } from '../../report/facts/photo';
import { TiffBytes, tag, tiffNumber } from '../tiff/directory';

/** Directories that are followed. */
const mostDirectories = 200;
/** Bytes of the head of a RAF file, with the places of JPEG, its directory and the sensor data; and of that of a CIFF file (CRW). */
const headBytes = { raf: 112, ciff: 26 };

/** What is wrong with the structure of a raw photo; empty when it is sound. */
type Faults = Damage[];

/** What is wrong with the structure of a raw photo of this format. */
export const faultsOf = (format: string, bytes: Buffer): Faults => (checks[format] ?? checkTiffRaw)(bytes);

/** Checks a raw photo built like TIFF (CR2, NEF, NRW, ARW, DNG, GPR): the chain of directories, and that all picture data lies in the file. */
function checkTiffRaw(bytes: Buffer): Faults {
  const order = bytes.toString('latin1', 0, 2);
  const tiff = new TiffBytes(bytes, order === 'II');
  if ((order !== 'II' && order !== 'MM') || tiff.u16(2) !== tiffNumber)
    return [{ kind: 'head', how: 'damaged', offset: 0 }];
  const faults: Faults = [];
  const queue = [tiff.u32(4)];
  const seen = new Set<number>();
  let pictures = 0;
  while (queue.length > 0 && seen.size < mostDirectories) {
    const offset = queue.shift() ?? 0;
    if (offset === 0 || seen.has(offset)) continue;
    seen.add(offset);
    const directory = tiff.directory(offset);
    if (!directory) {
      faults.push({ kind: 'directory', how: 'damaged', offset });
      continue;
    }
    queue.push(
      directory.next,
      ...tiff.values(directory.fields.get(tag.subDirectories), 32),
      ...tiff.values(directory.fields.get(tag.exif), 1),
    );
    for (const [starts, counts] of [
      [tag.stripOffsets, tag.stripCounts],
      [tag.tileOffsets, tag.tileCounts],
      [tag.jpegStart, tag.jpegLength],
    ] as const) {
      const places = tiff.values(directory.fields.get(starts));
      const lengths = tiff.values(directory.fields.get(counts));
      if (places.length > 0) pictures++;
      const outside = places.filter((place, index) => place + (lengths[index] ?? 0) > bytes.length).length;
      if (outside > 0) faults.push({ kind: 'cut', offset: bytes.length });
    }
  }
  if (pictures === 0 && faults.length === 0) faults.push({ kind: 'directory', how: 'empty' });
  return faults;
}

/** Checks a CR3 file: boxes up to the end (ISO/IEC 14496-12), the brand, and that all picture data lies in the file. */
function checkCr3(bytes: Buffer): Faults {
  const faults: Faults = [];
  if (bytes.toString('latin1', 4, 12) !== 'ftypcrx ') faults.push({ kind: 'head', how: 'damaged', offset: 0 });
  const { boxes, end, whole } = topBoxes(bytes);
  if (!whole) faults.push({ kind: 'boxes', how: 'broken', offset: end });
  for (const type of ['moov', 'mdat'] as const) {
    if (!boxes.some((box) => box.type === type)) faults.push({ kind: 'boxes', how: 'missing', type });
  }
  return faults;
}

/** Checks a RAF file: its head, and that the JPEG and the sensor data it names lie in the file. */
function checkRaf(bytes: Buffer): Faults {
  if (bytes.length < headBytes.raf || bytes.toString('latin1', 0, 16) !== 'FUJIFILMCCD-RAW ')
    return [{ kind: 'head', how: 'damaged', offset: 0 }];
  const faults: Faults = [];
  const places = [84, 92, 100].map((at) => ({ start: bytes.readUInt32BE(at), length: bytes.readUInt32BE(at + 4) }));
  if (places.some(({ start, length }) => start + length > bytes.length))
    faults.push({ kind: 'cut', offset: bytes.length });
  const jpeg = places[0]?.start ?? 0;
  if (jpeg > 0 && jpeg + 2 <= bytes.length && bytes.readUInt16BE(jpeg) !== 0xffd8)
    faults.push({ kind: 'head', how: 'preview', offset: 84 });
  return faults;
}

/** Checks a CRW file (CIFF): its head, and the heap of entries from the end of the file down. */
function checkCrw(bytes: Buffer): Faults {
  const faults: Faults = [];
  const order = bytes.toString('latin1', 0, 2);
  if (order !== 'II' || bytes.toString('latin1', 6, 14) !== 'HEAPCCDR')
    faults.push({ kind: 'head', how: 'damaged', offset: 0 });
  if (!crwHeap(bytes)) faults.push({ kind: 'directory', how: 'heap', offset: bytes.length });
  return faults;
}

function crwHeap(bytes: Buffer): boolean {
  const start = bytes.length >= headBytes.ciff ? bytes.readUInt32LE(2) : 0;
  if (bytes.length < 64 || start > bytes.length) return false;
  const table = start + bytes.readUInt32LE(bytes.length - 4);
  if (table + 2 > bytes.length) return false;
  const count = bytes.readUInt16LE(table);
  if (count === 0 || count > 512 || table + 2 + count * 10 > bytes.length) return false;
  for (let index = 0; index < count; index++) {
    const at = table + 2 + index * 10;
    const inline = (bytes.readUInt16LE(at) & 0xc000) === 0x4000;
    if (!inline && start + bytes.readUInt32LE(at + 6) + bytes.readUInt32LE(at + 2) > bytes.length) return false;
  }
  return true;
}

/** Checks of what is not built like TIFF. */
const checks: Record<string, (bytes: Buffer) => Faults> = { cr3: checkCr3, raf: checkRaf, crw: checkCrw };
