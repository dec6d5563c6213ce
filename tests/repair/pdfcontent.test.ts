import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { hasFlaw } from '@/lib/repair/formats/pdf/contentsyntax';
import { repairBytes } from './support/run';

const lines = Array.from({ length: 20 }, (_, line) => `1 0 0 1 40 ${780 - line * 24} Tm <4861726265> Tj`);

/** A PDF with one page whose content is not packed. */
async function document(content: string): Promise<Buffer> {
  const made = await PDFDocument.create();
  const page = made.addPage();
  const font = await made.embedFont('Helvetica');
  page.node.setFontDictionary(PDFName.of('F1'), font.ref);
  page.node.addContentStream(made.context.register(made.context.stream(content)));
  return Buffer.from(await made.save({ useObjectStreams: false }));
}

const sound = `BT /F1 11 Tf\n${lines.join('\n')}\nET`;

describe('page content that is not packed', () => {
  it('is healthy where it is sound', async () => {
    const { report } = await repairBytes(await document(sound), 'file.pdf');
    expect(report.verdict, report.summary).toBe('healthy');
  });

  it.each([
    ['a broken string', sound.replace('<4861726265>', '<486q726265>')],
    ['a word that is no operator', sound.replace('Tj', 'Uj')],
    ['an operator without its operands', sound.replace('1 0 0 1 40', '1 0 0q1 40')],
  ])('is never healthy nor wholly repaired with %s', async (_, content) => {
    const { report } = await repairBytes(await document(content), 'file.pdf');
    expect(report.found.length).toBeGreaterThan(0);
    expect(report.verdict, report.summary).not.toBe('healthy');
    expect(report.verdict, report.summary).not.toBe('repaired');
  });

  it.each([
    ['pictures', 'q 9 0 0 9 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 ID (\u00ff<\u0001 EI Q'],
    ['pictures whose end stands right behind their data', 'q BI /W 2 /H 2 /CS /G /BPC 8 ID (\u00ff<\u0001EI Q'],
    ['operators of later versions in their section', 'BX 1 2 zz EX 0 g'],
    ['marked content with lists of properties', '/Span <</MCID 0 /Alt (a \\) b) /K [1 [2 true]]>> BDC EMC'],
    ['numbers as careless programs write them', '--5 .5 -.5 12- re 1e-5 w'],
    ['operands left over, and operators without a space', '1 2 3 g Qq % a comment (\nET'],
  ])('may hold %s', (_, content) => {
    expect(hasFlaw(Buffer.from(content, 'latin1'))).toBe(false);
  });

  it.each(['(abc Tj', '[(a) 5 Tj] TJ', '<</A 1 BDC', '5 ) Tj', 'BI /W 1 ID abc', '/F1 Tf', `${'['.repeat(5000)}`])(
    'breaks the syntax: %s',
    (content) => {
      expect(hasFlaw(Buffer.from(content, 'latin1'))).toBe(true);
    },
  );
});
