import { expect, it } from 'vitest';
import { paragraphsOf, usualWords } from '../../lib/cli/letter-tables.mjs';
import { trigramTable } from '../../lib/cli/trigrams.mjs';
import { readTable } from '../../lib/repair/formats/pdf/cipher/anneal';
import { english } from '../../lib/repair/formats/pdf/cipher/english';
import { german } from '../../lib/repair/formats/pdf/cipher/german';

const size = 27;
const letter = (one: string) => (one === '' ? 0 : one.charCodeAt(0) - 96);
const place = (one: string, two: string, three: string) => (letter(one) * size + letter(two)) * size + letter(three);
/** The share that a cost stands for; the dearest one stands for none. */
const shareOf = (cost: number) => (cost === 63 ? 0 : Math.exp(-cost / 6.3));

it('a table tells which letters stand behind two others, in parts of a natural unit', () => {
  const table = readTable(trigramTable('cat car can'));
  expect(table.length).toBe(size ** 3);
  // Every word begins with c: that costs nothing. Behind ca there are t, r and n, one in three each.
  expect(table[place('', '', 'c')]).toBe(0);
  for (const third of ['t', 'r', 'n']) expect(table[place('c', 'a', third)]).toBe(Math.round(Math.log(3) * 6.3));
  expect(table[place('c', 'a', 'b')]).toBe(63);
});

it('a pair that is not met leans on its second letter, and letters with marks on their stand-ins', () => {
  const table = readTable(trigramTable('über', 'qü'));
  expect(table[place('', '', 'q')]).toBe(0);
  expect(table[place('z', 'q', 'b')]).toBe(table[place('', 'q', 'b')]);
  expect(readTable(trigramTable('über'))[place('', '', 'u')]).toBe(0);
});

it.each([english, german])(
  'what stands behind two letters adds up to all there is, in the tables that are used',
  (text) => {
    const table = readTable(text);
    expect(table.length).toBe(size ** 3);
    for (let pair = 0; pair < size * size; pair++) {
      const sum = table.subarray(pair * size, (pair + 1) * size).reduce((all, cost) => all + shareOf(cost), 0);
      expect(Math.abs(sum - 1)).toBeLessThan(0.12);
    }
  },
);

it('the words of a handbook are those of its prose that stand there more than once', () => {
  const html = `<script>let words = 'code code'</script><p>The <b>harbour</b> &amp; the quay.</p><pre>quay quay</pre>
    <li>The quay of USB&#x2019;s harbour</li>`;
  expect(paragraphsOf(html)).toEqual(['The harbour & the quay.', 'The quay of USB’s harbour']);
  expect(usualWords(paragraphsOf(html), 2)).toEqual(['the', 'harbour', 'quay']);
  expect(usualWords(paragraphsOf(html), 1, 2)).toEqual(['the', 'harbour']);
});
