import { counted } from '../../counted';
import type { Fact, Shown } from '../../facts/document';

/** For each kind of a table of figures, what is said of it. */
export type Words<Figures, Said> = { [K in keyof Figures]: (figures: Figures[K]) => Said };

/** What is said of one fact. The compiler does not see that a fact's figures are those of its own kind. */
export function said<Figures, Said>(words: Words<Figures, Said>, kind: keyof Figures, figures: Fact<Figures>): Said {
  return words[kind](figures as Figures[keyof Figures]);
}

export const isOrAre = (count: number) => (count === 1 ? 'is' : 'are');
export const wasOrWere = (count: number) => (count === 1 ? 'was' : 'were');

/** Pages and words as words of a sentence, joined by `and` or `with`. */
export function pagesInWords({ pages, words, texts }: Shown, joint: 'and' | 'with'): string {
  const where = pages > texts && texts > 0 ? ` on the first ${counted(texts, 'page')}` : '';
  return `${counted(pages, 'page')} ${joint} ${counted(words, 'word')}${where}`;
}

/** What a person calls a document of each format. */
export const kindWords: Readonly<Record<string, string>> = {
  docx: 'Word document',
  xlsx: 'Excel workbook',
  pptx: 'PowerPoint presentation',
  odt: 'OpenDocument text',
  ods: 'OpenDocument spreadsheet',
  odp: 'OpenDocument presentation',
  doc: 'Word document',
  xls: 'Excel workbook',
  ppt: 'PowerPoint presentation',
  pdf: 'PDF',
};
