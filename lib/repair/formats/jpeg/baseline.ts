import { type Frame, stepsOf } from '../../codecs/jpeg/frame';
import { layoutFor } from '../../codecs/jpeg/layout';
import { planScan, type ScanPlan } from '../../codecs/jpeg/reader';
import type { PhotoTold } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { betterAsRead } from './asread';
import type { Canvas } from './canvas';
import { scanToPlanes } from './compose';
import { readDetail, tellMissing, tellPasses } from './detail';
import { keptScanSegment, scanSegment } from './encode';
import { completeHuffman, type FirstScan, firstScan, readData, type ScanData } from './firstscan';
import { takeBackIntervalSteps } from './intervalsteps';
import { isNoise, settleTables } from './judge';
import { takeBackSteps } from './levelling';
import { levelsOf } from './levels';
import { takeLikelier } from './likelier';
import { frameOf } from './lostframe';
import { type JpegParts, usualHead } from './markers';
import { betterAroundHole } from './onehole';
import type { Gone, SurvivingData, Survivors } from './parts';
import { planesFor } from './planes';
import type { Preview } from './preview';
import { type RasterStep, takeBackRasterSteps } from './rastersteps';
import { withoutFalseBreaks } from './refute';
import { Salvage } from './salvage';
import { Searches } from './searches';
import { planesShown } from './shownpasses';
import type { DataFacts } from './size';
import { areZeroesTooMany, factsOf, isOwnEnd, isUnmarked, settleSize } from './sizing';
import { moveToEnd, spansOf, usualInterval } from './spans';
import { countRestarts, damagedAt, restartsOf, type Stretch, splitStretches } from './stretches';
import { levelBehindHoles, levelToGround } from './taillevels';
import { wipedPlaces } from './zeroes';

/** Damaged places that are told of one by one. */
const mostTold = 20;
/**
 * Errors, as a share of the MCUs, from which on data was not written with the tables it is read with; nearly all codes of DC values make sense. A
 * few errors are damage. Tables of the file's own are believed for longer, and where so much of the data comes before the first few errors.
 */
const mostErrors = { dc: 0.004, all: 0.02, own: 0.02, few: 64, first: 8, sound: 0.2 };
/** Share of the MCUs that must be left where a picture is moved because its brightness has drifted away alone. */
const leastLeft = 0.95;
/** Share of its MCUs that a picture must have to be one. */
const leastKept = 0.02;

/** MCUs without an error, and the share of the picture that they are, that make tables its own beyond doubt. */
const ownData = { mcus: 150, share: 0.1 };

/** What a picture of one scan is read from. */
type Reading = {
  job: EngineJob;
  bytes: Buffer;
  parts: JpegParts;
  scan: FirstScan;
  stretches: Stretch[];
  told: PhotoTold;
};

/** A frame and tables that fit the data, and what was counted of it. */
type Settled = {
  frame: Frame;
  data: ScanData;
  facts: DataFacts;
  quantisation: ReadonlyMap<number, Uint16Array>;
  /** The tables by component, in the steps of the first scan. */
  tables: Uint16Array[];
  isSubstituted: boolean;
};

/** Reads a picture of one sequential scan, or by its first pass; `lost` when there is no picture data, `noise` when it cannot be unpacked. */
export function examineScan(
  job: EngineJob,
  bytes: Buffer,
  parts: JpegParts,
  preview: Preview | null,
  told: PhotoTold,
): Survivors | Gone {
  const scan = firstScan(bytes, parts);
  const isSubstituted = completeHuffman(parts, scan.dcOnly, told);
  const marks = countRestarts(bytes, scan.start, scan.end);
  const isSplit = parts.restartInterval > 0 ? marks.count > 0 : marks.steady;
  const stretches = splitStretches(
    bytes,
    scan.start,
    scan.end,
    restartsOf(isSplit, parts.frame && layoutFor(parts.frame).total),
  );
  const reading = { job, bytes, parts, scan, stretches, told };
  const settled = settle(reading, isSubstituted, isSplit, preview);
  if (typeof settled === 'string') return settled;
  const { frame, quantisation } = settled;
  const data = findData(reading, settled, preview);
  return typeof data === 'string' ? data : { parts, frame, quantisation, data };
}

/** Finds frame, interval and tables where they are lost or do not fit the data. */
function settle(reading: Reading, isSubstituted: boolean, isSplit: boolean, preview: Preview | null): Settled | Gone {
  const { job, bytes, parts, scan, stretches, told } = reading;
  const noted = parts.frame ?? frameOf(job, bytes, parts, stretches, scan, told);
  let read = readData(job, bytes, parts, noted, stretches, scan);
  if (parts.isBeginLost && dropDebris(parts, stretches, read.chains))
    read = readData(job, bytes, parts, noted, stretches, scan);
  const isMarked = isSplit && parts.restartInterval === 0;
  // Marks that keep to no interval are chance, or those of another picture's data.
  if (isMarked && !parts.isBeginLost && usualInterval(read.chains) === 0) {
    stretches.splice(0, stretches.length, ...splitStretches(bytes, scan.start, scan.end, 0));
    read = readData(job, bytes, parts, noted, stretches, scan);
  }
  if (read.count < 2) return 'lost';
  // Damage leaves a few errors behind, codes of other tables make no sense all over.
  const most = scan.dcOnly ? mostErrors.dc : mostErrors.all;
  const errors = isSubstituted ? read.errors : placesOf(read.chains);
  if (errors > mostErrors.few && errors > read.count * (isSubstituted ? most : mostErrors.own)) {
    // Where no pass follows the first one, and in data of other tables, chance markers end it: all of the file is asked.
    const all = (scan.scans.length > 1 ? scan.end : bytes.length) - scan.start;
    if (isSubstituted || !isBegun(read.chains, stretches, all)) return 'noise';
  }
  if (isMarked && stretches.length > 1) {
    parts.restartInterval = usualInterval(read.chains);
    told.damages.push({ kind: 'restart' });
    told.steps.push({ kind: 'interval', blocks: parts.restartInterval });
  }
  const quantisation = settleTables(parts, noted, stretches, read, preview, told);
  const tables = stepsOf(noted, quantisation).map((steps) => steps.map((step) => step << scan.low));
  const facts = factsOf(read, stretches, parts.restartInterval, scan.hasEnd, parts, layoutFor(noted).total);
  if (parts.isBeginLost) told.lost.push({ unit: 'description', count: 1, how: 'shape' });
  const settled = { frame: noted, data: read, facts, quantisation, tables, isSubstituted };
  if (isUnmarked(noted, facts, scan, stretches.length, parts.restartInterval)) {
    scan.hasEnd = isOwnEnd(noted, facts, scan);
    return settled;
  }
  const frame = settleSize(reading, noted, read, facts, tables, told);
  if (!frame) return 'noise';
  return { ...settled, frame, data: { ...read, plan: planFor(reading, read, facts, noted, frame) } };
}

/** How data is read whose frame is settled. */
function planFor(
  { job, parts, scan }: Reading,
  { plan }: ScanData,
  facts: DataFacts,
  noted: Frame,
  frame: Frame,
): ScanPlan {
  const layout = layoutFor(frame);
  if (frame !== noted) return planScan(layout, parts.huffman, job.deadline.effort, scan.dcOnly, scan.low);
  return areZeroesTooMany(layout.total, facts) ? { ...plan, noZeroes: true } : plan;
}

/** MCUs before which something makes no sense, however long it goes on there: a sector of ones is read bit by bit. */
const placesOf = (chains: ScanData['chains']): number =>
  chains.reduce((sum, { errors }) => sum + new Set(errors).size, 0);

/** Whether a good part of so many bytes of data comes before its first errors: then the tables are its own, whatever follows. */
function isBegun(chains: ScanData['chains'], stretches: readonly Stretch[], all: number): boolean {
  let [seen, before] = [0, 0];
  for (const [index, { errors, bits }] of chains.entries()) {
    const place = errors[mostErrors.first - seen - 1];
    if (place !== undefined) return before + (bits[place] ?? 0) / 8 > all * mostErrors.sound;
    seen += errors.length;
    before += stretches[index]?.data.length ?? 0;
  }
  return true;
}

/**
 * Whether MCUs before the first error of one stretch are so many that its tables must be its own, however rough the picture is: by others, codes of
 * AC values soon lead out of a block. Nearly all bits are DC values.
 */
function isOwnData([chain]: ScanData['chains'], { dcOnly }: FirstScan, total: number): boolean {
  const sound = chain?.errors[0] ?? chain?.count ?? 0;
  return !dcOnly && sound >= Math.max(ownData.mcus, total * ownData.share);
}

/**
 * MCUs without an error behind which debris has ended: few where what was written over the beginning was told from data and left out already;
 * and the share of the first stretch that it takes at most.
 */
const debris = { apart: { told: 40, untold: 300 }, share: 1 / 3 };

/** Takes what makes no sense from the beginning of data whose head is overwritten. Returns whether there was any. */
function dropDebris(parts: JpegParts, stretches: Stretch[], [chain]: ScanData['chains']): boolean {
  const [first] = stretches;
  if (!first || !chain) return false;
  const apart = parts.scanStart > 0 ? debris.apart.told : debris.apart.untold;
  let last = 0;
  for (const place of chain.errors) {
    // Damage further on is another one.
    if (place - last > apart || place > chain.count * debris.share) break;
    last = place;
  }
  const byte = (chain.bits[last] ?? 0) >> 3;
  if (byte <= 0) return false;
  stretches[0] = { ...first, data: first.data.subarray(byte), offset: first.offset + byte };
  // Debris that is all that was written over the head takes the place of its segments, too.
  parts.wiped += Math.max(0, byte - (parts.wiped > 0 ? 0 : usualHead));
  return true;
}

/** Finds the place of every MCU, and tells which are lost. */
function findData(reading: Reading, settled: Settled, preview: Preview | null): SurvivingData | Gone {
  const { job, bytes, parts, scan, stretches, told } = reading;
  const { frame, data, facts, isSubstituted } = settled;
  const layout = layoutFor(frame);
  if (frame.width * frame.height > job.limits.pixels || layout.total < 1) return 'lost';
  const { salvage, isStrict, isLenient, steps } = salvageData(reading, settled);
  const { canvas, damages } = salvage;
  const guessed = levelBehindHoles(salvage, data.plan, settled.tables, preview);
  const isUneven = parts.restartInterval === 0 && (damages.length > 0 || canvas.isAdrift);
  const evened = isUneven ? takeBackSteps(canvas) + levelToGround(salvage, settled.tables) : 0;
  const levelled = steps.length + evened + levelledWithin(parts, scan, canvas);
  if (parts.isBeginLost && parts.restartInterval === 0 && !scan.dcOnly) {
    settleLevels(canvas, salvage.stretches, data, settled.tables);
    told.remarks.push({ kind: 'levels' });
  }
  const kept = canvas.count();
  if (kept < Math.max(1, layout.total * leastKept) || isDoubtfulNoise(settled, scan, canvas, isStrict)) {
    told.remarks.push({ kind: 'unpackedNoise' });
    // With its own tables a decoder may still show something of the photo as it is.
    return isSubstituted ? 'noise' : 'lost';
  }
  if (scan.dcOnly && layout.total * layout.blocks.length * 64 > job.limits.pixels) return 'lost';
  const { planes, detail } = finerPasses(reading, settled, salvage);
  const isCounted = facts.sound && facts.count === layout.total && kept === layout.total;
  const isAdrift = !scan.dcOnly && canvas.isAdrift;
  const wiped = wipedWithin(scan, salvage, data);
  if (damages.length === 0 && isCounted && detail.sound && !isAdrift && levelled === 0) {
    // Only how the picture looks tells of damage then, or zeroes that make sense, which stay in what is kept.
    if (told.damages.length === 0 || wiped > 0) tellDoubt(told, kept);
    return codedData(bytes, parts, frame, scan);
  }
  const uneven = Math.max(wiped, unevenSpans(reading, settled) - damages.length);
  const isTold = detail.lost > 0 || parts.restartInterval > 0;
  if (guessed > 0) told.remarks.push({ kind: 'levelsBehind' });
  const doubts = { levelled, steps, uneven, isTold };
  tellData(told, salvage, doubts, bytes, stretches, kept);
  tellPasses(told, detail.lost);
  return scan.dcOnly
    ? { kind: 'planes', layout, planes, firstPasses: null }
    : { kind: 'found', canvas, stretches: salvage.stretches, plan: { ...data.plan, lenient: isLenient } };
}

/** Whether a picture is no picture, where nothing else says that its data is read with the tables that it was written with. */
function isDoubtfulNoise(
  { data, isSubstituted }: Settled,
  scan: FirstScan,
  canvas: Canvas,
  isStrict: boolean,
): boolean {
  if (!isSubstituted && (isStrict || isOwnData(data.chains, scan, canvas.layout.total))) return false;
  return isNoise(canvas, isSubstituted);
}

/** Places that are zeroes in the data of a picture of one pass. */
const wipedWithin = ({ dcOnly }: FirstScan, { stretches }: Salvage, { plan }: ScanData): number =>
  dcOnly ? 0 : wipedPlaces(stretches, plan);

/** Takes back steps of brightness and colours that end where restart intervals do; how many there were. */
function levelledWithin({ restartInterval }: JpegParts, { dcOnly }: FirstScan, canvas: Canvas): number {
  if (restartInterval <= 0 || dcOnly) return 0;
  const raise = (steps: readonly number[], from: number, to: number) => canvas.raise(steps, from, to);
  return takeBackIntervalSteps(canvas, restartInterval, raise).length;
}

/** The coefficients of all passes of a progressive picture, and whether the finer ones are whole; none of others. */
function finerPasses({ job, bytes, parts, scan }: Reading, { frame, data, quantisation }: Settled, salvage: Salvage) {
  if (!scan.dcOnly) return { planes: [], detail: { sound: true, lost: 0 } };
  const layout = layoutFor(frame);
  const planes = planesFor(layout, frame.width, frame.height);
  scanToPlanes(salvage.canvas, salvage.stretches, data.plan, planes);
  const steps = stepsOf(frame, quantisation);
  const detail = readDetail(bytes, frame, planes, scan.scans, steps, job);
  const isWhole = salvage.damages.length === 0 && detail.sound;
  if (parts.isShown && !isWhole)
    takeLikelier(planes, planesShown(bytes, frame, layout, scan.scans, job.deadline.effort), steps);
  return { planes, detail };
}

/** Brightness and colours of a picture whose first blocks are lost, guessed. */
function settleLevels(canvas: Canvas, stretches: readonly Stretch[], { plan }: ScanData, tables: Uint16Array[]): void {
  const levels = levelsOf(canvas, stretches, plan, tables);
  canvas.raise(levels.map((level, index) => Math.round((level * 8) / (tables[index]?.[0] ?? 1))));
}

/** MCUs in their places: whether the data can be read to its end, or over what makes no sense, and the steps that were taken back from data that can. */
type Placed = { salvage: Salvage; isStrict: boolean; isLenient: boolean; steps: readonly RasterStep[] };

/** Places the MCUs. Data that can be read to its very end is only doubted for what no sound picture shows. */
function salvageData(reading: Reading, settled: Settled): Placed {
  const { job, parts, scan, stretches } = reading;
  const { frame, data, facts, tables } = settled;
  const layout = layoutFor(frame);
  const { plan, chains } = data;
  const { hasEnd } = scan;
  const { deadline } = job;
  const interval = parts.restartInterval;
  const spans = spansOf(stretches, interval, layout.total, hasEnd, chains);
  if (parts.isBeginLost && hasEnd) moveToEnd(spans, chains, layout.total, interval);
  const given = { layout, plan, tables, interval, hasEnd, deadline, searches: new Searches() };
  const isWhole = (facts.sound && facts.count === layout.total) || runsOver(scan, chains, layout.total);
  const isOnlyCut = breaksOff(scan, chains, layout.total);
  const isStrict = isWhole || isOnlyCut;
  const salvage = new Salvage({ ...given, strict: isStrict }, stretches);
  salvage.run(spans, chains);
  const orAsRead = (one: Salvage) => {
    const read = betterAsRead(one, given, stretches);
    return { salvage: read ?? one, isStrict, isLenient: read !== null, steps: [] };
  };
  if (!isStrict) {
    const usual = withoutFalseBreaks(salvage, given, stretches, spans, chains);
    const around = parts.isBeginLost ? null : betterAroundHole(usual, given, stretches, chains);
    return orAsRead(around ?? usual);
  }
  const { canvas, damages } = salvage;
  // A wrong difference may be all that is wrong, and moves brightness beyond what it can be.
  const isUneven = isWhole && damages.length === 0 && interval === 0 && !scan.dcOnly;
  const steps = isUneven ? takeBackRasterSteps(canvas, (levels, place) => canvas.raise(levels, place)) : [];
  const isAdrift = !scan.dcOnly && canvas.isAdrift;
  if (damages.length === 0 && !isAdrift) return { salvage, isStrict, isLenient: false, steps };
  const doubting = new Salvage(given, stretches, salvage.canvas);
  doubting.run(spans, chains);
  // All blocks are there and nothing but their brightness is wrong: few of them are worth giving up for that.
  if (damages.length === 0 && doubting.canvas.count() < layout.total * leastLeft)
    return { salvage, isStrict, isLenient: false, steps };
  return orAsRead(isOnlyCut ? withoutFalseBreaks(doubting, given, stretches, spans, chains) : doubting);
}

/** Stretches between restart markers that hold other than as many MCUs as belong there (ISO/IEC 10918-1, F.1.1.5.1): what is in them is not the picture's. */
function unevenSpans({ parts, scan, stretches }: Reading, { frame, data: { chains } }: Settled): number {
  if (parts.restartInterval <= 0 || scan.dcOnly) return 0;
  const { list } = spansOf(stretches, parts.restartInterval, layoutFor(frame).total, scan.hasEnd, chains);
  return list.filter(({ stretch, from, to }) => chains[stretch]?.count !== to - from).length;
}

/** Whether data that breaks off makes sense up to there: a file that is cut is mostly nothing else. */
function breaksOff({ hasEnd }: FirstScan, chains: ScanData['chains'], total: number): boolean {
  const isRead = ({ errors, count }: ScanData['chains'][number]) => (errors[0] ?? count) >= count;
  return !hasEnd && chains.length === 1 && chains.every((chain) => chain.count <= total && isRead(chain));
}

/** Whether a first pass is whole although what follows it is not. */
function runsOver({ dcOnly }: FirstScan, chains: ScanData['chains'], total: number): boolean {
  const [only] = chains;
  return dcOnly && only !== undefined && only.count >= total && (only.errors[0] ?? total) >= total;
}

/** The data as it is, all of which was read. */
function codedData(bytes: Buffer, parts: JpegParts, frame: Frame, { dcOnly }: FirstScan): SurvivingData {
  const header = dcOnly && parts.scanHeader ? keptScanSegment(parts.scanHeader) : scanSegment(frame.components);
  return { kind: 'coded', header, data: bytes.subarray(parts.scanStart, parts.scanEnd), isProven: true };
}

/**
 * What makes blocks doubtful: places at which brightness or colours were levelled, and steps among those that alone tell of damage, stretches that hold other than what belongs in them, or zeroes, of which
 * nothing else is told; `isTold` where finer passes that are lost say so already, or restart markers how much of it is right.
 */
type Doubts = { levelled: number; steps: readonly RasterStep[]; uneven: number; isTold: boolean };

/** Tells of data that can be read to its end and yet shows a picture that is broken somewhere. */
function tellDoubt(told: PhotoTold, kept: number): void {
  told.damages.push({ kind: 'data', how: 'damaged' });
  told.lost.push({ unit: 'places', count: 1, how: 'beside' });
  told.rebuilt.push({ unit: 'blocks', count: kept });
}

/** Tells what was found in the data and what became of it. */
function tellData(
  told: PhotoTold,
  salvage: Salvage,
  { levelled, steps, uneven, isTold }: Doubts,
  bytes: Buffer,
  stretches: readonly Stretch[],
  kept: number,
): void {
  const { canvas, damages } = salvage;
  const { total } = canvas.layout;
  for (const { stretch, byte } of damages.slice(0, mostTold))
    told.damages.push(damagedAt(bytes, stretches[stretch], byte));
  for (const { place } of steps)
    told.damages.push(damagedAt(bytes, stretches[canvas.stretch[place] ?? 0], (canvas.bit[place] ?? 0) >> 3));
  if (damages.length + steps.length === 0)
    told.damages.push({ kind: 'data', how: canvas.isAdrift ? 'damaged' : 'cut' });
  const mended = damages.filter(({ kind }) => kind === 'bit' || kind === 'return').length;
  if (mended > 0) told.steps.push({ kind: 'mend', places: mended });
  const moved = damages.filter(({ kind }) => kind === 'moved').length;
  if (moved > 0) told.steps.push({ kind: 'realign' });
  if (levelled > 0) told.steps.push({ kind: 'levelled', places: levelled });
  const missing = total - kept;
  tellMissing(told, missing, total);
  // Where bytes are lost, what was moved beside them covers the place, though not to the last block; so does what stays where it was.
  const stays = damages.filter(({ kind }) => kind === 'stays').length;
  const beside = moved + stays + levelled + uneven;
  const isDoubtful = beside > 0 || (damages.length === 0 && !isTold) || canvas.isAdrift;
  if (missing <= 0 && isDoubtful) told.lost.push({ unit: 'places', count: Math.max(1, beside), how: 'beside' });
  told.rebuilt.push({ unit: 'blocks', count: kept });
}
