import type { Buffer } from '../../host/bytes';
import { type HeaderFacts, readCentralDirectory, scanLocalHeaders } from './records';

/** Bit of data that a password encrypts, and of data whose sum and lengths stand behind it (APPNOTE 4.4.4, bits 0 and 3). */
const encrypted = 1;
const described = 8;
/** Share of the parts that must be encrypted: a wrong bit makes one look so. */
const leastShare = 2 / 3;

/** Whether most of some headers say that what they are of is encrypted. */
function areLocked(headers: readonly HeaderFacts[]): boolean {
  const locked = headers.filter(({ flags }) => (flags & encrypted) !== 0);
  return locked.length > 0 && locked.length >= headers.length * leastShare;
}

const isPart = ({ name, size }: HeaderFacts): boolean => !name.endsWith('/') && size > 0;

/** Whether an archive is one whose parts a password encrypts, and if so whether its headers and list of parts agree; null for others. */
export function lockOf(bytes: Buffer, mostEntries: number): 'whole' | 'damaged' | null {
  const locals = scanLocalHeaders(bytes, mostEntries);
  // With lengths behind the data the header before it has none.
  const parts = locals.filter((header) => isPart(header) || (header.flags & described) !== 0);
  if (!areLocked(parts)) return null;
  const { entries, problems } = readCentralDirectory(bytes, mostEntries);
  if (entries.length > 0 && !areLocked(entries.filter(isPart))) return null;
  const byPlace = new Map(locals.map((header, index) => [header.offset, { ...header, index }]));
  const agree = entries.every((entry) => {
    const local = byPlace.get(entry.offset);
    if (!local || local.name !== entry.name || local.flags !== entry.flags || local.method !== entry.method)
      return false;
    const isOpen = (local.flags & described) !== 0;
    const isTold = (stated: number, known: number) => stated === known || (isOpen && stated === 0);
    const areTold =
      isTold(local.crc, entry.crc) && isTold(local.compressed, entry.compressed) && isTold(local.size, entry.size);
    return areTold && local.dataStart + entry.compressed <= (locals[local.index + 1]?.offset ?? bytes.length);
  });
  return agree && problems.length === 0 && entries.length === locals.length ? 'whole' : 'damaged';
}
