import { contentsOf } from './fontuses';
import type { PdfModel } from './model';
import { inheritedValue } from './pages';
import { entriesOf, type PdfDictionary, type PdfObject, pdfDictionary } from './values';

/** The choice of a state of graphics by its name (ISO 32000-1, 8.4.5). */
const chosenState = /\/([^\s/<>[\](){}%]+)\s+gs\b/g;
/** Names on one page beyond which content is no document's. */
const mostNames = 1000;

/** Gives states of graphics that pages choose, and that are gone, an entry that changes nothing: strict readers complain of each that is missing. */
export function nameStates(model: PdfModel, pages: readonly PdfObject[]): void {
  const chosenIn = new Map<PdfObject, Set<string>>();
  for (const page of pages) {
    model.job.deadline.check();
    const names = new Set<string>();
    for (const content of new Set(contentsOf(model, page))) {
      const known = chosenIn.get(content) ?? namesIn(model, content);
      chosenIn.set(content, known);
      for (const name of known) names.add(name);
    }
    if (names.size === 0 || names.size > mostNames) continue;
    const states = statesOf(model, page);
    for (const name of names) if (!states.has(name)) states.set(name, pdfDictionary({}));
  }
}

/** The states that content chooses; what was written anew is not read again, as it chooses no others. */
function namesIn(model: PdfModel, content: PdfObject): Set<string> {
  const { data, supported } = model.decode(content);
  return new Set(supported ? Array.from(data.toString('latin1').matchAll(chosenState), ([, name = '']) => name) : []);
}

/** The page's own table of states, made where there is none. */
function statesOf(model: PdfModel, page: PdfObject): PdfDictionary {
  const resources = model.dictionary(inheritedValue(model, page, 'Resources'));
  const states = model.resolve(resources.get('ExtGState'));
  if (states?.kind === 'dictionary') return states.entries;
  const made = pdfDictionary({});
  if (resources.size === 0 && !entriesOf(page.value).has('Resources'))
    entriesOf(page.value).set('Resources', pdfDictionary({ ExtGState: made }));
  else resources.set('ExtGState', made);
  return entriesOf(made);
}
