import { beforeAll, describe, expect, it } from 'vitest';
import { type Directories, directoriesOf } from '../../lib/repair/formats/raw/kinds/tiff/directories';
import { picture } from './support/originals/picture';
import { type RawKind, rawPhoto } from './support/rawphotos';
import { repairBytes } from './support/run';

let jpeg: Buffer;

beforeAll(async () => {
  jpeg = await picture(160, 120, 14).jpeg({ quality: 85 }).toBuffer();
});

const repair = (bytes: Buffer, kind: RawKind) =>
  repairBytes(bytes, `photo.${kind === 'unpacked' ? 'nrw' : kind}`, { type: 19 });

/** Writes a number over one of a photo, whose directories are given to find its place. */
function changed(
  whole: Buffer,
  change: (one: { found: Directories['found']; put: (at: number, value: number, size: 2 | 4) => void }) => void,
): Buffer {
  const bytes = Buffer.from(whole);
  const directories = directoriesOf(bytes);
  if (!directories) throw new Error('The photo has no directories.');
  const put = (at: number, value: number, size: 2 | 4) => {
    if (directories.tiff.little) bytes.writeUIntLE(value, at, size);
    else bytes.writeUIntBE(value, at, size);
  };
  change({ found: directories.found, put });
  return bytes;
}

const [subDirectories, exif, samples] = [330, 0x8769, 277];
const kinds: RawKind[] = ['nef', 'arw', 'dng', 'unpacked'];
const end = ({ offset, fields }: Directories['found'][number]) => offset + 2 + fields.size * 12;

describe.each(kinds)('directories of the kind %s', (kind) => {
  it.each([
    ['a next one behind the last', 'next'],
    ['fewer entries than there are', 'fewer'],
    ['no entries at all', 'none'],
    ['one more entry than there are', 'more'],
  ])('come back as they were where one names %s', async (_, how) => {
    const whole = rawPhoto(kind, jpeg);
    const bytes = changed(whole, ({ found, put }) => {
      const last = found.find(({ fields }) => fields.has(samples));
      if (!last) return;
      if (how === 'next') put(end(last), 0x0102, 4);
      else put(last.offset, { fewer: 5, none: 0, more: last.fields.size + 1 }[how] ?? 0, 2);
    });
    const { report, output } = await repair(bytes, kind);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it('are led to where the entry that leads to the sensor data has another number', async () => {
    const whole = rawPhoto(kind, jpeg);
    const bytes = changed(whole, ({ found, put }) => {
      const entry = [...(found[0]?.fields.keys() ?? [])].indexOf(subDirectories);
      put((found[0]?.offset ?? 0) + 2 + entry * 12, subDirectories - 1, 2);
    });
    const { report, output } = await repair(bytes, kind);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it('stay raw where an entry was wiped, and what is lost is said', async () => {
    const whole = rawPhoto(kind, jpeg);
    const bytes = Buffer.from(whole);
    const notes = directoriesOf(whole)?.found.find(({ fields }) => fields.has(0x9003));
    bytes.fill(0, (notes?.offset ?? 0) + 14, (notes?.offset ?? 0) + 26);
    const { report } = await repair(bytes, kind);
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.format).toBe(kind === 'unpacked' ? 'nrw' : kind);
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'descriptions' }));
  });

  it('are led to EXIF again by the directory that nothing leads to', async () => {
    const whole = rawPhoto(kind, jpeg);
    const bytes = changed(whole, ({ found, put }) => {
      put(found[0]?.fields.get(exif)?.at ?? 0, 9, 4);
    });
    const { report, output } = await repair(bytes, kind);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });
});
