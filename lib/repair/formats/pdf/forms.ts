import { LimitError } from '../../report';
import type { PdfModel } from './model';
import { inheritedValue } from './pages';
import { entriesOf, type PdfObject, type PdfValue, referenceOf } from './values';

/** Forms inside each other down to here are drawn without counting: no program nests them deeper by itself. */
const usualDepth = 6;
/** So many drawings of forms on one page are more than a reader gets through in its time and memory. */
const mostDrawings = 200_000;
/** How deep readers follow forms inside each other (pdfium). */
const readersDepth = 40;

/**
 * Throws LimitError when pages draw forms (ISO 32000-1, 8.10) that draw each other so often that a reader would be at it for ever, as
 * hostile files have it. A form among its own resources is usual; only what the content really draws counts.
 */
export function refuseEndlessForms(model: PdfModel, pages: readonly PdfObject[]): void {
  const children = new Map<PdfObject, PdfObject[]>();
  const formsOf = (resources: PdfValue | undefined): Map<string, PdfObject> => {
    const found = new Map<string, PdfObject>();
    for (const [name, value] of model.dictionary(model.dictionary(resources).get('XObject'))) {
      const form = model.objects.get(referenceOf(value) ?? -1);
      if (form?.stream && model.nameIn(form, 'Subtype') === 'Form') found.set(name, form);
    }
    return found;
  };
  const namedBy = (form: PdfObject) => formsOf(entriesOf(form.value).get('Resources'));
  const roots = new Set(pages.flatMap((page) => [...formsOf(inheritedValue(model, page, 'Resources')).values()]));
  if (![...roots].some((form) => reachesDeep(form, namedBy, usualDepth))) return;
  const drawnBy = (form: PdfObject): PdfObject[] => {
    const known = children.get(form);
    if (known) return known;
    const names = namedBy(form);
    const drawn: PdfObject[] = [];
    if (names.size > 0) {
      const text = model.decode(form).data.toString('latin1');
      for (const [, name = ''] of text.matchAll(/\/([^\s/<>[\](){}%]+)\s+Do\b/g)) {
        const child = names.get(name);
        if (child) drawn.push(child);
      }
    }
    children.set(form, drawn);
    return drawn;
  };
  // How often each form is drawn, level by level; cycles end where readers stop to follow them.
  let level = new Map<PdfObject, number>([...roots].map((form) => [form, 1]));
  let drawings = 0;
  for (let depth = 0; depth < readersDepth && level.size > 0; depth++) {
    const below = new Map<PdfObject, number>();
    for (const [form, times] of level)
      for (const child of drawnBy(form)) {
        drawings += times;
        below.set(child, (below.get(child) ?? 0) + times);
      }
    if (drawings > mostDrawings)
      throw new LimitError('The pages draw the same parts inside each other more often than this tool follows.');
    level = below;
  }
}

/** Whether forms name each other deeper than `depth`, or in a circle. */
function reachesDeep(
  form: PdfObject,
  namedBy: (form: PdfObject) => Map<string, PdfObject>,
  depth: number,
  seen: Set<PdfObject> = new Set(),
): boolean {
  if (depth === 0 || seen.has(form)) return true;
  const named = namedBy(form);
  if (named.size === 0) return false;
  seen.add(form);
  const isDeep = [...named.values()].some((child) => reachesDeep(child, namedBy, depth - 1, seen));
  seen.delete(form);
  return isDeep;
}
