import { Buffer } from '../../host/bytes';
import type { OleFile } from './container';
import { chainBytes, followChain, sectorBytes } from './sectors';

/** Finds a stream by how it begins when the directory no longer names it: the content of its chain from the first sector that fits. */
export function locateStream(
  file: OleFile,
  begins: (sector: Buffer) => boolean,
  taken: ReadonlySet<number>,
): Buffer | null {
  const { sectors } = file;
  for (let sector = 0; sector < sectors.count; sector++) {
    if (sectors.reserved.has(sector) || !begins(sectorBytes(sectors, sector))) continue;
    const chain = followChain(sectors, sector, null, taken);
    return chainBytes(sectors, chain, null);
  }
  // A stream below 4096 bytes begins at a multiple of 64 in the stream of short streams.
  for (let at = 0; at + 64 <= file.miniStream.length; at += 64) {
    if (begins(file.miniStream.subarray(at))) return file.miniStream.subarray(at);
  }
  return null;
}

/** The same without regard to chains: every byte from the first sector that fits, tables and directory left out. */
export function locateRun(file: OleFile, begins: (sector: Buffer) => boolean): Buffer | null {
  const { sectors } = file;
  for (let start = 0; start < sectors.count; start++) {
    if (sectors.reserved.has(start) || !begins(sectorBytes(sectors, start))) continue;
    const pieces: Buffer[] = [];
    for (let sector = start; sector < sectors.count; sector++)
      if (!sectors.reserved.has(sector)) pieces.push(sectorBytes(sectors, sector));
    return Buffer.concat(pieces);
  }
  return null;
}
