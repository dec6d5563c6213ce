import { type DocumentTold, find } from '../../families/document';
import { mostTold } from './check';
import { decodeStream } from './filters';
import type { PdfModel } from './model';
import { unlock } from './unlock';
import { entriesOf, type PdfObject } from './values';

/**
 * Looks into the streams of an encrypted document that opens without a password, as a reader does; those whose packed data is damaged. Null
 * where it cannot be looked into, or not wholly.
 */
export function checkLocked(model: PdfModel, told: DocumentTold): Set<PdfObject> | null {
  const { job } = model;
  const open = unlock(model);
  if (!open) return null;
  const damaged = new Set<PdfObject>();
  let budget = job.limits.inflatedBytes;
  for (const object of model.objects.values()) {
    job.deadline.check();
    if (budget <= 0) return damaged.size > 0 ? damaged : null;
    const stream = open(object);
    if (!stream) continue;
    const options = { maxOutput: budget, deadline: job.deadline, resolve: model.resolve };
    const { sound, supported, data } = decodeStream(stream, entriesOf(object.value), options);
    budget -= data.length;
    if (sound || !supported) continue;
    damaged.add(object);
    if (damaged.size <= mostTold) find(told, { kind: 'stream.packed', offset: object.offset });
  }
  return damaged;
}
