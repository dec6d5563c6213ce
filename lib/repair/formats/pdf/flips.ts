import type { StepEnd } from '../../core/deflate/steps';
import { correctText } from '../../core/flips/correct';
import { lastIndex } from '../../core/flips/follow';
import { LearningText } from '../../core/flips/learning';
import type { Corrected, PackedText } from '../../core/flips/packedtext';
import { type Found, findWrongByte } from '../../core/flips/wrongbyte';
import { adler32 } from '../../core/sums';
import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { deflate } from '../../host/packing';
import { Allowance, type Effort, type EngineJob } from '../../report';
import { Base85Bits, decodeBase85 } from './base85';
import { decodeStream, filtersOf } from './filters';
import { noHabits, type PdfHabits, type PdfPlace, PdfTextJudge, type TextRole } from './judge';
import { looksLikeContent } from './pagecontent';
import { type PdfScan, unpackObjects } from './scan';
import { entriesOf, nameOf, type PdfObject, type PdfValue, pdfName, referenceOf } from './values';

/** Effort for setting wrong bits right, in units: for one stream, for all of them, and at least, as all else takes the more the larger the file is. */
const correctionEffort = { stream: 1500, all: 3000, least: 1000, lessPerMegabyte: 400 };
/** The same for one wrong byte, which the check sum of a stream proves; streams of more packed bytes take too long for each trial. */
const byteEffort = { stream: 600, all: 1800, mostPacked: 1 << 17 };
/** Bytes before the end of a trial whose last words may be cut. */
const cutWords = 64;
/** Largest packed and unpacked stream that is tried, in bytes: larger ones are pictures or fonts. */
const mostPacked = 1 << 20;
const mostText = 1 << 23;
/** Text takes at most so many times the bytes of its packed data, and so many more. */
const mostGrowth = 40;
const leastRoom = 1 << 16;
/** Bytes of the head of zlib data (RFC 1950, 2.2), which may be wrong themselves. */
const zlibHead = 2;
/** Damage shows as text that no program writes within so many bytes; chosen on the bench. */
const doubtful = 300;
/** Zeroes that no program writes into base 85. */
const wiped = Buffer.alloc(16);
const start: PdfPlace = { at: 0 };

/** Names of marked content that stand in no dictionary (ISO 32000-1, 14.6 and 14.8.4). */
const usualNames =
  'MCID Artifact Span P H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD Figure Link ActualText Lang Alt E Type Subtype BBox Attached Pagination Layout Header Footer Standard NonStruct Sect Div Part Tx OC DeviceGray DeviceRGB DeviceCMYK Pattern CIDInit ProcSet CIDSystemInfo Registry Ordering Supplement CMapName CMapType CMap Adobe UCS Adobe-Identity-UCS Identity-H'.split(
    ' ',
  );

/** A stream of text that is damaged, what it is, and whether its packed data is written in base 85. */
type Candidate = { object: PdfObject; role: TextRole; isBase85: boolean };

/**
 * Sets single wrong bits in Flate streams of text right, also of those written in base 85: page content, tables of letters, bundles of
 * objects. Streams are changed in place and bundles are unpacked again. Encrypted documents are left alone, as their streams are no text yet.
 */
export function correctStreams(scan: PdfScan, job: EngineJob, told: DocumentTold): void {
  if (scan.trailers.some((trailer) => trailer.has('Encrypt'))) return;
  const { damaged, habits } = sortStreams(scan, job);
  const { all, least, lessPerMegabyte } = correctionEffort;
  const effort = job.deadline.effort.share(Math.max(least, all - (lessPerMegabyte * job.bytes.length) / 1e6));
  const bytes = new Allowance(byteEffort.all);
  let [bits, sums] = [0, 0];
  for (const { object, role, isBase85 } of damaged) {
    if (effort.isSpent) break;
    const whole = isBase85
      ? null
      : bytes.take(job.deadline.effort, byteEffort.stream, (share) => withByte(object, role, habits, share));
    if (whole) {
      if (whole.isBit) bits++;
      else sums++;
      object.stream = deflate(whole.text);
      if (role !== 'objects') continue;
      scan.brokenObjectStreams--;
      unpackObjects(object, scan, job.limits, job.deadline, job.limits.inflatedBytes);
      continue;
    }
    const corrected = correctStream({ object, role, isBase85 }, habits, effort.share(correctionEffort.stream));
    if (corrected.bits === 0) continue;
    bits += corrected.bits;
    object.stream = Buffer.concat([Buffer.from([0x78, 0x9c]), corrected.packed]);
    if (isBase85) entriesOf(object.value).set('Filter', pdfName('FlateDecode'));
    if (role !== 'objects') continue;
    if (corrected.exact) scan.brokenObjectStreams--;
    unpackObjects(object, scan, job.limits, job.deadline, job.limits.inflatedBytes);
  }
  if (sums > 0) told.steps.push({ kind: 'sums', count: sums });
  if (bits > 0) told.steps.push({ kind: 'bits', count: bits });
}

/** The text of a stream of which one byte is wrong; null where it is not that. */
function withByte({ stream }: PdfObject, role: TextRole, habits: PdfHabits, effort: Effort): Found | null {
  if (!stream || stream.length > byteEffort.mostPacked || stream.includes(wiped)) return null;
  const packed = stream.subarray(zlibHead);
  const most = Math.min(mostText, packed.length * mostGrowth + leastRoom);
  const part: PackedText = { packed, size: null, most, isExact: hasCheckSum, lastBitEffort: 0 };
  let text: LearningText<PdfPlace> | null = null;
  let places: readonly PdfPlace[] = [];
  const faultsOf = (output: Uint8Array, { length, end }: StepEnd) => {
    text = streamText(output, role, habits);
    const judged = text.judge(length, end === 'final', 0);
    places = judged.places[1] ?? [];
    return judged.faults;
  };
  const isWorse = (from: number, out: number) => {
    const place = places[lastIndex(places, ({ at }) => at <= from)] ?? start;
    effort.spend('judgedByte', out - place.at);
    return (text?.judges[1].fault(place, out) ?? out) < out - cutWords;
  };
  return findWrongByte(part, 0, faultsOf, effort, isWorse);
}

function correctStream(
  { object: { stream }, role, isBase85 }: Candidate,
  habits: PdfHabits,
  effort: Effort,
): Corrected {
  const written = stream ?? Buffer.alloc(0);
  const data = (isBase85 ? decodeBase85(written).data : written).subarray(zlibHead);
  const digits = isBase85 ? new Base85Bits(written, zlibHead) : null;
  const turn = digits ? (bytes: Uint8Array, bit: number) => digits.turn(bytes, bit) : undefined;
  const correct = (packed: Uint8Array): Corrected => {
    const most = Math.min(mostText, packed.length * mostGrowth + leastRoom);
    const lastBitEffort = packed.length < 4096 ? 1200 : 250;
    const text = { packed, size: null, most, turn, isExact: hasCheckSum, lastBitEffort };
    return correctText(text, (output) => streamText(output, role, habits), effort);
  };
  const first = correct(data);
  if (!digits?.onlyWrong || first.exact) return first;
  digits.onlyWrong = false;
  const second = correct(first.packed);
  return { ...second, bits: first.bits + second.bits };
}

/** Whether the sum behind the data (RFC 1950, 2.2) is that of the text. */
function hasCheckSum(output: Uint8Array, { length: out, bit }: StepEnd, packed: Uint8Array): boolean {
  const at = (bit + 7) >> 3;
  if (at + 4 > packed.length) return false;
  return new DataView(packed.buffer, packed.byteOffset).getUint32(at) === adler32(output.subarray(0, out));
}

/** Text of one stream, judged by the habits of the whole document, and by syntax alone. */
function streamText(output: Uint8Array, role: TextRole, habits: PdfHabits): LearningText<PdfPlace> {
  return new LearningText({
    start,
    strict: new PdfTextJudge(output, role, habits, 'strict'),
    loose: new PdfTextJudge(output, role, habits, 'loose'),
    doubtful,
    // How often bytes are met counts, so that all of it is read again.
    learn: (_, to) => {
      if (to > 0) new PdfTextJudge(output, role, habits, 'learn').fault(start, to);
    },
    learnAt: (fault, length) => learnName(habits, Buffer.from(output.buffer, output.byteOffset, length), fault),
    mostLearnt: 100,
    // Pages go by habits even where nothing breaks: text that is drawn with other letters breaks no syntax.
    isSettledBySyntax: role !== 'content',
    mayBreakSyntax: false,
  });
}

/** Learns a name that is used again: damage does not garble a name twice in the same way. */
function learnName(habits: PdfHabits, text: Buffer, fault: number): boolean {
  const name = /^\/[\w.+-]+[\s/[(<]/.exec(text.toString('latin1', fault - 1, fault + 80))?.[0];
  if (!name || text.indexOf(name) === text.lastIndexOf(name)) return false;
  habits.names.add(name.slice(1, -1));
  return true;
}

/** Streams of text that are damaged, bundles of objects first, and what the sound ones are like. */
function sortStreams(scan: PdfScan, job: EngineJob): { damaged: Candidate[]; habits: PdfHabits } {
  const habits = noHabits();
  for (const name of usualNames) habits.names.add(name);
  const { contents, codes } = rolesOf(scan, habits);
  const resolve = (value: PdfValue | undefined) => {
    const number = referenceOf(value);
    return number === null ? value : scan.objects.get(number)?.value;
  };
  const options = { maxOutput: mostText, deadline: job.deadline, resolve };
  const damaged: Candidate[] = [];
  let learnt = 0;
  for (const object of scan.objects.values()) {
    const dictionary = entriesOf(object.value);
    const filters = filtersOf(dictionary, resolve);
    const packing = packingOf(filters);
    if (!packing || !object.stream || object.stream.length > mostPacked || isBinary(dictionary)) continue;
    const decoded = decodeStream(object.stream, dictionary, options);
    const type = nameOf(dictionary.get('Type'));
    const isCodes = codes.has(object.number) || decoded.data.includes('begincmap');
    const role: TextRole = type === 'ObjStm' ? 'objects' : isCodes ? 'codes' : 'content';
    const isText = role !== 'content' || contents.has(object.number) || looksLikeContent(decoded.data);
    if (!isText && (decoded.sound || dictionary.size > 2)) continue;
    // Zeroes are white space in base 85: where a stretch is wiped, what follows is no matter of bits.
    if (packing.isBase85 && object.stream.includes(wiped)) continue;
    if (!decoded.sound) damaged.push({ object, role, ...packing });
    else if (role === 'content' && learnt++ < 12)
      new PdfTextJudge(decoded.data, role, habits, 'learn').fault(start, Math.min(decoded.data.length, 1 << 17));
  }
  const rank = { objects: 0, codes: 1, content: 2 };
  return { damaged: damaged.sort((left, right) => rank[left.role] - rank[right.role]), habits };
}

/** How text is packed that can be corrected: by Flate without a predictor, and nothing else but base 85 around it. */
function packingOf(filters: ReturnType<typeof filtersOf>): { isBase85: boolean } | null {
  const isBase85 = filters[0]?.name === 'ASCII85Decode';
  const [flate, more] = isBase85 ? filters.slice(1) : filters;
  return flate?.name === 'FlateDecode' && flate.parameters.size === 0 && !more ? { isBase85 } : null;
}

function isBinary(dictionary: ReadonlyMap<string, PdfValue>): boolean {
  const subtype = nameOf(dictionary.get('Subtype'));
  const type = nameOf(dictionary.get('Type'));
  if (type === 'XRef' || type === 'Metadata' || type === 'EmbeddedFile') return true;
  if (type !== 'ObjStm' && dictionary.has('N')) return true;
  return (
    ['Length1', 'FunctionType', 'ShadingType', 'Width'].some((key) => dictionary.has(key)) ||
    (subtype !== null && subtype !== 'Form')
  );
}

/** Values inside each other are looked into down to here: what leads to streams of text lies higher. */
const deepest = 8;

/** Which objects are contents of pages and tables of letters, and every name that a dictionary uses. */
function rolesOf(scan: PdfScan, habits: PdfHabits): { contents: Set<number>; codes: Set<number> } {
  const roles = { contents: new Set<number>(), codes: new Set<number>() };
  const visit = (value: PdfValue, depth: number): void => {
    if (depth > deepest) return;
    if (value.kind === 'name') habits.names.add(value.value);
    else if (value.kind === 'array') for (const item of value.items) visit(item, depth + 1);
    else if (value.kind === 'dictionary') {
      for (const [key, item] of value.entries) {
        habits.names.add(key);
        noteRole(roles, key, item);
        visit(item, depth + 1);
      }
    }
  };
  for (const object of scan.objects.values()) visit(object.value, 0);
  return roles;
}

function noteRole(roles: { contents: Set<number>; codes: Set<number> }, key: string, item: PdfValue): void {
  if (key !== 'Contents' && key !== 'ToUnicode') return;
  const numbers = (item.kind === 'array' ? item.items : [item]).map((one) => referenceOf(one) ?? -1);
  if (key === 'ToUnicode') roles.codes.add(numbers[0] ?? -1);
  else for (const number of numbers) roles.contents.add(number);
}
