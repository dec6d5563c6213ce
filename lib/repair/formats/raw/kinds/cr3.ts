import { topBoxes } from '../../../core/boxes';
import { Buffer } from '../../../host/bytes';
import type { Damage } from '../../../report/facts/photo';
import type { RawLayout } from '../layout';
import { behindSignature, withHead } from './heads';

/** A CR3 file: boxes up to the end (ISO/IEC 14496-12), the brand, and the boxes of descriptions and of data. */
export const cr3: RawLayout = {
  faultsOf,
  sensorOf: () => null,
  *candidates(bytes) {
    yield* behindSignature(bytes, Buffer.from('ftypcrx ', 'latin1'), 4);
    yield withHead(bytes, Buffer.from('000000186674797063727820000000016372782069736f6d', 'hex'), 'written');
  },
};

function faultsOf(bytes: Buffer): Damage[] {
  const faults: Damage[] = [];
  if (bytes.toString('latin1', 4, 12) !== 'ftypcrx ') faults.push({ kind: 'head', how: 'damaged', offset: 0 });
  const { boxes, end, whole } = topBoxes(bytes);
  if (!whole) faults.push({ kind: 'boxes', how: 'broken', offset: end });
  for (const type of ['moov', 'mdat'] as const) {
    if (!boxes.some((box) => box.type === type)) faults.push({ kind: 'boxes', how: 'missing', type });
  }
  return faults;
}
