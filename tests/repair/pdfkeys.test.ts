import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { onePage, pdfOf, streamOf } from './support/pdfwriter';
import { repairBytes } from './support/run';

const content = 'q 100 0 0 100 50 50 cm /Im0 Do Q BT /F1 12 Tf 50 700 Td (All letters of the coffee committee) Tj ET';
const picture = streamOf(
  'abcdefghijkl',
  '/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceRGB/BitsPerComponent 8',
);
const widths = Array.from({ length: 95 }, (_, index) => 400 + index).join(' ');

/** A page with a picture, and a font with its own widths. */
function whole(): string[] {
  const bodies = onePage(content, '/XObject<</Im0 6 0 R>>', [picture]);
  bodies[3] = `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 126/Widths[${widths}]/Encoding/WinAnsiEncoding>>`;
  return bodies;
}

describe('an entry of a PDF that is named with a wrong letter', () => {
  it.each([
    ['/Height 2', '/Hfight 2'],
    ['/ColorSpace', '/ColnrSpace'],
    ['/BitsPerComponent', '/BitrPerComponent'],
    ['/Widths', '/Wjdths'],
    ['/BaseFont', '/BaseFonu'],
    ['/Encoding', '/Fncoding'],
    ['/XObject<<', '/XObjecu<<'],
  ])('is called as readers look for it: %s', async (right, wrong) => {
    const bytes = Buffer.from(pdfOf(whole()).toString('latin1').replace(right, wrong), 'latin1');
    const { report, output } = await repairBytes(bytes, 'keys.pdf');
    expect(report.found.map(({ detail }) => detail).join()).toContain('named with a wrong letter');
    expect(report.verdict).toBe('repaired');
    expect(output?.toString('latin1')).toContain(right.replace(/ 2$|<<$/, ''));
    expect(output?.toString('latin1')).not.toContain(wrong.replace(/ 2$|<<$/, ''));
  });

  it('is left as it is where its right name stands beside it, or where it is of a program’s own', async () => {
    const bodies = whole();
    bodies[3] = bodies[3]?.replace('/Widths', '/Wjdths 5/Widths') ?? '';
    bodies[2] = bodies[2]?.replace('/Type/Page', '/Type/Page/MyContents 7/PTEX.Info 3') ?? '';
    const { report } = await repairBytes(pdfOf(bodies), 'keys.pdf');
    expect(report).toMatchObject({ verdict: 'healthy', found: [] });
  });
});

it.each(['451 4\xb52 453', '451`452 453'])(
  'a number of a list that a wrong bit made none is read as the only one it can have been: %s',
  async (wrong) => {
    const bodies = whole();
    bodies[3] = bodies[3]?.replace('451 452 453', wrong) ?? '';
    const { report, output } = await repairBytes(pdfOf(bodies), 'widths.pdf');
    expect(report.verdict).toBe('repaired');
    expect(output?.toString('latin1')).toContain('450 451 452 453');
  },
);

it.each(['BaseFont', 'Filter'])(
  'an entry of an encrypted PDF is called as readers look for it, too: %s',
  async (right) => {
    const wrong = `${right.slice(0, -1)}~`;
    const whole = readFileSync('tests/repair/fixtures/pdf-locked-aes-128.pdf');
    const text = whole.toString('latin1');
    const bytes = Buffer.from(text.replace(`/${right}`, `/${wrong}`), 'latin1');
    expect(bytes.equals(whole)).toBe(false);
    const { report, output } = await repairBytes(bytes, 'locked.pdf');
    expect(report.found.map(({ detail }) => detail).join()).toContain('named with a wrong letter');
    expect(output?.toString('latin1')).not.toContain(`/${wrong}`);
  },
);
