import type { Buffer } from '../../host/bytes';
import { type PptRecord, ppt } from './pptrecords';

/** Parts of a presentation by their numbers: what the lists of places in the stream still tell, and parts that newer ones took the place of. */
export type Known = { numbers: Map<number, PptRecord>; replaced: Set<PptRecord>; documentNumber: number | null };

/** Follows one list of places (2.3.5), calling `visit` with each number and place; false when it is none. */
export function eachPlace(data: Buffer, at: number, visit: (number: number, place: number) => void): boolean {
  if (at + 8 > data.length || data.readUInt16LE(at + 2) !== ppt.persistDirectory) return false;
  const end = at + 8 + data.readUInt32LE(at + 4);
  if (end > data.length) return false;
  for (let place = at + 8; place + 4 <= end; ) {
    const head = data.readUInt32LE(place);
    place += 4;
    for (let index = 0; index < head >>> 20 && place + 4 <= end; index++, place += 4)
      visit((head & 0xfffff) + index, data.readUInt32LE(place));
  }
  return true;
}

/** Reads every list of places that is left in the stream, whether anything leads to it or not; later ones count more. */
export function knownPlaces(data: Buffer, records: readonly PptRecord[]): Known {
  const byOffset = new Map(records.filter(({ type }) => type !== ppt.persistDirectory).map((one) => [one.offset, one]));
  const known: Known = { numbers: new Map(), replaced: new Set(), documentNumber: null };
  for (const record of records) {
    if (record.type === ppt.userEdit && record.data.length >= 20) known.documentNumber = record.data.readUInt32LE(16);
    if (record.type !== ppt.persistDirectory) continue;
    eachPlace(data, record.offset, (number, place) => {
      const part = byOffset.get(place);
      if (!part) return;
      const old = known.numbers.get(number);
      if (old && old !== part) known.replaced.add(old);
      known.numbers.set(number, part);
    });
  }
  return known;
}
