import { createRequire, Module } from 'node:module';
import { pause } from './clocks';

/** The library. */
export type Pdfjs = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

/**
 * Loads pdf.js without the canvas that it would draw on, a native library of a gigabyte of address space: text is all that is read here.
 * pdf.js takes whatever stands under that name, and needs only the names of three classes.
 */
async function load(): Promise<Pdfjs> {
  const require = createRequire(import.meta.url);
  try {
    const path = createRequire(require.resolve('pdfjs-dist/package.json')).resolve('@napi-rs/canvas');
    if (!require.cache[path]) {
      const standIn = new Module(path);
      standIn.exports = { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} };
      standIn.loaded = true;
      require.cache[path] = standIn;
    }
  } catch {
    // It is not installed everywhere, and then pdf.js does without it itself.
  }
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}

/** Does something with pdf.js, whose promises about damaged objects must not end this process. */
export async function withPdfjs<T>(act: (pdfjs: Pdfjs) => Promise<T>): Promise<T> {
  process.on('unhandledRejection', ignoreReaderRejection);
  try {
    return await act(await load());
  } finally {
    // Promises that pdf.js leaves behind are rejected within the next turns of the event loop.
    await pause(5);
    process.off('unhandledRejection', ignoreReaderRejection);
  }
}

/** pdf.js leaves promises about damaged objects unhandled, which would end the process; anything else still does. */
function ignoreReaderRejection(reason: unknown): void {
  const name = (reason as Error | null)?.name ?? '';
  const stack = (reason as Error | null)?.stack ?? '';
  if (
    /^(?:XRef\w*|Format|InvalidPDF|MissingData|Parser\w*|Abort|Response|Password|Unknown\w*|Base)(?:Exception|Error)$/.test(
      name,
    )
  )
    return;
  if (stack.includes('pdfjs-dist')) return;
  throw reason;
}
