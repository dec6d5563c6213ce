import { unzipSync, zipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../lib/repair';
import { damaged, zipRecipes } from './support/damage';
import { originals } from './support/originals';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const all = (await originals()).filter(({ format }) => /^od[ts]$/.test(format));
const original = (format: string) => all.find((one) => one.format === format)?.bytes ?? Buffer.alloc(0);
const formats = ['odt', 'ods'] as const;

/** The original without a part, or with it changed. */
function edited(format: string, path: string, change: ((data: Buffer) => Buffer) | null): Buffer {
  const { mimetype = new Uint8Array(0), [path]: part, ...others } = unzipSync(original(format));
  const changed = change ? { [path]: change(Buffer.from(part ?? [])) } : {};
  return Buffer.from(zipSync({ mimetype: [mimetype, { level: 0 }], ...others, ...changed }));
}

describe('an OpenDocument package', () => {
  it.each(formats)('that is in order stays as it is: %s', async (format) => {
    const bytes = original(format);
    const { report, output } = await repairBytes(bytes, `file.${format}`);
    expect(report).toMatchObject({ verdict: 'healthy', format, found: [], lost: [] });
    expect(output?.equals(bytes)).toBe(true);
    const amount = format === 'odt' ? { unit: 'pictures', count: 1 } : { unit: 'cells', count: 600 };
    expect(report.kept).toContainEqual(amount);
  });

  it.each(formats)('with a part of its program that is empty is in order: %s', async (format) => {
    const { mimetype = new Uint8Array(0), ...others } = unzipSync(original(format));
    const empty = { 'Configurations2/accelerator/current.xml': new Uint8Array(0) };
    const bytes = Buffer.from(zipSync({ mimetype: [mimetype, { level: 0 }], ...empty, ...others }));
    const { report } = await repairBytes(bytes, `file.${format}`);
    expect(report).toMatchObject({ verdict: 'healthy', found: [] });
  });

  it.each(formats)(
    'whose list of parts gets its namespace from a DTD outside of it is in order: %s',
    async (format) => {
      const dtd = '<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd">';
      const undeclared = (data: Buffer) => data.toString().replace(/ xmlns:manifest="[^"]*"/, '');
      const list = (data: Buffer) => Buffer.from(undeclared(data).replace('<manifest:manifest', `${dtd}$&`));
      const old = edited(format, 'META-INF/manifest.xml', list);
      expect(unzipSync(old)['META-INF/manifest.xml']).not.toEqual(unzipSync(original(format))['META-INF/manifest.xml']);
      expect((await repairBytes(old, `file.${format}`)).report).toMatchObject({ verdict: 'healthy', found: [] });
      // Without one nothing declares it.
      const bare = edited(format, 'META-INF/manifest.xml', (data) => Buffer.from(undeclared(data)));
      expect((await repairBytes(bare, `file.${format}`)).report.found).toMatchObject([{ kind: 'xml' }]);
    },
  );

  it('that holds formats alone is in order, but not where its list names a content', async () => {
    const { 'content.xml': _, mimetype: __, ...others } = unzipSync(original('odt'));
    const list = Buffer.from(others['META-INF/manifest.xml'] ?? []).toString();
    const unlisted = list.replace(/<manifest:file-entry[^>]*"content\.xml"[^>]*>/, '');
    expect(unlisted).not.toBe(list);
    const kind = new TextEncoder().encode('application/vnd.oasis.opendocument.text');
    const withList = (text: string) =>
      Buffer.from(zipSync({ mimetype: [kind, { level: 0 }], ...others, 'META-INF/manifest.xml': Buffer.from(text) }));
    const { report } = await repairBytes(withList(unlisted), 'file.odt');
    expect(report).toMatchObject({ verdict: 'healthy', found: [] });
    const { report: gone } = await repairBytes(withList(list), 'file.odt');
    expect(gone).toMatchObject({ verdict: 'unrepairable', found: [{ kind: 'main' }] });
  });

  it.each(formats)('comes back whole from damage around its parts: %s', async (format) => {
    for (const name of [
      'central directory cut off',
      'end record cut off',
      'local signatures wiped',
      'check sums wrong',
    ]) {
      const recipe = zipRecipes.find((one) => one.name === name);
      const bad = recipe && damaged(original(format), recipe, 1);
      const { report, output } = await repairBytes(bad ?? Buffer.alloc(0), `file.${format}`);
      expect(report.verdict, name).toBe('repaired');
      expect(await scoreAgainst(format, original(format), output ?? Buffer.alloc(0)), name).toBe(1);
    }
  });

  it.each([
    ['odt', 'text'],
    ['ods', 'spreadsheet'],
    ['odp', 'presentation'],
  ])('stored as text comes back byte for byte, and not as a picture in it: %s', async (format, kind) => {
    const { mimetype: _, ...others } = unzipSync(original('odt'));
    const mimetype = new TextEncoder().encode(`application/vnd.oasis.opendocument.${kind}`);
    const drawn = { width: 30, height: 20, channels: 3, background: '#a42' } as const;
    const png = await sharp({ create: drawn }).png().toBuffer();
    const bytes = Buffer.from(
      zipSync({ mimetype: [mimetype, { level: 0 }], 'Thumbnails/thumbnail.png': [png, { level: 0 }], ...others }),
    );
    const stored = Buffer.from(bytes.toString('latin1'), 'utf8');
    expect(detectFormat(stored, 'file')).toMatchObject({ format });
    expect(detectFormat(stored, `file.${format}`)).toMatchObject({ format });
    if (format !== 'odt') return;
    const { report, output } = await repairBytes(stored, 'file.odt');
    expect(report).toMatchObject({ verdict: 'repaired', format, lost: [] });
    expect(output?.equals(bytes)).toBe(true);
  });

  it.each(formats)('gets the list of its parts again, and says of which kind it is first: %s', async (format) => {
    const { report, output } = await repairBytes(edited(format, 'META-INF/manifest.xml', null), `file.${format}`);
    expect(report.verdict).toBe('repaired');
    const parts = unzipSync(output ?? Buffer.alloc(0));
    expect(Buffer.from(parts['META-INF/manifest.xml'] ?? []).toString()).toContain('manifest:full-path="content.xml"');
    expect(output?.toString('latin1', 30, 38)).toBe('mimetype');
    // It stands as it is, so that a program can tell the kind without unpacking (ODF 1.3 part 2, 3.3).
    expect(output?.readUInt16LE(8)).toBe(0);
  });

  it.each(formats)('whose text breaks off keeps what comes before: %s', async (format) => {
    const cut = (data: Buffer) => data.subarray(0, Math.floor(data.length * 0.7));
    const bad = edited(format, 'content.xml', cut);
    const { report, output } = await repairBytes(bad, `file.${format}`);
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ detail }) => detail).join()).toContain('ends in the middle');
    const value = await scoreAgainst(format, original(format), output ?? Buffer.alloc(0));
    expect(value).toBeGreaterThan(0.68);
    expect(value).toBeLessThan(0.72);
  });

  it.each(formats)('gets wrong bits in its text set right: %s', async (format) => {
    const bad = Buffer.from(original(format));
    const at = bad.indexOf('content.xml') + 1500;
    bad[at] = (bad[at] ?? 0) ^ 4;
    const { report, output } = await repairBytes(bad, `file.${format}`);
    expect(report.verdict).toBe('repaired');
    expect(await scoreAgainst(format, original(format), output ?? Buffer.alloc(0))).toBe(1);
  });

  it.each(formats)('is called by its own name, and says of which kind it is, again: %s', async (format) => {
    const { mimetype = new Uint8Array(0), 'content.xml': content, ...others } = unzipSync(original(format));
    const renamed = zipSync({
      mimetype: [mimetype, { level: 0 }],
      ...others,
      'Content.xml': content ?? new Uint8Array(0),
    });
    for (const bad of [Buffer.from(renamed), edited(format, 'mimetype', () => Buffer.alloc(0))]) {
      const { report, output } = await repairBytes(bad, `file.${format}`);
      expect(report.verdict, report.summary).toBe('repaired');
      expect(unzipSync(output ?? Buffer.alloc(0))).toEqual(unzipSync(original(format)));
      expect(output?.toString('latin1', 30, 38)).toBe('mimetype');
    }
  });

  it.each(formats)('without its formats tells that they are gone, and lists them no more: %s', async (format) => {
    const { report, output } = await repairBytes(edited(format, 'styles.xml', null), `file.${format}`);
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.found).toContainEqual(expect.objectContaining({ detail: expect.stringContaining('styles.xml') }));
    expect(report.lost.map(({ detail }) => detail).join()).toContain('styles.xml');
    const parts = unzipSync(output ?? Buffer.alloc(0));
    expect(Buffer.from(parts['META-INF/manifest.xml'] ?? []).toString()).not.toContain('"styles.xml"');
    expect(parts['content.xml']).toEqual(unzipSync(original(format))['content.xml']);
  });

  it('tells a lost picture that its text leads to, and no name that its list keeps of one it does not show', async () => {
    const picture = Object.keys(unzipSync(original('odt'))).find((path) => path.startsWith('Pictures/')) ?? '';
    const { report } = await repairBytes(edited('odt', picture, null), 'file.odt');
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.lost.map(({ detail }) => detail).join()).toContain(picture);
    const more = (data: Buffer) => Buffer.from(data.toString().replace('</manifest:manifest>', `${entry}$&`));
    const entry = '<manifest:file-entry manifest:full-path="Pictures/old.png" manifest:media-type="image/png"/>';
    const { report: sound } = await repairBytes(edited('odt', 'META-INF/manifest.xml', more), 'file.odt');
    expect(sound).toMatchObject({ verdict: 'healthy', found: [] });
  });

  it('without its content is nothing', async () => {
    const { report } = await repairBytes(edited('odt', 'content.xml', null), 'file.odt');
    expect(report.verdict).toBe('unrepairable');
  });

  it.each(formats)('is left alone by the online tool, whose list does not name it: %s', async (format) => {
    const { report } = await repairBytes(original(format), 'letter.docx', { type: 18 });
    expect(report.summary).toBe('This file is an OpenDocument file, which this tool does not repair.');
  });

  it.each([
    ['odt', 'text-web'],
    ['odt', 'text-template'],
    ['odt', 'text-master'],
    ['ods', 'spreadsheet-template'],
  ])('stays what it is among packages of its format: %s, %s', async (format, kind) => {
    const said = `application/vnd.oasis.opendocument.${kind}`;
    const bytes = edited(format, 'mimetype', () => Buffer.from(said));
    expect((await repairBytes(bytes, `file.${format}`)).report.verdict).toBe('healthy');
    // Without the list of parts at the end of the archive, and the part that lists them.
    const { mimetype = new Uint8Array(0), 'META-INF/manifest.xml': manifest, ...parts } = unzipSync(bytes);
    const bad = Buffer.from(zipSync({ mimetype: [mimetype, { level: 0 }], ...parts })).subarray(0, -60);
    expect(manifest).toBeDefined();
    const { report, output } = await repairBytes(bad, `file.${format}`);
    expect(report.verdict).toBe('repaired');
    const written = unzipSync(output ?? Buffer.alloc(0));
    expect(Buffer.from(written.mimetype ?? []).toString()).toBe(said);
    expect(Buffer.from(written['META-INF/manifest.xml'] ?? []).toString()).toContain(`"${said}"`);
  });

  it('of slides is in order, and keeps its slides where its end is cut off', async () => {
    const slide = (index: number) =>
      `<draw:page draw:name="page${index}"><draw:frame><draw:text-box><text:p>Slide ${index} of the ferry</text:p></draw:text-box></draw:frame></draw:page>`;
    const slides = Array.from({ length: 40 }, (_, index) => slide(index)).join('');
    const inside = (data: Buffer) =>
      Buffer.from(
        data
          .toString()
          .replace(/<office:text>.*<\/office:text>/s, () => `<office:presentation>${slides}</office:presentation>`),
      );
    const { mimetype: _, ...parts } = unzipSync(edited('odt', 'content.xml', inside));
    const kind = Buffer.from('application/vnd.oasis.opendocument.presentation');
    const bytes = Buffer.from(zipSync({ mimetype: [kind, { level: 0 }], ...parts }));
    const { report } = await repairBytes(bytes, 'file.odp');
    expect(report).toMatchObject({ verdict: 'healthy', format: 'odp' });
    expect(report.kept).toContainEqual({ unit: 'slides', count: 40 });
    const cut = { 'content.xml': (parts['content.xml'] ?? new Uint8Array(0)).subarray(0, -1000) };
    const broken = Buffer.from(zipSync({ mimetype: [kind, { level: 0 }], ...parts, ...cut }));
    const repaired = await repairBytes(broken, 'file.odp');
    expect(repaired.report.verdict).toBe('partly');
    const content = Buffer.from(unzipSync(repaired.output ?? Buffer.alloc(0))['content.xml'] ?? []).toString();
    expect(content.endsWith('</draw:page></office:presentation></office:body></office:document-content>')).toBe(true);
    expect(content.match(/of the ferry/g)?.length).toBeGreaterThan(30);
  });

  it('is told by its kind, and drawings are not repaired', async () => {
    for (const format of formats) expect(detectFormat(original(format), 'file.bin')?.format).toBe(format);
    const kind = Buffer.from('application/vnd.oasis.opendocument.graphics');
    const drawing = Buffer.from(zipSync({ mimetype: [kind, { level: 0 }], 'content.xml': new Uint8Array(9) }));
    const { report } = await repairBytes(drawing, 'file.odg');
    expect(report.summary).toBe('This file is an OpenDocument file, which this tool does not repair.');
  });
});
