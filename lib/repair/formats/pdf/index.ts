import { type DocumentFormat, documents } from '../../families/document';
import { beginsAs } from '../foreign';
import { examinePdf, type PdfKnown } from './examine';
import { measurePdf } from './measure';
import { rebuildPdf, verifyPdf } from './rebuild';
import type { PdfParts } from './serialize';

/** Portable Document Format (ISO 32000-1). */
export const pdf: DocumentFormat<PdfParts | null, PdfKnown> = {
  ids: ['pdf'],
  family: documents(),
  recognise: (head) => (beginsAs('pdf', head) ? 'pdf' : null),
  examine: examinePdf,
  rebuild: rebuildPdf,
  verify: verifyPdf,
  measure: measurePdf,
};
