import type { Frame } from '../../codecs/jpeg/frame';
import { layoutFor } from '../../codecs/jpeg/layout';
import { planScan } from '../../codecs/jpeg/reader';
import { type HuffmanSpec, standardHuffman } from '../../codecs/jpeg/tables';
import type { PhotoTold } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { JpegParts } from './markers';
import { readScans, type Scan } from './scans';
import { chainsOf } from './spans';
import type { Stretch } from './stretches';

/** Puts standard tables (ISO/IEC 10918-1, annex K.3) where the scan needs some that are lost. Returns whether any was. */
export function completeHuffman(parts: JpegParts, dcOnly: boolean, told: PhotoTold): boolean {
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
  told.damages.push({ kind: 'huffman' });
  told.remarks.push({ kind: 'huffman' });
  return true;
}

/** Where the first scan's data lies, and whether it holds DC values alone, as in a progressive picture. `low` is the bit they are sent at. */
export type FirstScan = { start: number; end: number; hasEnd: boolean; dcOnly: boolean; low: number; scans: Scan[] };

export function firstScan(bytes: Buffer, parts: JpegParts): FirstScan {
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
export function readData(
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

/** What was counted while the data was read once. */
export type ScanData = ReturnType<typeof readData>;
