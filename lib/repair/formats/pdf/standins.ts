import { Buffer } from '../../host/bytes';
import { type Advance, fitWidths } from './advances';
import type { CodeMap } from './codemaps';
import type { PdfModel } from './model';
import { standardWidths } from './standardwidths';
import { type PdfObject, type PdfValue, pdfArray, pdfDictionary, pdfName, pdfNumber, pdfReference } from './values';

/** The first and the last character of ASCII that is printed. */
const [space, tilde] = [0x20, 0x7e];

/** The width of signs that are not in the table: that of a figure. */
const usualWidth = 556;

/** The width of a text in Helvetica; letters with marks are as wide as without. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text.normalize('NFD').replace(/\p{M}/gu, '')) {
    const code = letter.charCodeAt(0);
    width += code >= space && code <= tilde ? (standardWidths.Helvetica?.[code - space] ?? usualWidth) : usualWidth;
  }
  return width || usualWidth;
}

/** Names of the glyphs of ASCII that are no letters (Adobe Glyph List), from the space on and behind each run of letters. */
const signs = new Map(
  [
    [
      0x20,
      'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash',
    ],
    [0x30, 'zero one two three four five six seven eight nine colon semicolon less equal greater question at'],
    [0x5b, 'bracketleft backslash bracketright asciicircum underscore grave'],
    [0x7b, 'braceleft bar braceright asciitilde'],
  ].flatMap(([first, names]) =>
    String(names)
      .split(' ')
      .map((name, index): [string, string] => [String.fromCharCode(Number(first) + index), name]),
  ),
);

/** The name of the glyph of a text: of one letter, or by its units where there is no other (Adobe Glyph List Specification, 2). */
function glyphName(text: string): string {
  if (/^[A-Za-z]$/.test(text)) return text;
  const hex = Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0'),
  );
  return signs.get(text) ?? `uni${hex.join('')}`;
}

/**
 * A font around a code map that lost its own: its glyphs are Helvetica's, as wide as the places of what stands behind them tell, and its
 * text is right. Readers set letters that have no width on top of each other, and take gaps for the ends of words.
 */
export function standInFont(
  model: PdfModel,
  map: CodeMap,
  stream: PdfObject,
  advances: readonly Advance[] = [],
): PdfObject {
  const codes = [...map.texts].filter(([code]) => code < 1 << (8 * map.width)).sort(([left], [right]) => left - right);
  const widths = new Map(codes.map(([code, text]) => [code, widthOf(text)]));
  fitWidths(map, advances, widths);
  const glyphs = codes.map(
    ([code, text]): Glyph => ({ code, text, width: Math.round(widths.get(code) ?? usualWidth) }),
  );
  return map.width === 1 ? simpleFont(model, glyphs, stream) : compositeFont(model, glyphs, stream);
}

/** A glyph by its code; its width in thousandths of the font size. */
type Glyph = { code: number; text: string; width: number };

/** A simple font (ISO 32000-1, 9.6.2), which names the glyph of each code. */
function simpleFont(model: PdfModel, glyphs: readonly Glyph[], stream: PdfObject): PdfObject {
  const known = new Map(glyphs.map(({ code, width }) => [code, width]));
  const [first, last] = [glyphs[0]?.code ?? 0, glyphs.at(-1)?.code ?? 0];
  const widths = Array.from({ length: last - first + 1 }, (_, index) => known.get(first + index) ?? usualWidth);
  const differences = glyphs.flatMap(({ code, text }): PdfValue[] => [pdfNumber(code), pdfName(glyphName(text))]);
  const encoding = pdfDictionary({
    Type: pdfName('Encoding'),
    BaseEncoding: pdfName('WinAnsiEncoding'),
    Differences: pdfArray(differences),
  });
  return model.add(
    pdfDictionary({
      Type: pdfName('Font'),
      Subtype: pdfName('Type1'),
      BaseFont: pdfName('Helvetica'),
      Encoding: encoding,
      FirstChar: pdfNumber(first),
      LastChar: pdfNumber(last),
      Widths: pdfArray(widths.map((width) => pdfNumber(width))),
      FontDescriptor: pdfReference(descriptorOf(model).number),
      ToUnicode: pdfReference(stream.number),
    }),
  );
}

/** A composite font (ISO 32000-1, 9.7), whose codes are numbers of glyphs. */
function compositeFont(model: PdfModel, glyphs: readonly Glyph[], stream: PdfObject): PdfObject {
  const system = pdfDictionary({
    Registry: { kind: 'string', raw: Buffer.from('(Adobe)') },
    Ordering: { kind: 'string', raw: Buffer.from('(Identity)') },
    Supplement: pdfNumber(0),
  });
  const widths = glyphs.flatMap(({ code, width }) => [pdfNumber(code), pdfArray([pdfNumber(width)])]);
  const below = model.add(
    pdfDictionary({
      Type: pdfName('Font'),
      Subtype: pdfName('CIDFontType2'),
      BaseFont: pdfName('Helvetica'),
      CIDSystemInfo: system,
      FontDescriptor: pdfReference(descriptorOf(model).number),
      DW: pdfNumber(usualWidth),
      W: pdfArray(widths),
    }),
  );
  return model.add(
    pdfDictionary({
      Type: pdfName('Font'),
      Subtype: pdfName('Type0'),
      BaseFont: pdfName('Helvetica'),
      Encoding: pdfName('Identity-H'),
      DescendantFonts: pdfArray([pdfReference(below.number)]),
      ToUnicode: pdfReference(stream.number),
    }),
  );
}

/** A descriptor with Helvetica's measures (ISO 32000-1, 9.8), also of a font of another name that lost its own. */
export const descriptorOf = (model: PdfModel, name = 'Helvetica'): PdfObject =>
  model.add(
    pdfDictionary({
      Type: pdfName('FontDescriptor'),
      FontName: pdfName(name),
      Flags: pdfNumber(32),
      FontBBox: pdfArray([-166, -225, 1000, 931].map((edge) => pdfNumber(edge))),
      ItalicAngle: pdfNumber(0),
      Ascent: pdfNumber(718),
      Descent: pdfNumber(-207),
      CapHeight: pdfNumber(718),
      StemV: pdfNumber(88),
    }),
  );
