import 'server-only';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { type Outcome, refuse } from '../base/refusal';
import { allDone } from '../objects/exact';
import { guardContent } from './guard';
import { isDiskFull } from './room';

/** The body of a form upload, not read yet, and what its sender calls it. */
export type FormBody = { contentType: string; body: ReadableStream<Uint8Array> | null };

/** What the fields of a form allow, once they are checked: how long the file must be, and who puts it in its place. */
export type Target = { bytes: number; put(body: Readable): Promise<void> };

/** Ends a body that sends nothing for so long. The server in front also watches how much arrives. */
export type ReceiveLimits = { stallMs: number };

const FIELD_LIMIT_BYTES = 16 * 1024;
const FIELDS_AT_MOST = 20;

/**
 * Streams a form upload into the store: fields first, then the part named `file`, as S3 wants it. Nothing is held in
 * memory. Refuses what is longer than announced as soon as it is, what is shorter at its end, and programs by their
 * first bytes; of what is refused nothing is left.
 */
export async function receiveForm(
  { contentType, body }: FormBody,
  check: (fields: ReadonlyMap<string, string>) => Promise<Outcome<Target>>,
  limits: ReceiveLimits,
): Promise<Outcome<Target>> {
  if (!body || !/^multipart\/form-data\b/i.test(contentType)) {
    return refuse('invalidRequest', 'An upload must be a form with a file in it.');
  }
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  const form = makeForm(contentType);
  if (!form) return refuse('invalidRequest', 'An upload must be a form with a file in it.');
  const fields = new Map<string, string>();
  let received: Promise<Outcome<Target>> | undefined;
  let failure: unknown;
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, file) => {
    // When the form is ended its file is too, with an error that nobody else may be listening to any more.
    file.on('error', () => undefined);
    if (name !== 'file' || received) {
      file.resume();
      return;
    }
    received = receiveFile(file, fields, check);
    // A refusal ends the reading at once; the rest of a large file is not waited for. The form is ended too: it waits for the end of a
    // file that nobody reads any more, even when the whole body is in.
    const end = () => {
      source.destroy();
      form.destroy(new Error('refused'));
    };
    received
      .then((outcome) => outcome.ok || end())
      .catch((error: unknown) => {
        failure = error;
        end();
      });
  });
  const stalled = watch(source, limits.stallMs);
  try {
    await pipeline(source, form);
  } catch {
    const outcome = await received?.catch(() => undefined);
    if (outcome && !outcome.ok) return outcome;
    if (isDiskFull(failure)) throw failure;
    return refuse(
      'invalidRequest',
      stalled() ? 'The upload stood still for too long.' : 'The upload was cut off. Please try again.',
    );
  }
  return (await received) ?? refuse('invalidRequest', 'The form has no file in it.');
}

function makeForm(contentType: string): busboy.Busboy | null {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: FIELD_LIMIT_BYTES, fields: FIELDS_AT_MOST, files: 1 },
    });
  } catch {
    return null;
  }
}

async function receiveFile(
  file: Readable,
  fields: ReadonlyMap<string, string>,
  check: (fields: ReadonlyMap<string, string>) => Promise<Outcome<Target>>,
): Promise<Outcome<Target>> {
  const target = await check(fields);
  if (!target.ok) {
    file.resume();
    return target;
  }
  const guard = guardContent(target.value.bytes);
  try {
    await allDone(pipeline(file, guard.stream), target.value.put(guard.stream));
    return target;
  } catch (error) {
    const refused = guard.refusal();
    if (refused) return refused;
    throw error;
  }
}

/** Destroys a source that stands still; tells afterwards whether it did. */
function watch(source: Readable, stallMs: number): () => boolean {
  let isStalled = false;
  const ring = () => {
    isStalled = true;
    source.destroy(new Error('stalled'));
  };
  const timer = setTimeout(ring, stallMs);
  source.on('data', () => timer.refresh());
  source.on('close', () => clearTimeout(timer));
  return () => isStalled;
}
