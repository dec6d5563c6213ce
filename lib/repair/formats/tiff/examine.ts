import type { Exchange } from '../../core/exchange';
import { undoings } from '../../core/transfer/undo';
import {
  bestAsItIs,
  gone,
  nothingToldYet,
  type PhotoExamined,
  type PhotoReading,
  type PhotoTold,
  sound,
  survived,
  unjudged,
} from '../../families/photo';
import { Buffer } from '../../host/bytes';
import { openPicture } from '../../readers/pictures';
import type { EngineJob } from '../../report';
import type { Damage, Loss, Step } from '../../report/facts/photo';
import { assemble } from './assemble';
import { fieldsContradict } from './candidates';
import { areColoursLost } from './colours';
import { type Directory, describesImage, scheme, searchDirectories, space, tag } from './directory';
import { undoExchanges } from './exchanged';
import { fromFoundDirectory } from './founddirectory';
import { readHead } from './head';
import { readLayout } from './layout';
import { isLeftDataSound } from './lefthealth';
import { hasBrokenPage, isConsistent, leadsNowhere, type Page, pageDirectories, readPage, readPages } from './pages';
import type { Outcome, TiffParts } from './parts';
import { rasterFromData } from './shape';
import { findSlip, type Slip, undoSlip } from './slip';
import { isNoisy, isRough } from './smooth';
import { type Straightened, straighten } from './straighten';
import { fromPages } from './survivors';
import { isLeftToDecoder, isOldPacking, unusualKind } from './unusual';

/** How many times as long as wide a picture is at most whose shape is told by its rows alone. */
const mostLong = 30;
/** Bytes that are looked through for the head of a file that does not begin with it. */
const mostBefore = 1 << 16;

/** Surveys a TIFF (TIFF 6.0): the head and directory where they survive, strips one by one where they are damaged, their shape where all is lost. */
export async function examineTiff({ job: given, shown }: PhotoReading): Promise<PhotoExamined<TiffParts | null>> {
  const told = nothingToldYet();
  const opened = shown();
  const inOrder = undoExchanges(given);
  const job = inOrder ? { ...given, bytes: inOrder.bytes } : given;
  if (inOrder) tellExchanges(inOrder.exchanges, told);
  // What is unpacked meanwhile serves the repair too.
  const whole = await isWhole(job, told);
  const before = await opened;
  const set = inOrder ? null : await withStraightFields(job, whole === 'whole', told);
  if (set) return set;
  const head = readHead(job.bytes);
  const isShown = before !== null && (!before.warning || (head !== null && whole === 'whole' && isOldPacking(head)));
  const slip = findSlip(job);
  if (isShown && whole === 'whole' && !slip)
    return inOrder
      ? survived(told, { kind: 'file', data: inOrder.bytes, isHeadNew: false })
      : soundAsRead(job.bytes, told);
  // Of what was put in the place does not show, and no page stands behind it: nothing can be moved back.
  if (isShown && whole === 'whole' && slip && !slip.isPlaced && slip.at + slip.bytes >= job.bytes.length)
    return bestAsItIs({ ...told, damages: [{ kind: 'moved', how: 'added', bytes: slip.bytes }] });
  // What only decoders unpack, wrong as it is, nothing here can put right.
  if (whole === 'spoilt' && !slip) return bestAsItIs({ ...told, damages: [{ kind: 'data', how: 'damaged' }] });
  // Nothing tells which colours the numbers had, and the numbers stand.
  if (whole === 'colourless') return isShown ? bestAsItIs(told) : gone(told, 'lost');
  const unusual = head && !isShown && !slip && !hasBrokenPage(head) ? await unusualKind(job, head) : null;
  // What is filled there could not be shown.
  if (unusual && whole === 'wiped') return unjudged(told);
  if (unusual) {
    told.remarks.push({ kind: 'unusual', unusual });
    return sound(told);
  }
  const parts = await findParts(job, slip, told);
  // The head leads to the directory, and the strips are of a kind that only a decoder unpacks: it is they that are damaged.
  if (parts === 'asItIs') return bestAsItIs({ ...told, damages: [{ kind: 'data', how: 'decoder' }] });
  return typeof parts === 'string' ? gone(told, parts) : survived(told, parts);
}

/** A file in which nothing wrong was found: that says all of its data only where zlib packed it, which gives each strip a check sum (RFC 1950, 2.2). */
function soundAsRead(bytes: Buffer, told: PhotoTold): PhotoExamined<null> {
  const tiff = readHead(bytes);
  const packings = tiff ? pageDirectories(tiff, false).map((page) => readLayout(tiff, page).compression) : [];
  if (packings.some((one) => one !== scheme.flate && one !== scheme.oldFlate)) told.remarks.push({ kind: 'unchecked' });
  return sound(told);
}

/** Whether a file with its entries set right opens without a complaint, and all its strips and tiles are whole. */
async function isMendedBy(job: EngineJob, bytes: Buffer): Promise<boolean> {
  const opened = await openPicture(bytes, job.limits, false);
  return opened !== null && !opened.warning && (await isWhole({ ...job, bytes }, nothingToldYet())) === 'whole';
}

/** The file with its entries set right, in which nothing else is changed; null where more is wrong with it. */
async function mendedBy(
  job: EngineJob,
  straight: Straightened | null,
): Promise<PhotoExamined<TiffParts | null> | null> {
  if (!straight || straight.rest.length > 0) return null;
  const { bytes: data, fields: all } = straight;
  if (!(await isMendedBy(job, data)) || findSlip({ ...job, bytes: data })) return null;
  const fields = [...new Set(all)];
  const told = nothingToldYet();
  told.damages.push({ kind: 'fields', fields });
  told.steps.push({ kind: 'fields', fields });
  return survived(told, { kind: 'file', data, isHeadNew: false });
}

/**
 * A file in whose directory fields cannot be as they are: with those set right where all else is in order then, read by what the others say where
 * its data seems whole as it is. Null where there are none, or other damage has to be looked into.
 */
async function withStraightFields(
  job: EngineJob,
  isWholeAsTold: boolean,
  told: PhotoTold,
): Promise<PhotoExamined<TiffParts | null> | null> {
  // What may be so by itself is set as the other fields say where the whole file is in order then, and only there.
  const agreed = await mendedBy(job, straighten(job.bytes, true));
  const straight = straighten(job.bytes);
  const mended = agreed ?? (await mendedBy(job, straight));
  if (mended) return mended;
  if (!straight) return null;
  const { bytes, rest } = straight;
  const fields = [...new Set([...straight.fields, ...rest])];
  if (!isWholeAsTold) return null;
  told.damages.push({ kind: 'fields', fields });
  const parts = await findParts({ ...job, bytes }, null, told);
  if (parts === 'asItIs') return bestAsItIs(told);
  if (typeof parts === 'string') return gone(told, parts);
  told.steps.push({ kind: 'fields', fields });
  // Nothing proves what is missing.
  told.lost.push({ unit: 'description', count: 1, how: 'picture' });
  return survived(told, parts);
}

/** Exchanges that are told of one by one. */
const mostTold = 8;

/** Tells of pieces that were put back, which no check sum proves. */
function tellExchanges(exchanges: readonly Exchange[], { damages, steps, lost }: PhotoTold): void {
  for (const { first, size } of exchanges.slice(0, mostTold))
    damages.push({ kind: 'exchanged', count: size, offset: first });
  steps.push({ kind: 'exchanged', count: exchanges.length });
  lost.push({ unit: 'strips', count: exchanges.length, how: 'unproven' });
}

/** Whether every strip and tile of every page unpacks to what its directory says, and numbers of colours have theirs; kinds that are not unpacked here are left to the decoder. */
async function isWhole(
  job: EngineJob,
  told: PhotoTold,
): Promise<'whole' | 'damaged' | 'spoilt' | 'wiped' | 'colourless'> {
  const tiff = readHead(job.bytes);
  if (!tiff || hasBrokenPage(tiff)) return 'damaged';
  for (const directory of pageDirectories(tiff, false)) {
    const layout = readLayout(tiff, directory);
    if (isLeftToDecoder(tiff, directory, layout)) continue;
    if (!isLeftDataSound(job, tiff, directory, layout)) return 'spoilt';
    const assembled = await assemble(job, tiff.bytes, layout, tiff.little);
    if (areColoursLost(tiff, directory, layout, assembled)) {
      told.damages.push({ kind: 'directory', how: 'colours', offset: directory.fields.get(tag.palette)?.at });
      return 'colourless';
    }
    if (layout.isWiped) {
      told.damages.push({ kind: 'fields', fields: ['places'] });
      return 'damaged';
    }
    // What is not unpacked here is left to the decoder, unless the data itself says that it is something else.
    if (!assembled && !fieldsContradict(layout, tiff.bytes)) continue;
    if (assembled && assembled.wiped > 0) return 'wiped';
    if (isConsistent(tiff.bytes, { assembled, layout, corrected: [] }, directory)) continue;
    if (!assembled || assembled.damaged > 0 || assembled.mended > 0) return 'damaged';
    // No strip is damaged: only another reading that fits better shows that something is wrong.
    if (isDoubted(await readPage(job, tiff, directory))) return 'damaged';
  }
  return 'whole';
}

/** Whether a page is read otherwise than its directory says, or not as a whole. */
const isDoubted = ({ corrected, assembled }: Page): boolean =>
  corrected.length > 0 || (assembled?.damaged ?? 1) > 0 || (assembled?.mended ?? 0) > 0;

/** What survives of a damaged file: by its head, by a directory that is found, or by the data alone. */
async function findParts(job: EngineJob, slip: Slip | null, told: PhotoTold): Promise<Outcome> {
  if (isPaletteLost(job.bytes)) {
    told.damages.push({ kind: 'directory', how: 'lost' });
    return 'lost';
  }
  if (slip) {
    const outcome = await fromHead(job, withoutSlip(job.bytes, slip), told);
    if (outcome !== 'nothingHere' && outcome !== 'noBetterThanNone') return outcome;
  }
  for (const candidate of candidates(job.bytes)) {
    const outcome = await fromHead(job, candidate, told);
    if (outcome === 'nothingHere') continue;
    if (outcome === 'noBetterThanNone') break;
    return outcome;
  }
  const found = await fromFoundDirectory(job, told);
  if (typeof found !== 'string') return found;
  return (await fromData(job, told)) ?? found;
}

/**
 * Whether the only directory says that samples are numbers of colours (TIFF 6.0, section 5) and where those stand, but they reach beyond the
 * end of the file, as told and as the directory itself moved: numbers without colours are no picture.
 */
function isPaletteLost(bytes: Buffer): boolean {
  const [found, second] = searchDirectories(bytes);
  if (!found || second) return false;
  const { tiff, directory } = found;
  const [kind, colours] = [directory.fields.get(tag.photometric), directory.fields.get(tag.palette)];
  if (!kind || !colours || tiff.values(kind)[0] !== space.palette) return false;
  const end = colours.at + colours.count * 2;
  const head = readHead(bytes);
  const moved = head ? directory.offset - head.first : 0;
  return Math.min(end, end + moved) > bytes.length;
}

/** What the head of a candidate leads to. */
async function fromHead(
  job: EngineJob,
  { data, damage, step, loss }: Candidate,
  told: PhotoTold,
): Promise<Outcome | 'nothingHere' | 'noBetterThanNone'> {
  const tiff = readHead(data);
  if (!tiff) return 'nothingHere';
  // What the head leads to may be a chance reading where a sound directory stands elsewhere.
  const strict = tiff.directory(tiff.first);
  if (!(strict && describesImage(strict)) && searchDirectories(data).some(({ directory }) => directory.sound))
    return 'noBetterThanNone';
  const tellCandidate = () => {
    if (damage) told.damages.push(damage);
    if (step) told.steps.push(step);
    if (loss) told.lost.push(loss);
  };
  const directories = pageDirectories(tiff, true);
  const pages = await readPages(job, tiff, directories);
  if (!pages || pages.every(({ assembled }) => assembled === null || assembled.lost === assembled.strips)) {
    if (!damage || !(await openPicture(data, job.limits, false))) return 'nothingHere';
    tellCandidate();
    return { kind: 'file', data, isHeadNew: false };
  }
  tellCandidate();
  if (isNoBetterThanNone(strict, pages, damage !== null)) return 'noBetterThanNone';
  if (leadsNowhere(tiff, directories))
    told.lost.push({ unit: 'pages', count: 1, how: 'unread', of: directories.length + 1 });
  return fromPages(job, pages, told, data, damage !== null);
}

/** Whether a directory of which entries are lost does not fit its data, or one fits nothing at all. */
function isNoBetterThanNone(strict: Directory | null, pages: readonly Page[], isMoved: boolean): boolean {
  const [page] = pages;
  const first = page?.assembled;
  if (!first) return false;
  if (strict === null && (first.damaged > 0 || page.corrected.length > 1)) return true;
  // What entries that are left over by chance make of sound strips is noise.
  if (!strict?.sound && isNoisy(first.raster)) return true;
  return first.damaged === first.strips && first.strips > 1 && !isMoved;
}

/** A file in which a head may lead to a picture, what was wrong with it until then, and what was done about that. */
type Candidate = { data: Buffer; damage: Damage | null; step: Step | null; loss?: Loss };

/** The file with rows behind a slip put back; what was lost in it is not known, and where it begins, only as far as rows tell. */
function withoutSlip(bytes: Buffer, slip: Slip): Candidate {
  const moved = { kind: 'moved', how: slip.bytes > 0 ? 'added' : 'missing', bytes: Math.abs(slip.bytes) } as const;
  const loss: Loss = !slip.isPlaced
    ? { unit: 'strips', count: 1, how: 'askew' }
    : slip.bytes > 0
      ? { unit: 'strips', count: 1, how: 'unproven' }
      : { unit: 'bytes', count: -slip.bytes, how: 'missing' };
  // Where it is not known, no place is told.
  if (!slip.isPlaced)
    return { data: undoSlip(bytes, slip), damage: moved, step: { kind: 'pagesBack', bytes: moved.bytes }, loss };
  return { data: undoSlip(bytes, slip), damage: { ...moved, offset: slip.at }, step: moved, loss };
}

/** The beginnings of TIFF and BigTIFF. */
const heads = ['49492a00', '4d4d002a', '49492b0008000000', '4d4d002b00080000'].map((hex) => Buffer.from(hex, 'hex'));

/** The file itself, and the file without what a transfer or a bad copy put into it. */
function candidates(bytes: Buffer): Candidate[] {
  const list: Candidate[] = [{ data: bytes, damage: null, step: null }];
  for (const { bytes: data, how, count } of undoings(bytes))
    list.push({ data, damage: { kind: 'textmode', how }, step: { kind: 'textmode', bytes: count } });
  for (const mark of heads) {
    const at = bytes.subarray(0, mostBefore).indexOf(mark);
    if (at > 0)
      list.push({
        data: bytes.subarray(at),
        damage: { kind: 'head', how: 'before', bytes: at, offset: 0 },
        step: null,
      });
  }
  return list;
}

/** A picture whose description is gone, by how its rows fit together; null when none fits. */
async function fromData(job: EngineJob, told: PhotoTold): Promise<Outcome | null> {
  told.damages.push({ kind: 'directory', how: 'lost' });
  const assembled = await rasterFromData(job, job.bytes);
  if (!assembled || assembled.raster.width * assembled.raster.height > job.limits.pixels) return null;
  if (isRough(assembled.raster)) return null;
  const { raster, damaged } = assembled;
  const { width, height, samples } = raster;
  // Packed data has a chance period now and then, mostly a short one.
  if (Math.max(width, height) > Math.min(width, height) * mostLong) return null;
  told.steps.push({ kind: 'shape', width, height, samples });
  told.remarks.push({ kind: 'shape' });
  if (damaged > 0) told.lost.push({ unit: 'strips', count: damaged, how: 'filled' });
  // Numbers of colours (TIFF 6.0, section 5) look like greys.
  const mayBeNumbers = samples === 1 && raster.depth === 8 && raster.photometric !== space.palette;
  told.lost.push({ unit: 'description', count: 1, how: mayBeNumbers ? 'greys' : 'picture' });
  return { kind: 'rasters', rasters: [raster], strips: null, isBig: readHead(job.bytes)?.isBig ?? false };
}
