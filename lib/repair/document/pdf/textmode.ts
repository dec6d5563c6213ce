import { inflateStrict, zlibHeaderLength } from '../../core/deflate/whole';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { type PdfScan, scanObjects } from './scan';
import { entriesOf, nameOf, numberOf, type PdfObject } from './values';

/** A scan of the bytes as they were before line ends were changed, and what was undone, in words; null when nothing was. */
export type TextModeResult = { scan: PdfScan; undone: { finding: string; step: string } | null };

/** Undoes a transfer in text mode: CR added before every LF is taken out again, CR taken from CRLF is put back where the data shows it. */
export function undoTextMode(job: EngineJob, scan: PdfScan): TextModeResult {
  const stripped = withoutAddedReturns(job.bytes);
  if (stripped) {
    const again = scanObjects(stripped, job.limits, job.deadline);
    if (soundStreams(again) > soundStreams(scan)) {
      return {
        scan: again,
        undone: {
          finding:
            'Every line end was changed, as happens when a file is sent in text mode; this breaks compressed data.',
          step: `${(job.bytes.length - stripped.length).toLocaleString('en-US')} bytes that the transfer had added were taken out.`,
        },
      };
    }
  }
  let restored = 0;
  for (const object of scan.objects.values()) {
    job.deadline.check();
    const better = withLostReturns(object);
    if (!better) continue;
    object.stream = better;
    restored++;
  }
  if (restored === 0) return { scan, undone: null };
  return {
    scan,
    undone: {
      finding: 'Line ends inside compressed data lost a byte, as happens when a file is sent in text mode.',
      step: `The missing bytes were put back in ${restored} streams, where the data shows their place.`,
    },
  };
}

/** The bytes without the CR before each LF, when every LF has one; null otherwise, as then nothing was added. */
function withoutAddedReturns(bytes: Buffer): Buffer | null {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at - 1] !== 13) return null;
    lines++;
  }
  if (lines < 10) return null;
  const result = Buffer.allocUnsafe(bytes.length - lines);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 13 && bytes[at + 1] === 10) continue;
    result[length++] = bytes[at] ?? 0;
  }
  return result.subarray(0, length);
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

/** Tries CR before each LF, for a stream that is one or two bytes shorter than its length says; null when nothing fits. */
function withLostReturns(object: PdfObject): Buffer | null {
  const stream = flateStream(object);
  const length = numberOf(entriesOf(object.value).get('Length'));
  if (!stream || length === null || !object.flaws.includes('length')) return null;
  const missing = length - stream.length;
  if (missing < 1 || missing > 2 || inflates(stream)) return null;
  const places: number[] = [];
  for (let at = stream.indexOf(10); at >= 0 && places.length < 600; at = stream.indexOf(10, at + 1))
    if (stream[at - 1] !== 13) places.push(at);
  if (missing === 2 && places.length > 60) return null;
  const insert = (source: Buffer, at: number) =>
    Buffer.concat([source.subarray(0, at), Buffer.from([13]), source.subarray(at)]);
  for (const [index, first] of places.entries()) {
    const once = insert(stream, first);
    if (missing === 1) {
      if (inflates(once)) return once;
      continue;
    }
    for (const second of places.slice(index + 1)) {
      const twice = insert(once, second + 1);
      if (inflates(twice)) return twice;
    }
  }
  return null;
}
