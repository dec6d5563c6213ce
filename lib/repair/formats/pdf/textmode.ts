import { inflateStrict, zlibHeaderLength } from '../../core/deflate/whole';
import { lineFeeds, withReturns } from '../../core/transfer/returns';
import { beforeTransfer } from '../../core/transfer/undo';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { StepFigures } from '../../report/facts/document';
import { type PdfScan, scanObjects } from './scan';
import { entriesOf, nameOf, numberOf, type PdfObject } from './values';

/** A scan of the bytes as they were before they were sent as text, what was undone, and in how many bytes or streams; null when nothing was. */
export type TextModeResult = {
  scan: PdfScan;
  undone: { kind: keyof StepFigures & `textmode.${string}`; count: number } | null;
};

/** Undoes a transfer as text: what was added is taken out again, CR taken from CRLF is put back where the data shows it. */
export function undoTransfer(job: EngineJob, scan: PdfScan): TextModeResult {
  const judged = (read: PdfScan) => ({ read, worth: soundStreams(read) });
  const before = beforeTransfer(
    job.bytes,
    () => judged(scan),
    (bytes) => judged(scanObjects(bytes, job.limits, job.deadline)),
  );
  if (before)
    return { scan: before.read, undone: { kind: `textmode.${before.undone.how}`, count: before.undone.count } };
  let restored = 0;
  for (const object of scan.objects.values()) {
    job.deadline.check();
    const better = withLostReturns(object);
    if (!better) continue;
    object.stream = better;
    restored++;
  }
  return { scan, undone: restored === 0 ? null : { kind: 'textmode.lost', count: restored } };
}

function flateStream(object: PdfObject): Buffer | null {
  const dictionary = entriesOf(object.value);
  return object.stream && nameOf(dictionary.get('Filter')) === 'FlateDecode' ? object.stream : null;
}

function soundStreams(scan: PdfScan): number {
  let sound = 0;
  for (const object of scan.objects.values()) {
    const stream = flateStream(object);
    if (stream && object.flaws.length === 0 && inflates(stream)) sound++;
  }
  return sound;
}

function inflates(stream: Buffer): boolean {
  try {
    return inflateStrict(stream.subarray(zlibHeaderLength(stream)), 1 << 27) !== null;
  } catch {
    return false;
  }
}

/** Line ends of one stream that are tried, where one CR is missing and where two are. */
const mostPlaces = { one: 600, two: 60 };

/** A stream that is one or two bytes shorter than its length says, with the CR that it lost; null when nothing fits. */
function withLostReturns(object: PdfObject): Buffer | null {
  const stream = flateStream(object);
  const length = numberOf(entriesOf(object.value).get('Length'));
  if (!stream || length === null || !object.flaws.includes('length')) return null;
  const missing = length - stream.length;
  if (missing < 1 || missing > 2 || inflates(stream)) return null;
  const places = lineFeeds(stream).filter((at) => stream[at - 1] !== 13);
  if (missing === 2 && places.length > mostPlaces.two) return null;
  const tried = places.slice(0, mostPlaces.one);
  return withReturns(stream, missing, { places: tried, most: Number.POSITIVE_INFINITY }, inflates);
}
