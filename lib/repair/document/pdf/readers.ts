import type { PDFiumLibrary } from '@hyzyla/pdfium';
import { eachWord } from '../../core/words';
import { type Pdfjs, withPdfjs } from '../../host/pdfjs';
import type { Deadline } from '../../report';

/** What an independent reader sees in a PDF, `bag` being the words of the first `texts` pages with their counts and `failed` the pages that it cannot load. `protected` when it asks for a password; null pages when it cannot open the file. */
export type Reading = {
  pages: number | null;
  texts: number;
  words: number;
  drawings: number;
  protected: boolean;
  failed: number;
  bag: Map<string, number>;
};

/** What a reader sees that cannot open the file. */
export const unread = (): Reading => ({
  pages: null,
  texts: 0,
  words: 0,
  drawings: 0,
  protected: false,
  failed: 0,
  bag: new Map(),
});

function addText(reading: Reading, text: string): void {
  eachWord(text, (word) => {
    reading.words++;
    reading.bag.set(word, (reading.bag.get(word) ?? 0) + 1);
  });
}

/**
 * Whether text that the same reader found before is gone afterwards without other text in its stead. Garbled text that came right counts
 * as both; short words do not count, as garbled text is full of them.
 */
export function losesText(before: Reading, after: Reading): boolean {
  const missing = (from: Reading, to: Reading) => {
    let sum = 0;
    for (const [word, count] of from.bag) if (word.length > 3) sum += Math.max(0, count - (to.bag.get(word) ?? 0));
    return sum;
  };
  return missing(before, after) > missing(after, before) * 1.5 + 2;
}

/** How much a reader reads: text of the first pages, until there are enough words, and how many of the others it loads. */
export type ReadLimits = { texts: number; words: number; others: number };

/** What is enough to see whether text was lost: every page of most documents, and the same share of a book before and after. */
export const readLimits = {
  pdfium: { texts: 300, words: 40_000, others: 150 },
  /** The second opinion takes twenty times as long. */
  pdfjs: { texts: 40, words: 20_000, others: 0 },
} satisfies Record<string, ReadLimits>;

/** More words than these on the pages that are read have no document, but a bomb has. */
export const mostWords = 1_000_000;

let library: Promise<PDFiumLibrary> | undefined;

function loadPdfium(): Promise<PDFiumLibrary> {
  library ??= import('@hyzyla/pdfium').then(({ PDFiumLibrary }) => PDFiumLibrary.init());
  return library;
}

/** Pages that are drawn to see whether anything is to be seen, and their size, in pixels. */
const drawn = { pages: 20, width: 240, height: 240 };

/** Whether a page of a PDF that holds no word shows anything, drawn by pdfium. */
export async function showsAnything(bytes: Uint8Array, deadline: Deadline): Promise<boolean> {
  const pdfium = await loadPdfium();
  const document = await pdfium.loadDocument(bytes).catch(() => null);
  if (!document) return false;
  try {
    const pages = Math.min(document.getPageCount(), drawn.pages);
    for (let index = 0; index < pages; index++) {
      deadline.check();
      const { width, height } = drawn;
      try {
        const { data } = await document
          .getPage(index)
          .render({ width, height, render: 'bitmap', renderFormFields: true });
        if (data.some((sample) => sample !== data[0] && sample !== 255)) return true;
      } catch {
        // A page that cannot be drawn shows nothing.
      }
    }
    return false;
  } finally {
    document.destroy();
  }
}

/** Opens a PDF with pdfium and counts pages, words and drawn objects. Of the pages without text that counts, those loaded lie evenly among the rest. */
export async function readWithPdfium(bytes: Uint8Array, limits: ReadLimits, deadline: Deadline): Promise<Reading> {
  const pdfium = await loadPdfium();
  let document: Awaited<ReturnType<PDFiumLibrary['loadDocument']>>;
  try {
    document = await pdfium.loadDocument(bytes);
  } catch (error) {
    return { ...unread(), protected: /password|security/i.test(String(error)) };
  }
  try {
    const pages = document.getPageCount();
    const reading: Reading = { ...unread(), pages };
    let stride = 1;
    for (let index = 0; index < pages; index += stride) {
      deadline.check();
      const isText = index === reading.texts && index < limits.texts && reading.words < limits.words;
      if (isText) reading.texts++;
      else if (index === reading.texts) stride = Math.max(1, Math.ceil((pages - index) / limits.others));
      try {
        const page = document.getPage(index);
        if (isText) addText(reading, page.getText());
        reading.drawings += page.getObjectCount();
      } catch {
        // A page that cannot be loaded has no words; the others still count.
        reading.failed++;
      }
    }
    return reading;
  } finally {
    document.destroy();
  }
}

/** Opens a PDF with pdf.js and counts pages and words. */
export function readWithPdfjs(bytes: Uint8Array, limits: ReadLimits, deadline: Deadline): Promise<Reading> {
  return withPdfjs((pdfjs) => readPages(pdfjs, bytes, limits, deadline));
}

async function readPages(pdfjs: Pdfjs, bytes: Uint8Array, limits: ReadLimits, deadline: Deadline): Promise<Reading> {
  const task = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
  });
  try {
    const document = await task.promise;
    const reading: Reading = { ...unread(), pages: document.numPages };
    const most = Math.min(document.numPages, limits.texts);
    while (reading.texts < most && reading.words < limits.words) {
      deadline.check();
      reading.texts++;
      try {
        const content = await (await document.getPage(reading.texts)).getTextContent();
        const text = content.items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
        addText(reading, text);
      } catch {
        // The same: one bad page does not hide the others.
      }
    }
    return reading;
  } catch (error) {
    if ((error as Error).name === 'LimitError') throw error;
    return { ...unread(), protected: (error as Error).name === 'PasswordException' };
  } finally {
    await task.destroy();
  }
}
