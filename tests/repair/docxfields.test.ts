import { describe, expect, it } from 'vitest';
import { lostByte } from '../../lib/repair/core/flips/likeness';
import { withoutInstructions } from '../../lib/repair/formats/ooxml/fields';
import { fillMarkup } from '../../lib/repair/formats/ooxml/fill';
import { Effort } from '../../lib/repair/report';
import { mendBody } from './support/mend-body';

const lost = '\ufffd\ufffd';
const wordsOf = (xml: string) => xml.replace(/<[^<>]*>/g, ' ').match(/[\w"\\]+/g);

describe('instructions of fields that lost their tags', () => {
  it.each([
    ['HYPERLINK "https://a.example/x.1.html" \\h '],
    ['HYPERLINK \\l "_Toc98000000"'],
    ['HYPERLINK &quot;https://a.example/x.1.html&quot; \\h '],
    ['PAGEREF _Toc98000001 \\h '],
    ['SEQ Figure \\* ARABIC '],
    ['REF _Ref4711 \\h \\* MERGEFORMAT'],
    ['TOC \\o "1-3" \\h \\z \\u'],
  ])('are no text: %s', (instruction) => {
    const run = `<w:r><w:t>river</w:t></w:r><w:r><w:ins${lost} ${instruction}</w:r><w:r><w:t>stone</w:t></w:r>`;
    expect(wordsOf(mendBody(`<w:p>${run}</w:p>`))).toEqual(['river', 'stone']);
    const within = `<w:r><w:t>river ${lost}${lost} ${instruction} stone</w:t></w:r>`;
    expect(wordsOf(mendBody(`<w:p>${within}</w:p>`))).toEqual(['river', 'stone']);
  });

  it('stay in the elements that are for them, and in text before any damage', () => {
    const instruction = ' HYPERLINK "https://a.example/" \\h ';
    const field = `<w:r><w:instrText>${instruction}</w:instrText></w:r>`;
    expect(mendBody(`<w:p><w:r><w:t>${lost}</w:t></w:r>${field}</w:p>`)).toContain(field);
    expect(mendBody(`<w:p><w:r><w:t>Type${instruction}</w:t></w:r></w:p>`)).toContain(`Type${instruction}`);
  });

  it('are told from prose and from code', () => {
    for (const text of [
      'the PAGE and TIME of day, "quoted" in C:\\home',
      'REF 12 and SEQ 3',
      'echo "abc" \\n and _Toc',
    ])
      expect(withoutInstructions(text)).toBe(text);
  });
});

describe('unknown bytes of a document with addresses in it', () => {
  it('are not told by these', () => {
    const links = ['git', 'tar', 'sed', 'awk', 'tmux'].map(
      (name) => `<Relationship Id="${name}" Target="https://a.example.org/${name}.1.html" TargetMode="External"/>`,
    );
    const text = 'see example.org/git.??html" Ta';
    const bytes = Buffer.from(text);
    for (const [at, letter] of [...text].entries()) if (letter === '?') bytes[at] = lostByte;
    const before = Buffer.from(bytes);
    const sources = Int32Array.from(bytes.keys());
    fillMarkup({ text: bytes, sources }, [Buffer.from(links.join(''))], new Effort(1000));
    expect(bytes.equals(before)).toBe(true);
  });

  it('are no markup where the text that they were copied to tells otherwise', () => {
    const tags = '<w:b w:val="1"><w:i/></w:b>';
    const filled = (beside: string) => {
      const text = `${tags.repeat(700)} ${beside} ${'<w:b w:val="1"?<w:i/></w:b> '.repeat(3)}`;
      const bytes = Buffer.from(text);
      const places = [...text].flatMap((letter, at) => (letter === '?' ? [at] : []));
      for (const at of places) bytes[at] = lostByte;
      const sources = Int32Array.from(bytes.keys(), (at) => (places.includes(at) ? (places[0] ?? at) : at));
      fillMarkup({ text: bytes, sources }, [], new Effort(1e6));
      return places.map((at) => bytes[at]);
    };
    expect(filled('<w:b w:val="1"?<w:i/>')).toEqual([0x3e, 0x3e, 0x3e, 0x3e]);
    expect(filled('river?stone '.repeat(4))).toEqual(Array.from({ length: 7 }, () => lostByte));
  });

  it('are told by words where three places say the same, and never by one', () => {
    const words = 'the harbour wall and the harbour gate near the harbour house ';
    const filled = (holes: number) => {
      const lostOnes = 'old by the harb??r wall town '.repeat(holes);
      const text = `<w:t>${words.repeat(400)}${lostOnes}</w:t>`;
      const bytes = Buffer.from(text);
      const places = [...text].flatMap((letter, at) => (letter === '?' ? [at] : []));
      for (const at of places) bytes[at] = lostByte;
      const [first = 0, second = 0] = places;
      const sources = Int32Array.from(bytes.keys(), (at) =>
        places.includes(at) ? (places.indexOf(at) % 2 === 0 ? first : second) : at,
      );
      fillMarkup({ text: bytes, sources }, [], new Effort(1e6));
      return bytes.toString('latin1').includes('old by the harbour wall town');
    };
    expect(filled(3)).toBe(true);
    expect(filled(1)).toBe(false);
  });
});
