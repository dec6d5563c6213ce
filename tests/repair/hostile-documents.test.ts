import { afterEach, expect, it, vi } from 'vitest';
import { withoutDebris } from '../../lib/repair/formats/ooxml/debris';
import { learnGrammar } from '../../lib/repair/formats/ooxml/grammar';
import { mendXml } from '../../lib/repair/formats/ooxml/mend';
import { isPlainXml } from '../../lib/repair/formats/ooxml/plain';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The same bytes, and how often single ones of them were read. */
function counted(bytes: Buffer): { bytes: Buffer; reads: () => number } {
  let reads = 0;
  const proxy = new Proxy(bytes, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { bytes: proxy, reads: () => reads };
}

it('leaves tags of more attributes than plain XML has to the parser that holds each against a table', () => {
  const list = (count: number) => Array.from({ length: count }, (_, index) => `a${100_000 + index}="1"`).join(' ');
  const many = counted(Buffer.from(`<p ${list(3000)}/>`));
  expect(isPlainXml(many.bytes, 10)).toBe(false);
  const few = counted(Buffer.from(`<p ${list(100)}/>`));
  expect(isPlainXml(few.bytes, 10)).toBe(true);
  expect(many.reads()).toBeLessThan(20 * few.reads());
});

it.each([
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
  ['<?a ', '?>'],
])('looks once for the end of %s where none is left', (begins, ends) => {
  const find = vi.spyOn(String.prototype, 'indexOf');
  mendXml(`<p>${begins.repeat(500)}</p>`, 10, learnGrammar([]), null);
  expect(find.mock.calls.filter(([what]) => what === ends)).toHaveLength(1);
});

it('takes a long run of letters for text without trying each of them as a beginning of markup', () => {
  const run = `${'x1'.repeat(1_500_000)}`;
  const prefixes = new Map([['w', 1]]);
  expect(withoutDebris(`${run} = ${run} w:val="5" >`, prefixes).trim()).toBe(`${run} = ${run}`);
  expect(withoutDebris('so w:rPr w:val="on"/> it', prefixes).split(/\s+/)).toEqual(['so', 'it']);
});
