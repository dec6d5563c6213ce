import { Buffer } from '../../../../host/bytes';
import type { TiffField } from '../../../../report/facts/photo';
import { TiffBytes } from '../../../tiff/directory';
import type { Candidate } from '../../layout';
import { withCounts } from './counts';
import { withDescription } from './described';
import { type Directories, directoriesOf } from './directories';
import { withLinks } from './links';
import { withPairs } from './pairs';
import { withPointers } from './pointers';
import { withTitles } from './titles';
import type { Shape } from './tree';

/** A file whose directories were set right by what else it holds, which fields those were, and whether some of what the camera noted is lost. */
export type Settled = { data: Buffer; fields: readonly TiffField[]; isBare: boolean };

/** Sets right what in the directories of a file contradicts the rest of it; null where nothing does, or nothing proves what was there. */
export function settled(bytes: Buffer, shape: Shape): Settled | null {
  let now = directoriesOf(bytes);
  if (!now) return null;
  const tiff = new TiffBytes(Buffer.from(bytes), now.tiff.little);
  const fields = new Set<TiffField>();
  const again = (isSet: boolean, field: TiffField): Directories | null => {
    if (isSet) fields.add(field);
    return isSet ? directoriesOf(tiff.bytes) : now;
  };
  if (now.broken.length > 0) now = again(withCounts(tiff, now) > 0, 'places');
  if (!now) return null;
  const described = withDescription(tiff, now, shape);
  for (const field of described) fields.add(field);
  if (described.length > 0) now = directoriesOf(tiff.bytes);
  if (!now) return null;
  now = again(withPairs(tiff, now), 'places');
  if (!now) return null;
  const [first] = now.found;
  if (first && withTitles(tiff, first)) now = again(true, 'camera');
  if (!now) return null;
  now = again(withLinks(tiff, now), 'places');
  if (!now) return null;
  const pointers = withPointers(tiff, now);
  now = again(pointers !== null, 'places');
  return fields.size > 0 ? { data: tiff.bytes, fields: [...fields], isBare: pointers?.isBare ?? false } : null;
}

/** The same as a change to try. */
export function asCandidate({ data, fields, isBare }: Settled): Candidate {
  return { data, steps: [{ kind: 'fields', fields }], ...(isBare ? { isBare } : {}) };
}
