import { type Pdfjs, withPdfjs } from '../../host/pdfjs';
import type { Deadline } from '../../report';
import { addText, type Reading, type ReadLimits, unread } from './reading';

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
