import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

const folder = join(process.cwd(), 'tests/repair/fixtures');
const frozen = (format: string): Buffer => {
  const name = readdirSync(folder).find((one) => one.endsWith(`.${format}.gz`));
  if (!name) throw new Error(`There is no frozen file of ${format}.`);
  return gunzipSync(readFileSync(join(folder, name)));
};
const tiff = (compression: 'none' | 'lzw' | 'deflate'): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#246' } })
    .tiff({ compression })
    .toBuffer();

describe('what is said of a sound file', () => {
  it.each(['doc', 'xls', 'ppt', 'pdf'])('promises no more of %s than check sums can hold', async (format) => {
    const { report } = await repairBytes(frozen(format), `file.${format}`);
    expect(report).toMatchObject({ verdict: 'healthy', found: [] });
    expect(report.summary).toContain('Nothing wrong was found in this');
    expect(report.notes.join(' ')).toContain('check sums');
  });

  it('says of a package, whose parts all have check sums, that nothing is wrong with it', async () => {
    const { report } = await repairBytes(frozen('docx'), 'file.docx');
    expect(report).toMatchObject({ verdict: 'healthy', notes: [] });
    expect(report.summary).toContain('Nothing is wrong with this');
  });

  it.each([
    ['none', 1],
    ['lzw', 1],
    ['deflate', 0],
  ] as const)('names what cannot be told of TIFF by its packing: %s', async (packing, count) => {
    const { report } = await repairBytes(await tiff(packing), 'file.tif');
    expect(report).toMatchObject({ verdict: 'healthy', found: [] });
    expect(report.notes.filter((note) => note.includes('check sums'))).toHaveLength(count);
  });
});
