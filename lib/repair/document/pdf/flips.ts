import { correctText } from '../../core/deflate/correct';
import { Follower } from '../../core/deflate/follow';
import type { Corrected, Judged, TextKind } from '../../core/deflate/packedtext';
import type { StepEnd } from '../../core/deflate/steps';
import { adler32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import { counted, type Draft, type Effort, type EngineJob } from '../../report';
import { decodeStream, filtersOf } from './filters';
import { noHabits, type PdfHabits, type PdfPlace, PdfTextJudge, type TextRole } from './judge';
import { looksLikeContent } from './pagecontent';
import { type PdfScan, unpackObjects } from './scan';
import { entriesOf, nameOf, type PdfObject, type PdfValue, referenceOf } from './values';

/** Effort for setting wrong bits right, in units: for one stream, for all of them, and at least, as all else takes the more the larger the file is. */
const correctionEffort = { stream: 1500, all: 3000, least: 1000, lessPerMegabyte: 400 };
/** Largest packed and unpacked stream that is tried, in bytes. */
const mostPacked = 1 << 20;
const mostText = 1 << 23;
/** Damage shows as text that no program writes within so many bytes. */
const trusted = 300;
const start: PdfPlace = { at: 0 };

/** Names of marked content that stand in no dictionary (ISO 32000-1, 14.6 and 14.8.4). */
const usualNames =
  'MCID Artifact Span P H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD Figure Link ActualText Lang Alt E Type Subtype BBox Attached Pagination Layout Header Footer Standard NonStruct Sect Div Part Tx OC DeviceGray DeviceRGB DeviceCMYK Pattern CIDInit ProcSet CIDSystemInfo Registry Ordering Supplement CMapName CMapType CMap Adobe UCS Adobe-Identity-UCS Identity-H'.split(
    ' ',
  );

type Candidate = { object: PdfObject; role: TextRole };

/**
 * Sets single wrong bits in Flate streams of text right: page content, tables of letters, bundles of objects. Streams are changed in
 * place and bundles are unpacked again. Encrypted documents are left alone, as their streams are no text yet.
 */
export function correctStreams(scan: PdfScan, job: EngineJob, draft: Draft): void {
  if (scan.trailers.some((trailer) => trailer.has('Encrypt'))) return;
  const { damaged, habits } = sortStreams(scan, job);
  const { all, least, lessPerMegabyte } = correctionEffort;
  const effort = job.deadline.effort.share(Math.max(least, all - (lessPerMegabyte * job.bytes.length) / 1e6));
  let bits = 0;
  for (const { object, role } of damaged) {
    if (effort.isSpent) break;
    const corrected = correctStream(object, role, habits, effort.share(correctionEffort.stream));
    if (!corrected || corrected.bits === 0) continue;
    bits += corrected.bits;
    object.stream = Buffer.concat([Buffer.from([0x78, 0x9c]), corrected.packed]);
    if (role !== 'objects') continue;
    if (corrected.exact) scan.brokenObjectStreams--;
    unpackObjects(object, scan, job.limits, job.deadline, job.limits.inflatedBytes);
  }
  if (bits > 0)
    draft.step(
      'Set bits right',
      `${counted(bits, 'wrong bit')} in packed text ${bits === 1 ? 'was' : 'were'} found by what the text must look like, and set right.`,
    );
}

function correctStream({ stream }: PdfObject, role: TextRole, habits: PdfHabits, effort: Effort): Corrected | null {
  // The two bytes of the zlib header may be wrong themselves.
  const packed = stream?.subarray(2) ?? Buffer.alloc(0);
  const most = Math.min(mostText, packed.length * 40 + 65536);
  const text = { packed, size: null, most, isExact: hasCheckSum, lastBitEffort: packed.length < 4096 ? 1200 : 250 };
  return correctText(text, (output) => new StreamText(output, role, habits), effort);
}

/** Whether the sum behind the data (RFC 1950, 2.2) is that of the text. */
function hasCheckSum(output: Uint8Array, { out, bit }: StepEnd, packed: Uint8Array): boolean {
  const at = (bit + 7) >> 3;
  if (at + 4 > packed.length) return false;
  return new DataView(packed.buffer, packed.byteOffset).getUint32(at) === adler32(output.subarray(0, out));
}

/** Text of one stream, judged by the habits of the whole document, and by syntax alone. */
class StreamText implements TextKind<PdfPlace> {
  readonly start = start;
  readonly judges: readonly [PdfTextJudge, PdfTextJudge];
  readonly #strict: Follower<PdfPlace>;
  readonly #loose: Follower<PdfPlace>;
  readonly #output: Uint8Array;
  readonly #role: TextRole;
  readonly #habits: PdfHabits;

  constructor(output: Uint8Array, role: TextRole, habits: PdfHabits) {
    this.#output = output;
    this.#role = role;
    this.#habits = habits;
    this.judges = [new PdfTextJudge(output, role, habits, 'strict'), new PdfTextJudge(output, role, habits, 'loose')];
    this.#strict = new Follower(this.judges[0], start);
    this.#loose = new Follower(this.judges[1], start);
  }

  judge(length: number, done: boolean, from: number): Judged<PdfPlace> {
    const { places } = this.#loose;
    const broken = this.#loose.follow(from, length);
    if (broken === length && done && this.#role !== 'content') {
      this.#strict.forget(from);
      return { faults: [length, length], places: [places, places] };
    }
    if (broken > trusted)
      new PdfTextJudge(this.#output, this.#role, this.#habits, 'learn').fault(start, broken - trusted);
    let fault = this.#strict.follow(from, length);
    for (let turn = 0; turn < 100 && fault < broken && this.#learnAt(fault, length); turn++)
      fault = this.#strict.follow(fault, length);
    return { faults: [fault, broken], places: [this.#strict.places, places] };
  }

  /** Learns a name that is used again: damage does not garble a name twice in the same way. */
  #learnAt(fault: number, length: number): boolean {
    const text = Buffer.from(this.#output.buffer, this.#output.byteOffset, length);
    const name = /^\/[\w.+-]+[\s/[(<]/.exec(text.toString('latin1', fault - 1, fault + 80))?.[0];
    if (!name || text.indexOf(name) === text.lastIndexOf(name)) return false;
    this.#habits.names.add(name.slice(1, -1));
    return true;
  }
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
    const [only] = filters;
    if (!object.stream || object.stream.length > mostPacked || filters.length !== 1) continue;
    if (only?.name !== 'FlateDecode' || only.parameters.size > 0 || isBinary(dictionary)) continue;
    const decoded = decodeStream(object.stream, dictionary, options);
    const type = nameOf(dictionary.get('Type'));
    const isCodes = codes.has(object.number) || decoded.data.includes('begincmap');
    const role: TextRole = type === 'ObjStm' ? 'objects' : isCodes ? 'codes' : 'content';
    const isText = role !== 'content' || contents.has(object.number) || looksLikeContent(decoded.data);
    if (!isText && (decoded.sound || dictionary.size > 2)) continue;
    if (!decoded.sound) damaged.push({ object, role });
    else if (role === 'content' && learnt++ < 12)
      new PdfTextJudge(decoded.data, role, habits, 'learn').fault(start, Math.min(decoded.data.length, 1 << 17));
  }
  const rank = { objects: 0, codes: 1, content: 2 };
  return { damaged: damaged.sort((left, right) => rank[left.role] - rank[right.role]), habits };
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

/** Which objects are contents of pages and tables of letters, and every name that a dictionary uses. */
function rolesOf(scan: PdfScan, habits: PdfHabits): { contents: Set<number>; codes: Set<number> } {
  const contents = new Set<number>();
  const codes = new Set<number>();
  const visit = (value: PdfValue, depth: number): void => {
    if (depth > 8) return;
    if (value.kind === 'name') habits.names.add(value.value);
    else if (value.kind === 'array') for (const item of value.items) visit(item, depth + 1);
    else if (value.kind === 'dictionary') {
      for (const [key, item] of value.entries) {
        habits.names.add(key);
        const numbers = (item.kind === 'array' ? item.items : [item]).map((one) => referenceOf(one) ?? -1);
        if (key === 'Contents') for (const number of numbers) contents.add(number);
        if (key === 'ToUnicode') codes.add(numbers[0] ?? -1);
        visit(item, depth + 1);
      }
    }
  };
  for (const object of scan.objects.values()) visit(object.value, 0);
  return { contents, codes };
}
