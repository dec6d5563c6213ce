import type { RawLayout } from '../../layout';
import { behindSignature, withHead } from '../heads';
import { brand, faultsOf, isBranded } from './faults';
import { rebuilt } from './rebuild';
import { sensorOf } from './sensor';
import { settledBoxes } from './tree';

/** A CR3 file: boxes up to the end (ISO/IEC 14496-12), the brand, and the boxes of descriptions and of data. */
export const cr3: RawLayout = {
  faultsOf,
  sensorOf,
  *candidates(bytes, job) {
    yield* behindSignature(bytes, brand.subarray(4, 12), 4);
    if (!isBranded(bytes)) yield withHead(bytes, brand, 'written');
    const right = settledBoxes(bytes);
    if (right) yield { data: right, steps: [{ kind: 'fields', fields: ['places'] }] };
    yield* rebuilt(bytes, job);
  },
};
