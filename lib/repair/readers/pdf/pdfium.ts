import type { PDFiumLibrary } from '@hyzyla/pdfium';
import type { Deadline } from '../../report';
import { addText, type Reading, type ReadLimits, unread } from './reading';

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
