import { contentsOf } from './fontuses';
import type { PdfModel } from './model';
import { orphanContents } from './pagecontent';
import { hasAnnotations, hollowPages } from './pages';
import { type PdfObject, referencedNumbers } from './values';
import { isFirstVersion } from './versions';

/**
 * A page that lost its content, and that content: it alone is led to by nothing, and one page alone has none, or stands with that of
 * another one. Where there are more pages, the order of the numbers of their contents must say which page it is of, and that it is of one;
 * null where any of this does not hold.
 */
export function loneContent(
  model: PdfModel,
  pages: readonly PdfObject[],
): { page: PdfObject; content: PdfObject; isDoubled: boolean } | null {
  const hollow = hollowPages(model, pages);
  if (hollow.length > 1 || (hollow[0] && hasAnnotations(model, hollow[0]))) return null;
  const contents = pages.map((page) => contentsOf(model, page));
  const able = hollow.length === 1 ? hollow : sharing(pages, contents);
  if (able.length === 0 || !isFirstVersion(model.job.bytes, model.objects)) return null;
  const [content, ...more] = orphanContents(model, pages, 2);
  const isLedTo = () =>
    referencedNumbers([...model.objects.values()].map(({ value }) => value)).has(content?.number ?? -1);
  if (!content || more.length > 0 || isLedTo()) return null;
  const numbers = contents.map(([first]) => first?.number);
  const [page, ...others] = able.filter((one) => isInOrder(numbers, pages.indexOf(one), content.number));
  return page && others.length === 0 ? { page, content, isDoubled: hollow.length === 0 } : null;
}

/** The two pages that have the same stream for all of their content, where no others do. */
function sharing(pages: readonly PdfObject[], contents: readonly (readonly PdfObject[])[]): PdfObject[] {
  const owners = new Map<PdfObject, PdfObject[]>();
  for (const [index, page] of pages.entries()) {
    const [only, ...more] = contents[index] ?? [];
    if (only && more.length === 0) owners.set(only, [...(owners.get(only) ?? []), page]);
  }
  const shared = [...owners.values()].filter((list) => list.length > 1);
  return shared.length === 1 && shared[0]?.length === 2 ? shared[0] : [];
}

/** Pages whose numbers of contents must rise, or fall, from one to the next, before they tell where one belongs. */
const enoughPages = 3;

/** Whether the numbers of contents rise, or fall, from page to page once one of them is another one; a page alone needs none. */
function isInOrder(numbers: readonly (number | undefined)[], index: number, number: number): boolean {
  if (numbers.length === 1) return true;
  const all = numbers.with(index, number);
  const isOrdered = (way: number) =>
    all.every((one, at) => at === 0 || (one !== undefined && (one - (all[at - 1] ?? one)) * way > 0));
  return numbers.length >= enoughPages && (isOrdered(1) || isOrdered(-1));
}
