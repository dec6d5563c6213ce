import { Buffer } from '../../host/bytes';
import { counted, type Draft, type EngineJob } from '../../report';
import { BandReader } from './bands';
import { composePlanes, composeScan, dcToPlanes } from './compose';
import { readDetail, tellMissing, tellPasses } from './detail';
import { endOfImage, headSegments, scanSegment, writtenAnew } from './encode';
import { readExif } from './exif';
import { isNoise, settleTables } from './judge';
import { guessedFrame, layoutFor, samplings } from './layout';
import type { Frame, JpegParts } from './markers';
import { planeSize, planesFor } from './planes';
import type { Preview } from './preview';
import { planScan } from './reader';
import { withoutFalseBreaks } from './refute';
import { Salvage } from './salvage';
import { forEachMcu, outlineOf } from './sampled';
import { readScans, type Scan } from './scans';
import { Searches } from './searches';
import { type DataFacts, findSize, sizeFits } from './size';
import { chainsOf, countByMarkers, spansOf, usualInterval } from './spans';
import { spliceScan } from './splice';
import { countRestarts, offsetInFile, type Stretch, splitStretches } from './stretches';
import { type HuffmanSpec, standardHuffman } from './tables';

/** Puts standard tables (ISO/IEC 10918-1, annex K.3) where the scan needs some that are lost. Returns whether any was. */
function completeHuffman(parts: JpegParts, dcOnly: boolean, draft: Draft): boolean {
  const wanted = new Set<number>();
  const components = parts.frame?.components ?? [
    { dc: 0, ac: 0 },
    { dc: 1, ac: 1 },
  ];
  for (const { dc, ac } of components) {
    wanted.add(dc);
    if (!dcOnly) wanted.add(0x10 | ac);
  }
  let added = false;
  for (const key of wanted) {
    if (parts.huffman.has(key)) continue;
    const standard: HuffmanSpec | undefined = standardHuffman[key >> 4]?.[(key & 15) > 0 ? 1 : 0];
    if (standard) parts.huffman.set(key, standard);
    added = true;
  }
  if (!added) return false;
  draft.find('huffman', 'Tables that are needed to unpack the picture were missing.');
  draft.note('The lost unpacking tables were replaced by the ones that most cameras use.');
  return true;
}

/** Errors, as a share of the MCUs, from which on data was not written with the tables it is read with; nearly all codes of DC values make sense. */
const mostErrors = { dc: 0.004, all: 0.08 };

/** Where the first scan's data lies, and whether it holds DC values alone, as in a progressive picture. `low` is the bit they are sent at. */
type FirstScan = { start: number; end: number; hasEnd: boolean; dcOnly: boolean; low: number; scans: Scan[] };

function firstScan(bytes: Buffer, parts: JpegParts): FirstScan {
  const plain = { start: parts.scanStart, end: parts.scanEnd, hasEnd: parts.hasEnd, dcOnly: false, low: 0, scans: [] };
  const header = parts.scanHeader;
  const count = header?.[2] ?? 0;
  const progressive = parts.frame ? parts.frame.marker === 0xc2 : header !== null && header[4 + count * 2] === 0;
  if (!progressive || parts.scanOffset < 0) return plain;
  const scans = readScans(bytes, parts.scanOffset, parts.scanEnd, parts.huffman, parts.restartInterval);
  const [first] = scans;
  if (first?.from !== 0 || first.to !== 0 || first.high !== 0) return plain;
  return { ...plain, end: first.end, hasEnd: parts.hasEnd || scans.length > 1, dcOnly: true, low: first.low, scans };
}

/** The scan's data, its frame when it has one, and all that was counted while reading it once. */
function readData(
  job: EngineJob,
  bytes: Buffer,
  parts: JpegParts,
  frame: Frame,
  stretches: Stretch[],
  { dcOnly, low }: FirstScan,
) {
  const layout = layoutFor(frame);
  const plan = planScan(layout, parts.huffman, job.deadline.effort, dcOnly, low);
  const room = Math.floor((job.limits.pixels * 2) / 64 / layout.blocks.length);
  const chains = chainsOf(stretches, plan, Math.min(room, (bytes.length + 64) * 4), job.deadline);
  const count = chains.reduce((sum, chain) => sum + chain.count, 0);
  const errors = chains.reduce((sum, chain) => sum + chain.errors.length, 0);
  return { plan, chains, count, errors };
}

/** Rebuilds a picture of one sequential scan; null when there is no picture data, `noise` when it cannot be unpacked. */
export function rebuildBaseline(
  job: EngineJob,
  bytes: Buffer,
  parts: JpegParts,
  preview: Preview | null,
  draft: Draft,
): Buffer | 'noise' | null {
  const scan = firstScan(bytes, parts);
  const substituted = completeHuffman(parts, scan.dcOnly, draft);
  const marks = countRestarts(bytes, scan.start, scan.end);
  const split = parts.restartInterval > 0 ? marks.count > 0 : marks.steady;
  const stretches = splitStretches(bytes, scan.start, scan.end, split);
  let frame = parts.frame ?? frameOf(job, bytes, parts, stretches, scan, draft);
  let data = readData(job, bytes, parts, frame, stretches, scan);
  if (data.count < 2) return null;
  // Damage leaves a few errors behind, codes of other tables make no sense all over.
  if (substituted && data.errors > 64 && data.errors > data.count * (scan.dcOnly ? mostErrors.dc : mostErrors.all))
    return 'noise';
  if (split && parts.restartInterval === 0) {
    parts.restartInterval = usualInterval(data.chains);
    draft.find('restart', 'The note of how often the data begins anew was missing.');
    draft.step('Find the interval', `By the data it begins anew every ${counted(parts.restartInterval, 'block')}.`);
  }
  const quantisation = settleTables(parts, frame, stretches, data, preview, draft);
  const tables = frame.components.map(({ quantisation: number }) =>
    (quantisation.get(number) ?? new Uint16Array(64).fill(1)).map((step) => step << scan.low),
  );
  const facts: DataFacts = {
    count:
      parts.restartInterval > 0 && stretches.length > 1
        ? countByMarkers(stretches, data.chains, parts.restartInterval)
        : data.count,
    // Between restart markers there are whole intervals; where one is short, what is lost with it is anyone's guess.
    sound:
      data.errors === 0 &&
      data.chains.every(
        ({ complete, count }, index) =>
          complete &&
          (parts.restartInterval === 0 || index === data.chains.length - 1 || count === parts.restartInterval),
      ),
    hasEnd: scan.hasEnd,
  };
  // Where markers are lost, or passes run into each other, the amount of data says nothing about the size.
  const noted = frame.width > 0 && frame.height > 0;
  const unmarked = noted && (scan.dcOnly ? !facts.sound : parts.restartInterval > 0 && stretches.length === 1);
  if (unmarked && facts.count > layoutFor(frame).total * 1.2) scan.hasEnd = facts.hasEnd && !scan.dcOnly;
  if (!unmarked && !sizeFits(frame, facts)) {
    const outline = outlineOf(stretches, data.chains, data.plan, tables, Math.min(data.count, 60_000));
    const sized = findSize(frame, facts, outline, readExif(parts.applications));
    if (!sized && (frame.width === 0 || frame.height === 0)) return 'noise';
    if (sized && (sized.width !== frame.width || sized.height !== frame.height)) {
      draft.find(
        'size',
        'The size noted for the picture does not fit its data.',
        frame.offset >= 0 ? frame.offset : null,
      );
      draft.step('Find size', `By its data the picture is ${sized.width} × ${sized.height} pixels.`);
      frame = scan.dcOnly ? exactSize(sized, bytes, scan.scans) : sized;
      data = { ...data, plan: planScan(layoutFor(frame), parts.huffman, job.deadline.effort, scan.dcOnly, scan.low) };
    }
  }
  const layout = layoutFor(frame);
  if (frame.width * frame.height > job.limits.pixels || layout.total < 1) return null;
  const { plan, chains } = data;
  const { deadline } = job;
  const spans = spansOf(stretches, parts.restartInterval, layout.total, scan.hasEnd, chains);
  const salvageFacts = {
    layout,
    plan,
    tables,
    interval: parts.restartInterval,
    hasEnd: scan.hasEnd,
    deadline,
    searches: new Searches(),
  };
  // Data that can be read to its very end is only doubted for what no sound picture shows.
  const [only] = chains;
  // A first pass may be whole although what follows it is not.
  const runsOver =
    scan.dcOnly && only !== undefined && only.count >= layout.total && (only.errors[0] ?? layout.total) >= layout.total;
  const strict = (facts.sound && facts.count === layout.total) || runsOver;
  let salvage = new Salvage({ ...salvageFacts, strict }, stretches);
  salvage.run(spans, chains);
  if (strict && salvage.damages.length > 0) {
    salvage = new Salvage(salvageFacts, stretches, salvage.canvas);
    salvage.run(spans, chains);
  }
  if (!strict) salvage = withoutFalseBreaks(salvage, salvageFacts, stretches, spans, chains);
  const { canvas, damages } = salvage;
  const kept = canvas.count();
  const doubtful = substituted || !strict;
  if (kept < Math.max(1, layout.total * 0.02) || (doubtful && isNoise(canvas, substituted))) {
    draft.note('What could be unpacked is noise or next to nothing; the tables needed to unpack it may be lost.');
    // With its own tables a decoder may still show something of the photo as it is.
    return substituted ? 'noise' : null;
  }
  const planes = scan.dcOnly ? planesFor(layout, frame.width, frame.height) : [];
  let detail = { sound: true, lost: 0 };
  if (scan.dcOnly) {
    if (layout.total * layout.blocks.length * 64 > job.limits.pixels) return null;
    dcToPlanes(canvas, salvage.stretches, plan, planes, scan.low);
    const steps = frame.components.map(
      ({ quantisation: number }) => quantisation.get(number) ?? new Uint16Array(64).fill(1),
    );
    detail = readDetail(bytes, frame, planes, scan.scans, steps, job);
  }
  if (damages.length === 0 && kept === layout.total && facts.sound && facts.count === layout.total && detail.sound) {
    draft.step('Rewrite headers', 'The headers were written anew around the picture data, which is intact.');
    return Buffer.concat([
      headSegments(parts, { quantisation, frame, huffman: parts.huffman, interval: parts.restartInterval }),
      scan.dcOnly && parts.scanHeader
        ? Buffer.concat([Buffer.from([0xff, 0xda]), parts.scanHeader])
        : scanSegment(frame.components),
      bytes.subarray(parts.scanStart, parts.scanEnd),
      endOfImage,
    ]);
  }
  tell(draft, salvage, bytes, stretches, kept);
  if (scan.dcOnly) draft.step('Write anew', 'What was left of all its passes was put together and written as one.');
  tellPasses(draft, detail.lost);
  const spliced = scan.dcOnly ? null : spliceScan(canvas, salvage.stretches, plan, parts.huffman, deadline);
  if (spliced) {
    return Buffer.concat([
      headSegments(parts, { quantisation, frame, huffman: parts.huffman, interval: 0 }),
      scanSegment(frame.components),
      spliced,
      endOfImage,
    ]);
  }
  const written = scan.dcOnly
    ? composePlanes(layout, planes, deadline)
    : composeScan(canvas, salvage.stretches, plan, deadline);
  return writtenAnew(parts, quantisation, frame, written);
}

/** A frame for a picture that lost its own: the sampling with which most of the data makes sense. */
function frameOf(
  job: EngineJob,
  bytes: Buffer,
  parts: JpegParts,
  stretches: Stretch[],
  scan: FirstScan,
  draft: Draft,
): Frame {
  draft.find('frame', 'The part that tells size and make-up of the picture was missing.');
  const header = parts.scanHeader;
  const ids = header
    ? Array.from({ length: header[2] ?? 3 }, (_, index) => header[3 + index * 2] ?? index + 1)
    : [1, 2, 3];
  const head = stretches.slice(0, 200).map((stretch) => ({ ...stretch, data: stretch.data.subarray(0, 60_000) }));
  let best: { frame: Frame; cost: number } | null = null;
  for (const sampling of ids.length > 1 ? samplings : samplings.slice(1, 2)) {
    const candidate = guessedFrame(ids, sampling);
    const { plan, chains, count, errors } = readData(job, bytes, parts, candidate, head, scan);
    // Read in a wrong order, brightness soon wanders off beyond black and white.
    const luma = parts.quantisation.get(candidate.components[0]?.quantisation ?? 0)?.[0] ?? 8;
    let wild = 0;
    forEachMcu(head, chains, plan, count, ({ coefficients }) => {
      for (let at = 0; at < coefficients.length; at += 64)
        if (Math.abs(coefficients[at] ?? 0) * luma > 1200) {
          wild++;
          break;
        }
    });
    const cost = (errors * 2 + wild) / Math.max(1, count);
    if (!best || cost < best.cost * 0.8) best = { frame: candidate, cost };
  }
  const frame = best?.frame ?? guessedFrame(ids, [2, 2]);
  const exif = readExif(parts.applications);
  // Sizes of EXIF count only if the data agrees, which is checked where every size is.
  return { ...frame, marker: scan.dcOnly ? 0xc2 : 0xc0, width: exif.width, height: exif.height };
}

/** Passes of one component hold only blocks of the picture (ISO/IEC 10918-1, A.2.2): their number tells a size to the block, not only to the MCU. */
function exactSize(frame: Frame, bytes: Buffer, scans: readonly Scan[]): Frame {
  const scan = scans.find(({ from, high, components }) => from > 0 && high === 0 && components.length === 1);
  const component = frame.components.findIndex(({ id }) => id === scan?.components[0]?.id);
  const layout = layoutFor(frame);
  if (!scan || scan.interval > 0 || component < 0) return frame;
  const spec = scan.huffman.get(0x10 | (scan.components[0]?.ac ?? 0));
  const data = splitStretches(bytes, scan.start, scan.end, false)[0]?.data ?? Buffer.alloc(0);
  const reader = new BandReader(data, spec, scan);
  const scratch = new Int16Array(64);
  let count = 0;
  while (!reader.finished() && count < layout.total * 16 && reader.first(scratch, 0)) count++;
  for (let less = 0; less < layout.widest; less++) {
    for (let lower = 0; lower < layout.tallest; lower++) {
      const [width, height] = [(layout.across * layout.widest - less) * 8, (layout.down * layout.tallest - lower) * 8];
      const plane = planeSize(layout, component, width, height);
      if (plane.ownAcross * plane.ownDown !== count) continue;
      return {
        ...frame,
        width: Math.ceil(frame.width / 8) * 8 === width ? frame.width : width,
        height: Math.ceil(frame.height / 8) * 8 === height ? frame.height : height,
      };
    }
  }
  return frame;
}

/** Writes into the report what was found in the data and what became of it. */
function tell(draft: Draft, salvage: Salvage, bytes: Buffer, stretches: readonly Stretch[], kept: number): void {
  const { canvas, damages } = salvage;
  const { total } = canvas.layout;
  for (const { stretch, byte } of damages.slice(0, 20)) {
    const place = stretches[stretch];
    draft.find('data', 'The picture data is damaged.', place ? offsetInFile(bytes, place, byte) : null);
  }
  if (damages.length === 0) draft.find('data', 'The picture data is cut short.', null);
  const mended = damages.filter(({ kind }) => kind === 'bit' || kind === 'return').length;
  if (mended > 0)
    draft.step('Mend the data', `${counted(mended, 'place')} of the data could be set right, with nothing lost.`);
  if (damages.some(({ kind }) => kind === 'moved'))
    draft.step(
      'Realign',
      'The picture behind the damage was moved back to where it belongs, with its brightness matched to what is above.',
    );
  const missing = total - kept;
  tellMissing(draft, missing, total);
  // Where bytes are lost, what was moved beside them covers the place, though not to the last block.
  const moved = damages.filter(({ kind }) => kind === 'moved').length;
  if (missing <= 0 && moved > 0)
    draft.lost.push({
      unit: 'places',
      count: moved,
      detail: 'where bytes are lost and blocks beside them may be wrong',
    });
  draft.rebuilt.push({ unit: 'blocks', count: kept });
}
