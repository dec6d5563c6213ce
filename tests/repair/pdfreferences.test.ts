import { describe, expect, it } from 'vitest';
import { PdfLexer } from '@/lib/repair/formats/pdf/lexer';
import { entriesOf, referenceOf } from '@/lib/repair/formats/pdf/values';
import { Buffer } from '@/lib/repair/host/bytes';

const read = (text: string) => {
  const lexer = new PdfLexer(Buffer.from(text, 'latin1'));
  return { value: lexer.value().value, odd: lexer.odd };
};

describe('a reference of a PDF', () => {
  it.each(['941[0 R', '941x0 R', '94170 R', '941 ? R', '941 / R', '941 0\u00ffR', '941 0 K', '941 0 \u009f'])(
    'is told with one wrong byte behind its number: %s',
    (written) => {
      const { value, odd } = read(`<</F1 ${written}/F2 946 0 R\n>>`);
      expect([...entriesOf(value)].map(([key, one]) => [key, referenceOf(one)])).toEqual([
        ['F1', 941],
        ['F2', 946],
      ]);
      expect(odd).toBe(true);
    },
  );

  it('is told in a list', () => {
    const { value } = read('[807 0\u00faR 808 0 R]');
    expect(value.kind === 'array' && value.items.map(referenceOf)).toEqual([807, 808]);
  });

  it.each([
    '[941 0 5 0]',
    '[0 0 595 842]',
    '[941 0 /R]',
    '[941(0 R )]',
    '[28 0 R /XYZ 73 68 0]',
    '[1 0 (K)]',
    '[941 0]',
  ])('is not made of what stands beside others: %s', (written) => expect(read(written).odd).toBe(false));

  it('is not made of operators and their numbers', () => {
    const lexer = new PdfLexer(Buffer.from('941 0 m 10 0 l'));
    expect(lexer.value().value).toMatchObject({ kind: 'number', value: 941 });
  });
});
