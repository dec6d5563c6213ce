import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

const original = (name: string) => unzipSync(gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`)));
const utf8 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');

type Package = Record<string, Uint8Array<ArrayBuffer>>;
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The package with a relationship more in a list of them, which is made where there is none. */
function linked(parts: Package, list: string, id: string, kind: string, target: string): Package {
  const before = parts[list]
    ? utf8(parts[list])
    : '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>';
  const link = `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/></Relationships>`;
  return { ...parts, [list]: Buffer.from(before.replace('</Relationships>', link)) };
}

const repaired = (parts: Package, name: string) => repairBytes(Buffer.from(zipSync(parts)), name);

/** Parts that a part other than the main one leads to, and that are not in the package. */
const missing: [string, string, (parts: Package) => Package][] = [
  [
    'comments of a sheet',
    'libreoffice-table.xlsx',
    (parts) => linked(parts, 'xl/worksheets/_rels/sheet1.xml.rels', 'rId1', 'comments', '../comments1.xml'),
  ],
  ['a layout of slides', 'libreoffice-slides.pptx', ({ 'ppt/slideLayouts/slideLayout1.xml': _, ...others }) => others],
  ['notes of a slide', 'pptxgenjs-slides.pptx', ({ 'ppt/notesSlides/notesSlide1.xml': _, ...others }) => others],
  [
    'comments of a text',
    'docx-letter.docx',
    (parts) => linked(parts, 'word/_rels/document.xml.rels', 'rId99', 'comments', 'comments.xml'),
  ],
  ['styles of a text', 'docx-letter.docx', ({ 'word/styles.xml': _, ...others }) => others],
];

describe('a package that lost', () => {
  it.each(missing)('%s says so', async (_, name, lose) => {
    const { report } = await repaired(lose(original(name)), name);
    expect(report.verdict, report.summary).toBe('partly');
    expect(report.found.map(({ kind }) => kind)).toContain('part');
    expect(report.lost.map(({ unit }) => unit)).toContain('parts');
  });
});

const picture = (seed: number) => {
  const data = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
    'base64',
  );
  return Buffer.concat([data, Buffer.alloc(seed)]);
};

/** Lists of links without which a part does not say what it is made from, or what is in it. */
const unlinked: [string, string, string, string][] = [
  ['one layout', 'pptxgenjs-slides.pptx', 'ppt/slides/_rels/slide1.xml.rels', 'repaired'],
  ['several layouts', 'libreoffice-slides.pptx', 'ppt/slides/_rels/slide1.xml.rels', 'partly'],
  ['a letter whose styles nothing leads to', 'libreoffice-letter.docx', 'word/_rels/document.xml.rels', 'repaired'],
];

describe('a list of links that is gone', () => {
  it.each(unlinked)('is told of a document with %s', async (_, name, path, verdict) => {
    const { [path]: list, ...parts } = original(name);
    const { report, output } = await repaired(parts, name);
    expect(report.verdict, report.summary).toBe(verdict);
    const targets = (bytes: Uint8Array | undefined) =>
      (utf8(bytes).match(/Target="[^"]*\/(?:slide|notes)[^"]*"/g) ?? []).sort();
    const again = unzipSync(output ?? new Uint8Array());
    if (verdict === 'repaired') expect(targets(again[path])).toEqual(targets(list));
    expect((await repairBytes(output ?? Buffer.alloc(0), name)).report).toMatchObject({
      verdict: 'healthy',
      found: [],
    });
  });
});

/** A letter with pictures, of which the first is shown twice. */
function withPictures(count: number): Package {
  const list = 'word/_rels/document.xml.rels';
  let parts = original('docx-letter.docx');
  const shown: string[] = [];
  for (let place = 0; place <= count; place++) {
    const number = place % count;
    parts = linked(parts, list, `rId${200 + place}`, 'image', `media/image${number + 1}.png`);
    parts[`word/media/image${number + 1}.png`] = picture(0);
    shown.push(
      `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata xmlns:r="${relations}" r:id="rId${200 + place}"/></v:shape></w:pict></w:r></w:p>`,
    );
  }
  const text = utf8(parts['word/document.xml']).replace(/<w:sectPr/, `${shown.join('')}<w:sectPr`);
  const types = utf8(parts['[Content_Types].xml']).replace(
    /(<Types[^>]*>)/,
    '$1<Default Extension="png" ContentType="image/png"/>',
  );
  return { ...parts, 'word/document.xml': Buffer.from(text), '[Content_Types].xml': Buffer.from(types) };
}

describe('a letter whose list of links is gone', () => {
  const without = ({ 'word/_rels/document.xml.rels': _, ...others }: Package) => others;

  it('does not say which of several pictures stood where', async () => {
    const name = 'docx-letter.docx';
    expect((await repaired(withPictures(2), name)).report.verdict).toBe('healthy');
    const { report } = await repaired(without(withPictures(2)), name);
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ unit }) => unit)).toContain('links');
  });

  it('leads to the only picture again', async () => {
    const { report } = await repaired(without(withPictures(1)), 'docx-letter.docx');
    expect(report.verdict).toBe('repaired');
  });
});
