import { counted, Draft, type EngineJob, type Outcome } from '../../report';
import { repairedPicture } from '../picture';
import { openPicture } from '../reader';
import { withoutAddedReturns } from '../textmode';
import { findBreaks, findSteps } from './breaks';
import { edgesOf } from './edges';
import {
  encodeScan,
  frameSegment,
  huffmanSegments,
  quantisationSegments,
  scanSegment,
  segment,
  standardTables,
} from './encode';
import { type Decoded, decodeMcus, hasDrift, type Layout, markImpossible, splitStretches } from './entropy';
import { guessAcross, guessQuantisation } from './guess';
import { type Component, type Frame, type JpegParts, readJpegParts } from './markers';
import { isNoise, realign } from './realign';
import { type HuffmanSpec, standardHuffman } from './tables';

const startOfImage = Buffer.from([0xff, 0xd8]);
const endOfImage = Buffer.from([0xff, 0xd9]);

/** Repairs JPEG (ISO/IEC 10918-1): the markers and tables first, then the picture data, down to single blocks where bytes were lost. */
export async function repairJpeg(job: EngineJob): Promise<Outcome> {
  const draft = new Draft('jpg');
  const before = await openPicture(job.bytes, job.limits, true);
  const intact = job.bytes[0] === 0xff && job.bytes[1] === 0xd8;
  if (before && !before.warning && intact && isDataSound(job)) {
    draft.kept.push({
      unit: 'pixels',
      count: before.width * before.height,
      detail: `${before.width} × ${before.height}`,
    });
    return draft.healthy(
      `Nothing is wrong with this photo of ${before.width} × ${before.height} pixels; it is returned unchanged.`,
    );
  }
  const output = rebuildJpeg(job, draft, job.bytes);
  job.progress(0.7);
  // Noise may open in a lenient decoder too; that is no reason to hand it out.
  return output === 'noise' ? repairedPicture(job, draft, null, null) : repairedPicture(job, draft, output, before);
}

/** Decodes the data of a baseline picture itself: decoders say nothing when blocks are missing or too many. Other kinds pass. */
function isDataSound(job: EngineJob): boolean {
  const parts = readJpegParts(job.bytes);
  const { frame } = parts;
  if (!frame || parts.scanStart < 0) return false;
  if (!parts.hasEnd) return false;
  if ((frame.marker !== 0xc0 && frame.marker !== 0xc1) || frame.precision !== 8 || parts.scans > 1) return true;
  const layout = layoutFor(frame);
  const total = layout.across * layout.down;
  if (total * layout.blocks.length * 64 > job.limits.pixels * 3) return true;
  const stretches = splitStretches(job.bytes, parts.scanStart, parts.scanEnd);
  const decoded = decodeMcus(stretches, layout, parts.huffman, total + 64, parts.restartInterval, job.deadline);
  if (decoded.errors.length > 0 || decoded.count !== total) return false;
  const tables = frame.components.map(
    (component) => parts.quantisation.get(component.quantisation) ?? new Uint16Array(64).fill(1),
  );
  markImpossible(decoded, layout, tables);
  if (decoded.errors.length > 0 || hasDrift(decoded, layout, tables)) return false;
  if (parts.restartInterval > 0) return true;
  const columns = layout.components === 1 ? 1 : (frame.components[0]?.horizontal ?? 1);
  const edges = edgesOf(decoded, layout, 0, columns, tables[0] ?? new Uint16Array(64).fill(1));
  return findSteps(edges, decoded.count, layout.across).length === 0;
}

/** Rebuilds a JPEG from damaged bytes; null when there is no picture data, `noise` when it cannot be unpacked. Findings and steps go into the draft. */
export function rebuildJpeg(job: EngineJob, draft: Draft, input: Buffer): Buffer | 'noise' | null {
  const stripped = withoutAddedReturns(input);
  let bytes = input;
  if (
    stripped &&
    stripped[0] === 0xff &&
    readJpegParts(stripped).problems.length <= readJpegParts(input).problems.length
  ) {
    bytes = stripped;
    draft.find('textmode', 'Every line end was changed, as happens when a file is sent in text mode.', null);
    draft.step(
      'Restore line ends',
      `${counted(input.length - stripped.length, 'byte')} that the transfer had added were taken out.`,
    );
  }
  const parts = readJpegParts(bytes);
  for (const problem of parts.problems.slice(0, 8)) draft.find(problem.kind, problem.detail, problem.offset);
  if (!findPictureData(bytes, parts, draft)) return null;
  if (!parts.hasEnd) draft.find('end', 'The end of the picture was missing.', bytes.length);
  const frame = parts.frame;
  const sequential = frame === null || frame.marker === 0xc0 || frame.marker === 0xc1;
  if (!sequential || parts.scans > 1 || (frame && frame.precision !== 8)) return rewrap(bytes, parts, draft);
  completeHuffman(parts, draft);
  return rebuildBaseline(job, bytes, parts, draft);
}

/** Without a scan header the data begins behind the last table; null when there is nothing that looks like data. */
function findPictureData(bytes: Buffer, parts: JpegParts, draft: Draft): boolean {
  if (parts.scanStart >= 0) return parts.scanStart < bytes.length;
  const tables = [Buffer.from([0xff, 0xc4]), Buffer.from([0xff, 0xc0])]
    .map((mark) => bytes.lastIndexOf(mark))
    .filter((at) => at >= 0);
  const last = Math.max(-1, ...tables);
  const after = last >= 0 ? last + 2 + bytes.readUInt16BE(Math.min(last + 2, bytes.length - 2)) : 0;
  if (after >= bytes.length - 64) return false;
  const components = parts.frame?.components.length ?? 3;
  parts.scanStart = last >= 0 ? Math.min(after + 8 + components * 2, bytes.length) : 0;
  parts.scanEnd = bytes.length;
  const end = bytes.lastIndexOf(endOfImage);
  if (end > parts.scanStart) {
    parts.scanEnd = end;
    parts.hasEnd = true;
  }
  parts.scans = 1;
  draft.find('scan', 'The header before the picture data was missing.', after);
  return true;
}

/** Progressive and other kinds of frames: sound headers around the data as it is. */
function rewrap(bytes: Buffer, parts: JpegParts, draft: Draft): Buffer | null {
  if (!parts.frame) return null;
  const tables = new Map(parts.quantisation);
  if (tables.size === 0) return null;
  draft.step('Rewrite headers', 'The headers were written anew around the picture data.');
  const scan = parts.scanHeader
    ? Buffer.concat([Buffer.from([0xff, 0xda]), parts.scanHeader])
    : scanSegment(parts.frame.components);
  return Buffer.concat([
    startOfImage,
    ...parts.applications,
    quantisationSegments(tables),
    frameSegment(parts.frame),
    huffmanSegments(parts.huffman),
    restartSegment(parts.restartInterval),
    scan,
    bytes.subarray(parts.scanStart, parts.scanEnd),
    endOfImage,
  ]);
}

function restartSegment(interval: number): Buffer {
  return interval > 0 ? segment(0xdd, Buffer.from([interval >> 8, interval & 255])) : Buffer.alloc(0);
}

function completeHuffman(parts: JpegParts, draft: Draft): void {
  const wanted = new Set<number>();
  const components = parts.frame?.components ?? [
    { dc: 0, ac: 0 },
    { dc: 1, ac: 1 },
  ];
  for (const { dc, ac } of components) wanted.add(dc).add(0x10 | ac);
  let added = 0;
  for (const key of wanted) {
    if (parts.huffman.has(key)) continue;
    const standard: HuffmanSpec | undefined = standardHuffman[key >> 4]?.[(key & 15) > 0 ? 1 : 0];
    if (standard) parts.huffman.set(key, standard);
    added++;
  }
  if (added === 0) return;
  draft.find('huffman', 'Tables that are needed to unpack the picture were missing.');
  draft.note('The lost unpacking tables were replaced by the ones that most cameras use.');
}

function layoutFor(frame: Frame): Layout {
  const single = frame.components.length === 1;
  const widest = single ? 1 : Math.max(...frame.components.map((component) => component.horizontal));
  const tallest = single ? 1 : Math.max(...frame.components.map((component) => component.vertical));
  const blocks = frame.components.flatMap((component, index) =>
    Array.from({ length: single ? 1 : component.horizontal * component.vertical }, () => ({
      component: index,
      dc: component.dc,
      ac: component.ac,
    })),
  );
  return {
    across: Math.ceil(frame.width / (8 * widest)),
    down: Math.ceil(frame.height / (8 * tallest)),
    blocks,
    components: frame.components.length,
  };
}

const samplings: [number, number][] = [
  [2, 2],
  [1, 1],
  [2, 1],
  [1, 2],
];

function guessedFrame(components: number, sampling: [number, number]): Frame {
  const list: Component[] = Array.from({ length: components }, (_, index) => ({
    id: index + 1,
    horizontal: index === 0 && components > 1 ? sampling[0] : 1,
    vertical: index === 0 && components > 1 ? sampling[1] : 1,
    quantisation: index === 0 ? 0 : 1,
    dc: index === 0 ? 0 : 1,
    ac: index === 0 ? 0 : 1,
  }));
  return { marker: 0xc0, precision: 8, width: 0, height: 0, components: list, offset: -1 };
}

function rebuildBaseline(job: EngineJob, bytes: Buffer, parts: JpegParts, draft: Draft): Buffer | 'noise' | null {
  const stretches = splitStretches(bytes, parts.scanStart, parts.scanEnd);
  const size = parts.scanEnd - parts.scanStart;
  const decode = (frame: Frame, most: number): Decoded =>
    decodeMcus(stretches, layoutFor(frame), parts.huffman, Math.max(1, most), parts.restartInterval, job.deadline);
  const roomFor = (frame: Frame) =>
    Math.min(Math.floor(job.limits.pixels / 64 / layoutFor(frame).blocks.length), size * 4);
  let frame = parts.frame;
  if (!frame) {
    draft.find('frame', 'The part that tells size and make-up of the picture was missing.');
    const components = parts.scanHeader?.[2] ?? 3;
    const options = (components > 1 ? samplings : samplings.slice(1, 2)).map((sampling) =>
      guessedFrame(components, sampling),
    );
    const trials = options.map((option) => ({ option, decoded: decode(option, Math.min(4000, roomFor(option))) }));
    trials.sort((left, right) => left.decoded.errors.length - right.decoded.errors.length);
    frame = trials[0]?.option ?? guessedFrame(components, [1, 1]);
  }
  let layout = layoutFor(frame);
  const declared = layout.across * layout.down;
  const decoded = decode(
    frame,
    Math.min(
      roomFor(frame),
      Math.max(declared + layout.across + 64, frame.width > 0 && frame.height > 0 ? 0 : roomFor(frame)),
    ),
  );
  if (decoded.count < 2) return null;
  const quantisation = guessQuantisation(parts.quantisation, frame.components, decoded, layout);
  if ([...quantisation.tables.keys()].length > parts.quantisation.size) {
    draft.find('quantisation', 'Tables that set the brightness and sharpness of the picture were missing.');
    draft.step('Guess tables', `The lost tables were set ${quantisation.how}.`);
    if (parts.quantisation.size === 0)
      draft.note('Brightness and contrast of the picture are a guess, since the tables that set them were lost.');
  }
  const tables = frame.components.map(
    (component) => quantisation.tables.get(component.quantisation) ?? new Uint16Array(64).fill(1),
  );
  const sized = settleSize(frame, layout, decoded, decode, roomFor, tables, parts, draft);
  frame = sized.frame;
  layout = layoutFor(frame);
  if (frame.width * frame.height > job.limits.pixels) return null;
  const total = layout.across * layout.down;
  if (parts.quantisation.size > 0) markImpossible(sized.decoded, layout, tables);
  const columns = layout.components === 1 ? 1 : (frame.components[0]?.horizontal ?? 1);
  const edges = edgesOf(sized.decoded, layout, 0, columns, tables[0] ?? new Uint16Array(64).fill(1));
  const steady = parts.restartInterval > 0 || findBreaks(edges, sized.decoded.count, layout.across).length === 0;
  // Data read with the wrong tables is noise: it fails at every turn, and a picture made of it would be none.
  const substituted = draft.found.some((finding) => finding.kind === 'huffman');
  const wrongCount = substituted && parts.hasEnd && Math.abs(decode(frame, roomFor(frame)).count - total) > total * 0.1;
  if (sized.decoded.errors.length > sized.decoded.count * 0.15 || wrongCount) {
    draft.note('The tables that are needed to unpack the picture are lost, and no usual ones fit.');
    return 'noise';
  }
  const clean = sized.decoded.errors.length === 0 && sized.decoded.count === total && steady;
  const headers = (huffman: Iterable<readonly [number, HuffmanSpec]>, interval: number) => [
    startOfImage,
    ...parts.applications,
    quantisationSegments(quantisation.tables),
    frameSegment(frame),
    huffmanSegments(huffman),
    restartSegment(interval),
  ];
  if (clean) {
    draft.step('Rewrite headers', 'The headers were written anew around the picture data, which is intact.');
    return Buffer.concat([
      ...headers(parts.huffman, parts.restartInterval),
      scanSegment(frame.components),
      bytes.subarray(parts.scanStart, parts.scanEnd),
      endOfImage,
    ]);
  }
  const facts = {
    layout,
    interval: parts.restartInterval,
    hasEnd: parts.hasEnd,
    across: frame.components.map((component) => (layout.components === 1 ? 1 : component.horizontal)),
    tables,
  };
  const mended = realign(sized.decoded, facts);
  if (isNoise(mended, facts)) {
    draft.note('What could be unpacked is noise, so the tables needed to unpack the picture must be lost.');
    return 'noise';
  }
  draft.find(
    'data',
    `The picture data is damaged in ${counted(Math.max(1, sized.decoded.errors.length > 20 ? 1 : sized.decoded.errors.length), 'place')} or cut short.`,
    parts.scanStart,
  );
  if (mended.moved > 0)
    draft.step(
      'Realign',
      'The picture behind the damage was moved back to where it belongs, with its brightness matched to what is above.',
    );
  if (mended.missing > 0)
    draft.lost.push({ unit: 'blocks', count: mended.missing, detail: `of ${total}; filled with the colour above` });
  draft.rebuilt.push({ unit: 'blocks', count: total - mended.missing });
  if (mended.missing > total * 0.98) return null;
  const components = frame.components.map((component, index) => ({
    ...component,
    dc: index === 0 ? 0 : 1,
    ac: index === 0 ? 0 : 1,
  }));
  return Buffer.concat([
    ...headers(standardTables(components.length), 0),
    scanSegment(components),
    encodeScan(mended.coefficients, layout),
    endOfImage,
  ]);
}

/** Checks width and height against the data, and finds them by how rows fit when they are missing or cannot be right. */
function settleSize(
  frame: Frame,
  layout: Layout,
  decoded: Decoded,
  decode: (frame: Frame, most: number) => Decoded,
  roomFor: (frame: Frame) => number,
  tables: Uint16Array[],
  parts: JpegParts,
  draft: Draft,
): { frame: Frame; decoded: Decoded } {
  const total = layout.across * layout.down;
  const off = Math.abs(decoded.count - total);
  const plausible =
    frame.width > 0 &&
    frame.height > 0 &&
    (decoded.errors.length > 0 || !parts.hasEnd
      ? decoded.count <= total + layout.across
      : off <= Math.max(2, layout.across));
  if (plausible) return { frame, decoded };
  const all = decode(frame, roomFor(frame));
  const unit = {
    x: layout.components === 1 ? 8 : 8 * Math.max(...frame.components.map((component) => component.horizontal)),
    y: layout.components === 1 ? 8 : 8 * Math.max(...frame.components.map((component) => component.vertical)),
  };
  const across = guessAcross(
    all,
    layout,
    layout.components === 1 ? 1 : (frame.components[0]?.horizontal ?? 1),
    tables[0] ?? new Uint16Array(64).fill(1),
  );
  if (across === null) return { frame, decoded };
  const down = Math.max(1, Math.round(all.count / across));
  // A strip this long is no picture but noise that fits nowhere.
  if (across * unit.x > 12 * down * unit.y || down * unit.y > 12 * across * unit.x) return { frame, decoded };
  const keepWidth = Math.ceil(frame.width / unit.x) === across;
  const keepHeight = Math.ceil(frame.height / unit.y) === down;
  const sized = {
    ...frame,
    width: keepWidth ? frame.width : Math.min(65500, across * unit.x),
    height: keepHeight ? frame.height : Math.min(65500, down * unit.y),
  };
  if (!keepWidth || !keepHeight) {
    draft.find(
      'size',
      'The size noted for the picture does not fit its data.',
      frame.offset >= 0 ? frame.offset : null,
    );
    draft.step(
      'Find size',
      `By how its rows fit together the picture is about ${sized.width} × ${sized.height} pixels.`,
    );
  }
  return { frame: sized, decoded: decode(sized, layoutFor(sized).across * layoutFor(sized).down) };
}
