import 'server-only';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { type Outcome, refuse } from '../base/refusal';
import { allDone } from '../objects/exact';
import { guardContent } from './guard';
import { isDiskFull } from './room';

/** The body of a form upload, not read yet, and what its sender calls it. */
export type FormBody = { contentType: string; body: ReadableStream<Uint8Array> | null };

/** What the fields of a form allow, once they are checked: how long the file must be, and who puts it in its place and takes it away. */
export type Target = { bytes: number; put(body: Readable): Promise<void>; drop(): Promise<void> };

/** Ends a body that sends nothing for so long. The server in front also watches how much arrives. */
export type ReceiveLimits = { stallMs: number };

const FIELD_LIMIT_BYTES = 16 * 1024;
const FIELDS_AT_MOST = 20;

/**
 * What a form may hold beside its file: text before the first part, heads, fields, other parts, and what follows the last one (RFC 2046,
 * section 5.1.1). Fields of ours take some two kilobytes; without a limit any of these could go on for ever.
 */
const BESIDE_FILE_BYTES = 64 * 1024;

/**
 * Streams a form upload into the store: fields first, then the part named `file`, as S3 wants it. Nothing is held in
 * memory. Refuses what is longer than announced as soon as it is, what is shorter at its end, programs by their first bytes, a form that
 * holds more than {@link BESIDE_FILE_BYTES} beside its file, and one that stands still; of what is refused nothing is left.
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
  let announced: number | undefined;
  let failure: unknown;
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, file) => {
    // When the form is ended its file is too, with an error that nobody else may be listening to any more.
    file.on('error', () => undefined);
    if (name !== 'file' || received) {
      file.resume();
      return;
    }
    received = receiveFile(file, fields, async (all) => {
      const target = await check(all);
      if (target.ok) announced = target.value.bytes;
      return target;
    });
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
  // A file whose fields are still being checked is held back by the form itself.
  const metered = meter(form, () => BESIDE_FILE_BYTES + (received ? (announced ?? Number.POSITIVE_INFINITY) : 0));
  const stalled = watch(source, limits.stallMs);
  try {
    await pipeline(source, metered.stream);
  } catch {
    form.destroy(new Error('cut off'));
    const outcome = await received?.catch(() => undefined);
    if (outcome && !outcome.ok) return outcome;
    // The file was whole, what should end its form was not.
    if (outcome) await outcome.value.drop();
    if (isDiskFull(failure)) throw failure;
    if (metered.isOver()) return refuse('tooLarge', 'The form holds more than a file and what belongs to it.');
    return stalled()
      ? refuse('stalled', 'The upload stood still for too long.')
      : refuse('invalidRequest', 'The upload was cut off. Please try again.');
  }
  return (await received) ?? refuse('invalidRequest', 'The form has no file in it.');
}

/** Hands a body on to a form, and ends with an error once it is longer than `allowed` says: asked after each piece was taken apart. */
function meter(form: Writable, allowed: () => number): { stream: Writable; isOver(): boolean } {
  let passed = 0;
  let isOver = false;
  const stream = new Writable({
    write(chunk: Buffer, encoding, done) {
      passed += chunk.length;
      form.write(chunk, encoding, (error) => {
        isOver = !error && passed > allowed();
        done(isOver ? new Error('over') : error);
      });
    },
    final(done) {
      form.once('finish', done);
      form.end();
    },
  });
  form.on('error', (error) => stream.destroy(error));
  return { stream, isOver: () => isOver };
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
