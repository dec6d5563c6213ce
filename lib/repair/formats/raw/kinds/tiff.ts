import { Buffer } from '../../../host/bytes';
import type { Damage } from '../../../report/facts/photo';
import { searchDirectories, TiffBytes, tag, tiffNumber } from '../../tiff/directory';
import type { RawLayout } from '../layout';
import { behindSignature, withHead } from './heads';

/** Directories that are followed, and those to which a new head is led. */
const mostDirectories = 200;
const mostLedTo = 12;

/** A raw photo built like TIFF (CR2, NEF, NRW, ARW, DNG, GPR): the chain of directories, and all picture data that they lead to. */
export const tiffLike = (isCr2: boolean): RawLayout => ({
  faultsOf,
  sensorOf: () => null,
  *candidates(bytes) {
    for (const order of ['49492a00', '4d4d002a']) yield* behindSignature(bytes, Buffer.from(order, 'hex'), 0);
    for (const [order, offset] of offsetsToTry(bytes, isCr2 ? 16 : 8)) {
      const head = Buffer.alloc(isCr2 ? 12 : 8);
      head.write(order, 0, 'latin1');
      if (order === 'II') head.writeUInt16LE(tiffNumber, 2);
      else head.writeUInt16BE(tiffNumber, 2);
      if (order === 'II') head.writeUInt32LE(offset, 4);
      else head.writeUInt32BE(offset, 4);
      if (isCr2) head.write('CR\x02\x00', 8, 'latin1');
      yield withHead(bytes, head, 'leads');
    }
  },
});

function faultsOf(bytes: Buffer): Damage[] {
  const order = bytes.toString('latin1', 0, 2);
  const tiff = new TiffBytes(bytes, order === 'II');
  if ((order !== 'II' && order !== 'MM') || tiff.u16(2) !== tiffNumber)
    return [{ kind: 'head', how: 'damaged', offset: 0 }];
  const faults: Damage[] = [];
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

function offsetsToTry(bytes: Buffer, usual: number): [string, number][] {
  const tries: [string, number][] = [
    ['II', usual],
    ['MM', usual],
  ];
  for (const { tiff, directory } of searchDirectories(bytes).slice(0, mostLedTo))
    tries.push([tiff.little ? 'II' : 'MM', directory.offset]);
  return tries;
}
