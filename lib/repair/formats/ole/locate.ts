import { Buffer } from '../../host/bytes';
import { shortLimit } from './constants';
import type { OleFile } from './container';
import { chainBytes, followChain, sectorBytes } from './sectors';

/** Where streams of objects inside of a document begin, by sectors and by pieces of the stream of short ones. */
export type Inside = { long: ReadonlySet<number>; short: ReadonlySet<number> };

/** Where streams begin that the tree of names has below the top: none of these is that of the document itself. */
export function startsInside({ streams }: OleFile): Inside {
  const below = streams.filter(({ path }) => path.length > 1);
  const starts = (isShort: boolean) =>
    new Set(below.filter(({ size }) => size < shortLimit === isShort).map(({ entry }) => entry?.start ?? -1));
  return { long: starts(false), short: starts(true) };
}

const none: Inside = { long: new Set(), short: new Set() };

/** Finds a stream by how it begins when the directory no longer names it: the content of its chain from the first sector that fits. */
export function locateStream(
  file: OleFile,
  begins: (sector: Buffer) => boolean,
  taken: ReadonlySet<number>,
  inside = none,
): Buffer | null {
  const { sectors } = file;
  for (let sector = 0; sector < sectors.count; sector++) {
    if (sectors.reserved.has(sector) || inside.long.has(sector) || !begins(sectorBytes(sectors, sector))) continue;
    const chain = followChain(sectors, sector, null, taken);
    return chainBytes(sectors, chain, null);
  }
  // A stream below 4096 bytes begins at a multiple of 64 in the stream of short streams.
  for (let at = 0; at + 64 <= file.miniStream.length; at += 64) {
    if (!inside.short.has(at / 64) && begins(file.miniStream.subarray(at))) return file.miniStream.subarray(at);
  }
  return null;
}

/** The same without regard to chains: every byte from the first sector that fits, tables and directory left out. */
export function locateRun(file: OleFile, begins: (sector: Buffer) => boolean, inside = none): Buffer | null {
  const { sectors } = file;
  for (let start = 0; start < sectors.count; start++) {
    if (sectors.reserved.has(start) || inside.long.has(start) || !begins(sectorBytes(sectors, start))) continue;
    const pieces: Buffer[] = [];
    for (let sector = start; sector < sectors.count; sector++)
      if (!sectors.reserved.has(sector)) pieces.push(sectorBytes(sectors, sector));
    return Buffer.concat(pieces);
  }
  return null;
}
