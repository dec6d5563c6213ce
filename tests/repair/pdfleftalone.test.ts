import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dataOf, rewrittenOf, withStreamsLeft } from '../../lib/repair/formats/pdf/leftalone';
import { type PdfObject, pdfDictionary, pdfName, pdfReference } from '../../lib/repair/formats/pdf/values';
import { deflate } from '../../lib/repair/host/packing';

/** Three pieces of content, of which the second reads worse once it was packed anew. */
function document() {
  const objects = ['first piece', 'second piece', 'third piece'].map(
    (text, index): PdfObject => ({
      number: index + 1,
      generation: 0,
      value: pdfDictionary({ Length: pdfName('none') }),
      stream: Buffer.from(text),
      offset: index * 100,
      flaws: [],
    }),
  );
  const data = dataOf(objects);
  const parts = {
    version: '1.7',
    objects,
    trailer: new Map([['Root', pdfReference(1)]]),
    showsText: true,
    isAnnotated: false,
  };
  const repaired = ['first piece is mended', 'sec', 'third piece is mended'];
  for (const [index, text] of repaired.entries()) {
    const object = objects[index];
    if (object?.value.kind !== 'dictionary') continue;
    object.stream = deflate(Buffer.from(text));
    object.value.entries.set('Filter', pdfName('FlateDecode'));
  }
  return { parts, data, rewritten: rewrittenOf(parts, data) };
}

/** Words of the pieces in a file, packed or not. */
function wordsIn(file: Buffer): string {
  const pieces = file.toString('latin1').matchAll(/\nstream\n([\s\S]*?)\nendstream/g);
  return Array.from(pieces, ([, piece = '']) => {
    const bytes = Buffer.from(piece, 'latin1');
    return bytes[0] === 0x78 ? inflateSync(bytes).toString('latin1') : piece;
  }).join('|');
}

const goneIn = async (file: Buffer) =>
  ['first', 'second', 'third'].filter((word) => !wordsIn(file).includes(word)).length;

describe('pieces of a PDF that readers make more of as they are', () => {
  it('are left alone, and no others', async () => {
    const { parts, rewritten } = document();
    expect(rewritten).toHaveLength(3);
    const isWorse = async (file: Buffer) => (await goneIn(file)) > 0;
    const left = await withStreamsLeft(parts, rewritten, { gone: 1, goneIn, isWorse });
    expect(left?.count).toBe(1);
    expect(wordsIn(left?.bytes ?? Buffer.alloc(0))).toBe('first piece is mended|second piece|third piece is mended');
  });

  it('do not hide that the whole is still worse', async () => {
    const { parts, rewritten } = document();
    expect(await withStreamsLeft(parts, rewritten, { gone: 1, goneIn, isWorse: async () => true })).toBeNull();
    expect(await withStreamsLeft(parts, rewritten, { gone: 0, goneIn, isWorse: async () => false })).toBeNull();
  });
});
