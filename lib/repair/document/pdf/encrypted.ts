import { counted, type Draft, type EngineJob } from '../../report';
import { PdfModel } from './model';
import { collectPages, hasAnnotations, rebuildTree } from './pages';
import type { PdfScan } from './scan';
import { type Rebuilt, writeDocument } from './serialize';
import { entriesOf, nameOf, numberOf, type PdfObject, type PdfValue, pdfName, pdfReference } from './values';

/** Kinds of damage to what leads to the content, not to the content itself. */
const around = new Set(['head', 'end', 'trailer', 'table', 'pages', 'textmode']);

/**
 * An encrypted file keeps its objects as they are: their content depends on their numbers and cannot be read here. What leads to them is
 * not encrypted (7.6.1), and is rebuilt like that of any other.
 */
export function rebuildEncrypted(job: EngineJob, scan: PdfScan, draft: Draft): Rebuilt | null {
  const trailer = new Map<string, PdfValue>();
  for (const found of scan.trailers)
    for (const key of ['Info', 'ID', 'Encrypt']) if (found.has(key)) trailer.set(key, found.get(key) ?? pdfName(key));
  const model = new PdfModel(scan, job);
  const root = model.catalogue();
  const list = collectPages(model, root, true);
  if (list.pages.length === 0 || !trailer.has('Encrypt')) return null;
  // Up to AES of 128 bits the key is made from the identifier too (algorithm 2).
  const revision = numberOf(model.resolve(model.dictionary(trailer.get('Encrypt')).get('R'))) ?? 0;
  if (!trailer.has('ID') && revision < 5) {
    draft.note(
      'The file is encrypted, and the identifier that its key is made from was lost with the end of the file.',
    );
    return null;
  }
  const catalogue = list.complete && root ? root : rebuildTree(model, root, list.pages);
  trailer.set('Root', pdfReference(catalogue.number, catalogue.generation));
  if (list.missing > 0)
    draft.lost.push({ unit: 'pages', count: list.missing, detail: 'named in the list of pages, but not in the file' });
  draft.step(
    'Rebuild table',
    `The table of objects was rebuilt from the ${counted(scan.objects.size, 'object')} found.`,
  );
  const isTorn = [...scan.objects.values()].some(({ flaws }) => flaws.length > 0);
  if (isTorn || draft.found.some(({ kind }) => !around.has(kind)))
    draft.lost.push({
      unit: 'checks',
      count: 1,
      detail: 'of the packed content, which is encrypted: parts of it may be damaged',
    });
  const bytes = writeDocument('1.7', [...scan.objects.values()].filter(isContentObject), trailer);
  return { bytes, showsText: false, isAnnotated: list.pages.some((page) => hasAnnotations(model, page)) };
}

function isContentObject(object: PdfObject): boolean {
  const type = nameOf(entriesOf(object.value).get('Type'));
  return type !== 'XRef';
}
