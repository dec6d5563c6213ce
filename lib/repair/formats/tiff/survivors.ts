import { lowest } from '../../core/extent';
import type { PhotoTold } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import { openPicture } from '../../readers/pictures';
import type { EngineJob } from '../../report';
import type { Assembled } from './assemble';
import { readHead } from './head';
import type { Layout } from './layout';
import type { Page } from './pages';
import type { Outcome } from './parts';
import { isNoisy } from './smooth';

/** The share of rows below which what came back is no picture any more. */
const leastWhole = 0.03;
/** The share of rows from which on what came back is the picture, however rough that is: fine patterns are as rough as noise. */
const surelyWhole = 0.5;
/** Bytes that are looked through for the end of zeroes that begin a file. */
const mostWiped = 1 << 20;

/** What pages come to that were read, told with what was wrong with them; `isMoved` where the file is not as it was given. */
export async function fromPages(
  job: EngineJob,
  pages: readonly Page[],
  told: PhotoTold,
  bytes: Buffer,
  isMoved: boolean,
): Promise<Outcome> {
  const readable = pages.flatMap(({ assembled }) => (assembled ? [assembled] : []));
  if (readable.length === 0 || readable.every(({ raster }) => raster.data.every((byte) => byte === 0))) return 'lost';
  if (isNoise(readable)) return 'noise';
  const fields = [...new Set(pages.flatMap((page) => page.corrected))];
  if (fields.length > 0) {
    told.damages.push({ kind: 'fields', fields });
    told.steps.push({ kind: 'fields', fields });
  }
  const isWhole = readable.every(({ damaged, mended, wiped }) => damaged + mended + wiped === 0) && fields.length === 0;
  const isWiped = pages.some(({ layout }) => wipedPixels(layout, job.bytes) > 0);
  if (isWhole && isMoved && !isWiped && (await openPicture(bytes, job.limits, false)))
    return { kind: 'file', data: bytes, isHeadNew: true };
  tellStrips(pages, readable, job.bytes, told);
  const strips = readable.reduce((sum, page) => sum + page.strips, 0);
  return {
    kind: 'rasters',
    rasters: readable.map(({ raster }) => raster),
    strips,
    isBig: readHead(bytes)?.isBig ?? false,
  };
}

/** Whether what was read is none of the picture: next to none of its rows or bytes, or as rough as noise, whatever its size. */
function isNoise(readable: readonly Assembled[]): boolean {
  const isNone = ({ raster, damaged, whole }: Assembled) => damaged > 0 && whole < surelyWhole && isNoisy(raster);
  return readable.every(isNone) || readable.every(({ whole, read }) => Math.min(whole, read) < leastWhole);
}

/** Tells of wrong bits, of strips that are lost or damaged, and of pages that cannot be read. */
function tellStrips(
  pages: readonly Page[],
  readable: readonly Assembled[],
  bytes: Buffer,
  { damages, steps, lost }: PhotoTold,
): void {
  const sum = (count: (page: Assembled) => number) => readable.reduce((total, page) => total + count(page), 0);
  const [mended, damaged] = [
    sum((page) => page.mended),
    sum((page) => Math.min(page.strips, page.damaged + page.wiped)),
  ];
  if (mended > 0) {
    damages.push({ kind: 'bits', strips: mended });
    steps.push({ kind: 'stripBits' });
    const unproven = sum((page) => page.unproven);
    if (unproven > 0) lost.push({ unit: 'strips', count: unproven, how: 'unproven' });
  }
  const wiped = Math.max(0, ...pages.map(({ layout }) => wipedPixels(layout, bytes)));
  if (wiped > 0) lost.push({ unit: 'bytes', count: wiped, how: 'wiped' });
  if (damaged > 0) {
    damages.push({ kind: 'strips', count: damaged });
    lost.push({ unit: 'strips', count: damaged, how: 'filled', of: sum((page) => page.strips) });
  }
  if (readable.length < pages.length)
    lost.push({ unit: 'pages', count: pages.length - readable.length, how: 'unread', of: pages.length });
}

/** Bytes of picture data in a stretch of zeroes that begins with the file: a head that was wiped, and what came behind it. */
export function wipedPixels({ segments }: Layout, bytes: Buffer): number {
  const end = bytes.subarray(0, mostWiped).findIndex((byte) => byte !== 0);
  const first = lowest(segments.map(({ at }) => at));
  return end > 8 && first < end ? end - first : 0;
}
