import { type DocumentTold, find } from '../../families/document';
import type { EngineJob } from '../../report';
import { decodeStream } from './filters';
import type { PdfModel } from './model';
import type { PdfScan } from './scan';
import { unlock } from './unlock';
import { entriesOf, type PdfObject } from './values';

/** Damaged streams that are told one by one. */
const mostTold = 20;

/**
 * Looks into the streams of an encrypted document that opens without a password, as a reader does; those whose packed data is damaged. Null
 * where it cannot be looked into.
 */
export function checkLocked(job: EngineJob, scan: PdfScan, model: PdfModel, told: DocumentTold): Set<PdfObject> | null {
  const open = unlock(scan);
  if (!open) return null;
  const damaged = new Set<PdfObject>();
  let budget = job.limits.inflatedBytes;
  for (const object of scan.objects.values()) {
    const stream = open(object);
    if (!stream || budget <= 0) continue;
    job.deadline.check();
    const options = { maxOutput: budget, deadline: job.deadline, resolve: model.resolve };
    const { sound, supported, data } = decodeStream(stream, entriesOf(object.value), options);
    budget -= data.length;
    if (sound || !supported) continue;
    damaged.add(object);
    if (damaged.size <= mostTold) find(told, { kind: 'stream.packed', offset: object.offset });
  }
  return damaged;
}
