import { piecesOf } from './core/transfer/carried';
import { glimpse, outOfCarrier } from './core/transfer/carrier';
import { envelopeOf } from './core/transfer/envelope';
import { onceOf } from './core/transfer/restart';
import { type Once, withoutRepeat } from './core/transfer/twice';
import {
  blankByte,
  claimedFormat,
  type Detection,
  detectBySignature,
  detectFormat,
  type Format,
  familyOf,
  isEven,
  plainKind,
} from './detect';
import { formatOf, recognise, recogniseDamaged } from './formats';
import { foreignOnline } from './formats/foreign';
import { Buffer } from './host/bytes';
import { now as hostNow } from './host/clocks';
import { copyFile, digestFile, isFileError, lookAt, OpenFile, removeFile, writeWhole } from './host/files';
import { repairBy } from './pipeline';
import {
  Deadline,
  defaultLimits,
  Effort,
  type EngineJob,
  type Family,
  type FamilyCode,
  type Finding,
  families,
  LimitError,
  type Outcome,
  type RepairLimits,
  RepairMisuse,
  type RepairReport,
} from './report';
import { nothingHandedOut } from './report/outcome';
import { evenInWords, type Refusal, refusalInWords, wrongNameInWords } from './report/words/refusals';
import { engineVersion } from './version';
import { Source } from './video/source';
import { writeOnce } from './video/twice';

/** One repair. Paths are files on local disk; `type` restricts the family (17 video, 18 document, 19 photo); `now` gives milliseconds. */
export type RepairJob = {
  inputPath: string;
  outputPath: string;
  fileName: string;
  type?: FamilyCode | undefined;
  samplePath?: string | undefined;
  limits?: Partial<RepairLimits> | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
  now?: (() => number) | undefined;
};

const headBytes = 1 << 20;
/** How many times as large what is packed in a photo or document may be: photos and office documents are packed by themselves. */
const mostGrowth = 16;

/**
 * Repairs one file: finds its format from the content, hands it to that family's engine, and writes `outputPath` for every verdict
 * but `unrepairable`. The input is only read. Resolves with a report whatever the content is; rejects with RepairMisuse for wrong use
 * (no such input, the same file twice, an unknown type) and with the file system's error when reading or writing fails.
 */
export async function repairFile(job: RepairJob): Promise<RepairReport> {
  const now = job.now ?? hostNow;
  const started = now();
  const limits = { ...defaultLimits, ...definedOf(job.limits) };
  await refuseMisuse(job);
  const input = await digestFile(job.inputPath);
  await removeFile(job.outputPath);
  const outcome = await repairContent(
    job,
    limits,
    input.bytes,
    new Deadline(limits.milliseconds, now, new Effort(limits.effort)),
  );
  const { output, ...told } = outcome;
  if (output.kind === 'input') await copyFile(job.inputPath, job.outputPath);
  else if (output.kind === 'bytes') await writeWhole(job.outputPath, output.bytes);
  else if (output.kind === 'none') await removeFile(job.outputPath);
  job.onProgress?.(1);
  return {
    engineVersion,
    ...told,
    found: told.found.map((finding) => withinFile(finding, input.bytes)),
    input,
    output: output.kind === 'none' ? null : await digestFile(job.outputPath),
    durationMs: Math.max(0, Math.round(now() - started)),
  };
}

/** A damaged file may name places that it does not have; the report then names none. */
function withinFile(finding: Finding, size: number): Finding {
  const { offset } = finding;
  return offset === null || (offset >= 0 && offset <= size) ? finding : { ...finding, offset: null };
}

/** A format that goes through the one pipeline, by how the file begins. */
function recognised(head: Buffer, fileName: string): Detection {
  const format = recognise(head, claimedFormat(fileName));
  return format && { format, family: familyOf(format) };
}

/** A format that is known by what is inside. */
function recognisedDamaged(bytes: Buffer, fileName: string): Detection {
  const format = recogniseDamaged(bytes, claimedFormat(fileName));
  return format && { format, family: familyOf(format) };
}

/** A photo or document in what carried it; videos are read in pieces, never as a whole. */
function outOfMessage(message: Buffer, fileName: string, most: number) {
  const file = outOfCarrier(message, most);
  const detection = file && (recognised(file.bytes, fileName) ?? detectFormat(file.bytes, fileName));
  if (!file || !detection?.format || detection.family === 'video') return null;
  const { bytes, how, count } = file;
  return { detection, bytes, undone: { how, count } };
}

/** What lies in what carried it, by its beginning. */
async function detectInside(path: string, fileName: string): Promise<Detection> {
  const inside = await ofFile(path, (file) => glimpse(new Source(file)));
  const detection = inside && (recognised(inside, fileName) ?? detectFormat(inside, fileName));
  return detection?.format ? detection : null;
}

/** What a file is by its beginning, what carries it left aside; the letters of a text may look like the marks of a video. */
async function detectHead({ inputPath, fileName }: RepairJob, head: Buffer): Promise<Detection> {
  const direct = recognised(head, fileName) ?? detectBySignature(head, claimedFormat(fileName));
  if (direct?.format) return direct;
  const inside = await detectInside(inputPath, fileName);
  return inside ?? detectFormat(head, fileName) ?? plainly(head) ?? claimedVideo(fileName);
}

/** A text, or another file that is told by holding next to nothing. */
function plainly(bytes: Buffer): Detection {
  const other = plainKind(bytes);
  return other && { format: null, other };
}

/** A video by its name, when the content of its head says nothing: it is read in pieces, and only its own engine can look deeper. */
function claimedVideo(fileName: string): Detection {
  const format = claimedFormat(fileName);
  return format && familyOf(format) === 'video' ? { format, family: 'video' } : null;
}

function definedOf(limits: Partial<RepairLimits> | undefined): Partial<RepairLimits> {
  return Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined));
}

async function refuseMisuse(job: RepairJob): Promise<void> {
  const codes: number[] = Object.values(families);
  if (job.type !== undefined && !codes.includes(job.type))
    throw new RepairMisuse(`Unknown type ${String(job.type)}; it is 17, 18 or 19.`);
  const source = await lookAt(job.inputPath);
  if (!source?.isFile) throw new RepairMisuse(`There is no file at ${job.inputPath}.`);
  const target = await lookAt(job.outputPath);
  if (target?.id === source.id) {
    throw new RepairMisuse('Input and output are the same file; the input is never overwritten.');
  }
  // What stands there is taken away first, which would cost the machine its `/dev/null`.
  if (target && !target.isFile)
    throw new RepairMisuse(`${job.outputPath} is a folder or a device; name the file to write.`);
}

async function repairContent(job: RepairJob, limits: RepairLimits, size: number, deadline: Deadline): Promise<Outcome> {
  if (size === 0) return refusal(null, { why: 'empty' });
  const byte = await ofFile(job.inputPath, blankByte);
  if (byte !== null) return refusal(null, { why: 'blank', byte });
  const head = await readHead(job.inputPath, Math.min(size, headBytes));
  let detection = await detectHead(job, head);
  let bytes = head;
  const streams = detection?.format && detection.family === 'video';
  if (!streams) {
    if (size > limits.inputBytes) return refusal(detection?.format ?? null, { why: 'large', most: limits.inputBytes });
    if (size > head.length) bytes = await readHead(job.inputPath, size);
    detection = recognised(bytes, job.fileName) ?? detectFormat(bytes, job.fileName);
  }
  const isCarried = !streams && (!detection || envelopeOf(piecesOf(bytes)) !== null);
  const message = isCarried ? outOfMessage(bytes, job.fileName, Math.min(limits.inputBytes, size * mostGrowth)) : null;
  if (message) ({ detection, bytes } = message);
  detection ??= recognisedDamaged(bytes, job.fileName) ?? plainly(bytes);
  if (!detection) return withEvenness(job, refusal(null, { why: 'unrecognised' }));
  if (detection.format === null) return refusal(null, { why: 'foreign', what: detection.other });
  const foreign = job.type === undefined ? undefined : foreignOnline[detection.format];
  if (foreign) return refusal(null, { why: 'foreign', what: foreign });
  if (job.type !== undefined && families[detection.family] !== job.type)
    return refusal(detection.format, { why: 'family', ...detection });
  if (detection.family === 'video' && size > limits.videoBytes)
    return refusal(detection.format, { why: 'large', most: limits.videoBytes });
  const detected = { format: detection.format, family: detection.family, undone: message?.undone };
  const run: Run = (one, content, paths) => runEngine({ ...job, ...paths }, one, content, limits, deadline);
  const outcome = await withEvenness(job, await runOnce(job, run, detected, bytes, deadline));
  const claimed = claimedFormat(job.fileName);
  if (claimed !== detection.format && job.fileName.includes('.')) {
    outcome.notes.unshift(wrongNameInWords(job.fileName, detection.format));
  }
  return outcome;
}

/** Repairs content that was told to be of a format, by other files than those of the job where some are named. */
type Run = (detected: Detected, bytes: Buffer, paths?: Pick<RepairJob, 'inputPath' | 'outputPath'>) => Promise<Outcome>;

type Detected = { format: Format; family: Family; undone: EngineJob['undone'] };

/** A file without what stands in it twice: a stretch of it, or its beginning. */
function withoutDouble(bytes: Buffer): Once | { bytes: Buffer; how: 'again'; count: number } | null {
  const whole = onceOf(piecesOf(bytes));
  if (!whole) return withoutRepeat(bytes);
  const once = bytes.subarray(whole.from, whole.to);
  return { bytes: once, how: 'again', count: bytes.length - once.length };
}

/** Repairs a file, without what stands in it twice where that alone is wrong with it. */
async function runOnce(
  job: RepairJob,
  run: Run,
  detected: Detected,
  bytes: Buffer,
  deadline: Deadline,
): Promise<Outcome> {
  if (detected.family === 'video') return runVideo(job, run, detected, bytes, deadline);
  const once = detected.undone ? null : withoutDouble(bytes);
  if (!once) return run(detected, bytes);
  const { how, count } = once;
  const without = await run({ ...detected, undone: { how, count } }, once.bytes);
  const outcome = await run(detected, bytes);
  return isAllWrong(without) && outcome.verdict !== 'healthy' ? without : outcome;
}

/** Whether what was undone is all that was wrong with a file. */
const isAllWrong = ({ verdict, found }: Outcome): boolean => verdict === 'repaired' && found.length === 1;

/** Repairs a video, and where something is wrong with it, without what stands in it twice, if that is all. */
async function runVideo(
  { inputPath, outputPath }: RepairJob,
  run: Run,
  detected: Detected,
  head: Buffer,
  deadline: Deadline,
): Promise<Outcome> {
  const outcome = await run(detected, head);
  if (outcome.verdict === 'healthy') return outcome;
  const paths = { inputPath: `${outputPath}.once`, outputPath: `${outputPath}.without` };
  try {
    const count = await writeOnce(inputPath, paths.inputPath, deadline);
    if (count === null) return outcome;
    const without = await run({ ...detected, undone: { how: 'twice', count } }, head, paths);
    if (!isAllWrong(without)) return outcome;
    await copyFile(paths.outputPath, outputPath);
    return without;
  } catch (error) {
    // Its time was over while that was looked for: what was done before stands.
    if (error instanceof LimitError) return outcome;
    throw error;
  } finally {
    await removeFile(paths.inputPath);
    await removeFile(paths.outputPath);
  }
}

async function runEngine(
  job: RepairJob,
  detected: Detected,
  bytes: Buffer,
  limits: RepairLimits,
  deadline: Deadline,
): Promise<Outcome> {
  try {
    const format = formatOf(detected.format, bytes);
    return await repairBy(format, {
      format: detected.format,
      bytes,
      inputPath: job.inputPath,
      outputPath: job.outputPath,
      fileName: job.fileName,
      samplePath: job.samplePath,
      undone: detected.undone,
      limits,
      deadline,
      progress: (fraction) => job.onProgress?.(fraction),
    });
  } catch (error) {
    if (error instanceof LimitError) return refusal(detected.format, { why: 'limit', message: error.message });
    if (isFileError(error)) throw error;
    return refusal(detected.format, { why: 'unreadable', error: String(error) });
  }
}

/** The outcome for a file that no format looks into, or that broke the one that did. */
const refusal = (format: Format | null, why: Refusal): Outcome => ({
  ...nothingHandedOut,
  format,
  ...refusalInWords(why),
});

/** Says beside an outcome without a result that the file may be encrypted. */
async function withEvenness({ inputPath }: RepairJob, outcome: Outcome): Promise<Outcome> {
  const isNamed = outcome.verdict === 'unrepairable' && (await ofFile(inputPath, isEven));
  return isNamed ? { ...outcome, notes: [...outcome.notes, evenInWords] } : outcome;
}

/** What is told of an open file. */
async function ofFile<T>(path: string, tell: (file: OpenFile) => T): Promise<T> {
  const file = await OpenFile.open(path, 'read');
  try {
    return tell(file);
  } finally {
    await file.close();
  }
}

function readHead(path: string, length: number): Promise<Buffer> {
  return ofFile(path, (file) => {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, file.read(buffer, 0));
  });
}
