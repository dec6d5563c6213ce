import { isOldLzw } from '../../codecs/lzw/strings';
import type { EngineJob } from '../../report';
import type { PackedName, Unusual } from '../../report/facts/photo';
import { assemble } from './assemble';
import type { Directory, TiffBytes } from './directory';
import { scheme, space, tag } from './directory';
import { isFax } from './faxstrip';
import { type Layout, readLayout, rowBytes, segmentsWanted } from './layout';
import { isConsistent, leadsNowhere, pageDirectories } from './pages';
import { unpackable } from './segments';

/** What strips of a compression that is not unpacked here begin with, and its name. */
const marks: Record<number, { name: PackedName; begins: RegExp }> = {
  6: { name: 'old-style JPEG', begins: /^\xff\xd8|^\xff\xdb/ },
  7: { name: 'JPEG', begins: /^\xff\xd8/ },
  34712: { name: 'JPEG 2000', begins: /^\xff\x4f\xff\x51|^.{4}jP/s },
  34925: { name: 'LZMA', begins: /^\xfd7zXZ/ },
  50000: { name: 'Zstandard', begins: /^\x28\xb5\x2f\xfd/ },
  50001: { name: 'WebP', begins: /^RIFF/ },
};
/** Colour models of TIFF 6.0, its supplements and DNG (section 8, 16, 23; TIFF/EP). */
const colourModels = new Set([0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 32803, 32844, 32845, 34892]);

/**
 * A TIFF whose structure is whole, though it stores its picture in a way that the decoder does not know: what that is. Null
 * when anything in it contradicts itself, as damage would.
 */
export async function unusualKind(job: EngineJob, tiff: TiffBytes): Promise<Unusual | null> {
  const pages = pageDirectories(tiff, false);
  if (leadsNowhere(tiff, pages)) return null;
  let kind: Unusual | null = null;
  for (const directory of pages) {
    const layout = readLayout(tiff, directory);
    const depths = tiff.values(directory.fields.get(tag.depth), 8);
    if (!directory.sound || !isLaidOut(layout, tiff.bytes.length) || !colourModels.has(layout.photometric)) return null;
    if (depths.some((depth) => depth !== layout.depth)) return null;
    const assembled = await assemble(job, tiff.bytes, layout, tiff.little);
    if (assembled) {
      if (!isConsistent(tiff.bytes, { assembled, layout, corrected: [] }, directory)) return null;
      kind ??=
        layout.photometric === space.cieLab || layout.photometric === space.iccLab
          ? { kind: 'lab' }
          : { kind: 'samples' };
      continue;
    }
    const told = packedAs(tiff, directory, layout);
    if (!told) return null;
    kind = told;
  }
  return kind;
}

/** Whether there are as many strips or tiles as the size needs, all inside the file and none empty or over another. */
function isLaidOut(layout: Layout, size: number): boolean {
  const { segments } = layout;
  if (layout.width < 1 || layout.height < 1 || segments.length !== segmentsWanted(layout)) return false;
  const sorted = [...segments].sort((left, right) => left.at - right.at);
  return sorted.every(({ at, count }, index) => at >= 8 && count > 0 && at + count <= (sorted[index + 1]?.at ?? size));
}

/** How the strips are packed, when they begin as such strips do. */
function packedAs(tiff: TiffBytes, directory: Directory, layout: Layout): Unusual | null {
  const { bytes } = tiff;
  const first = layout.segments[0];
  if (!first) return null;
  const begins = (at: number) => bytes.toString('latin1', at, at + 8);
  const mark = marks[layout.compression];
  if (mark) {
    const stream = tiff.value(directory, tag.jpegStart, 0);
    // Its tables stand in the file head of a stream of its own, or in fields (TIFF 6.0, section 22).
    const isOwn =
      layout.compression === scheme.oldJpeg &&
      ((stream > 0 && mark.begins.test(begins(stream))) ||
        [519, 520, 521].every((number) => directory.fields.has(number)));
    return isOwn || layout.segments.every(({ at }) => mark.begins.test(begins(at)))
      ? { kind: 'packing', name: mark.name }
      : null;
  }
  const numbers: Unusual = { kind: 'depth', bits: layout.depth };
  if (![10, 12, 14, 24, 32, 64].includes(layout.depth)) return null;
  // Unpacked rows tell their size; packed strips begin with a code that empties the table, or a head (TIFF 6.0, section 13; RFC 1950).
  if (layout.compression === scheme.none) {
    const whole = rowBytes(layout) * (layout.tile?.height ?? layout.rowsPerStrip);
    return first.count === whole || (layout.segments.length === 1 && first.count === rowBytes(layout) * layout.height)
      ? numbers
      : null;
  }
  if (!unpackable.has(layout.compression)) return null;
  const packed =
    layout.compression === scheme.lzw ? /^\x80[^\x80-\xff]/ : layout.compression === scheme.flate ? /^x/ : null;
  return packed && layout.segments.every(({ at }) => packed.test(begins(at))) ? numbers : null;
}

/** Strips that decoders read and this tool does not: packed ones, but for fax, with the bits of every byte turned round (FillOrder, TIFF 6.0, section 8). */
export function isLeftToDecoder(tiff: TiffBytes, directory: Directory, layout: Layout): boolean {
  const { compression } = layout;
  return compression !== scheme.none && !isFax(compression) && tiff.value(directory, tag.fillOrder, 1) === 2;
}

/** Whether all pages are of the LZW of before TIFF 6.0, of which decoders warn though they read it. */
export function isOldPacking(tiff: TiffBytes): boolean {
  const pages = pageDirectories(tiff, false);
  const isOld = pages.map((directory) => {
    const { compression, segments } = readLayout(tiff, directory);
    return compression === scheme.lzw && segments.length > 0 && segments.every(({ at }) => isOldLzw(tiff.bytes, at));
  });
  return isOld.length > 0 && isOld.every(Boolean);
}
