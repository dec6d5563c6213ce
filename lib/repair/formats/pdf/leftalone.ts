import type { Buffer } from '../../host/bytes';
import type { PdfParts } from './serialize';
import { writeDocument } from './serialize';
import { entriesOf, nameOf, type PdfObject, type PdfValue } from './values';

/** The data of a stream as it stands in a file, and what says how it is packed. */
type Packed = { stream: Buffer | null; filter: PdfValue | undefined; parameters: PdfValue | undefined };

/** A stream that was packed anew, and its data as it was before. */
export type Rewritten = { object: PdfObject; before: Packed };

/** More streams than these are not tried, and more of them not left alone: each trial is read by a reader that is not ours. */
const most = { tried: 10, left: 3 };

/** Data that makes no sense in a page's stead: pictures and bundles of objects are read through, not shown. */
const unseen: ReadonlySet<string | null> = new Set(['ObjStm', 'XRef', 'Metadata']);

function packedOf({ stream, value }: PdfObject): Packed {
  const entries = entriesOf(value);
  return { stream, filter: entries.get('Filter'), parameters: entries.get('DecodeParms') };
}

function setPacked(object: PdfObject, { stream, filter, parameters }: Packed): void {
  const entries = entriesOf(object.value);
  object.stream = stream;
  for (const [key, value] of [['Filter', filter] as const, ['DecodeParms', parameters] as const]) {
    if (value) entries.set(key, value);
    else entries.delete(key);
  }
}

/** The data of all streams, before anything of them is set right. */
export function dataOf(objects: Iterable<PdfObject>): Map<PdfObject, Packed> {
  const data = new Map<PdfObject, Packed>();
  for (const object of objects) if (object.stream) data.set(object, packedOf(object));
  return data;
}

/** Streams of a document that are not as they were. */
export function rewrittenOf({ objects }: PdfParts, data: ReadonlyMap<PdfObject, Packed>): Rewritten[] {
  return objects.flatMap((object) => {
    const before = data.get(object);
    const isShown = !unseen.has(nameOf(entriesOf(object.value).get('Type')));
    return before && before.stream !== object.stream && isShown ? [{ object, before }] : [];
  });
}

/**
 * The document with streams left as they were that readers make more of so, and how many those are; null where it is still worse. `goneIn`
 * tells how many words are gone in a document by the reader that misses them, and `isWorse` whether it is worse than the damaged one by any reader.
 */
export async function withStreamsLeft(
  { version, objects, trailer }: PdfParts,
  rewritten: readonly Rewritten[],
  {
    gone,
    goneIn,
    isWorse,
  }: { gone: number; goneIn(bytes: Buffer): Promise<number>; isWorse(bytes: Buffer): Promise<boolean> },
): Promise<{ bytes: Buffer; count: number } | null> {
  if (rewritten.length > most.tried) return null;
  let least = gone;
  const open = [...rewritten];
  for (let count = 1; count <= most.left && open.length > 0; count++) {
    let best: { bytes: Buffer; one: Rewritten } | null = null;
    for (const one of open) {
      const after = packedOf(one.object);
      setPacked(one.object, one.before);
      const bytes = writeDocument(version, objects, trailer);
      setPacked(one.object, after);
      const words = await goneIn(bytes);
      if (words >= least) continue;
      least = words;
      best = { bytes, one };
    }
    if (!best) return null;
    if (!(await isWorse(best.bytes))) return { bytes: best.bytes, count };
    setPacked(best.one.object, best.one.before);
    open.splice(open.indexOf(best.one), 1);
  }
  return null;
}
