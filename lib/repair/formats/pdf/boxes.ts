import { contentsOf } from './fontuses';
import type { PdfModel } from './model';
import { boxOf, inheritedValue } from './pages';
import { entriesOf, numberOf, type PdfObject, type PdfValue, pdfArray, pdfNumber } from './values';

/** Sides of a page in units (ISO 32000-1, annex C.2): smaller and larger ones should not be. */
const sides = { least: 3, most: 14_400 };

/** A page whose size is none, or other than the rest of the document tells, and the size to give it; a guess unless `isProven`, and null where nothing tells it. */
export type Resized = { page: PdfObject; box: PdfValue | null; isProven: boolean };

/** The edges of a rectangle (7.9.5); null for anything else, and where it has no area. */
function edgesOf(model: PdfModel, value: PdfValue | undefined): number[] | null {
  const list = model.resolve(value);
  if (list?.kind !== 'array') return null;
  const edges = list.items.slice(0, 4).map((item) => numberOf(model.resolve(item)) ?? Number.NaN);
  const [left = 0, bottom = 0, right = 0, top = 0] = edges;
  return edges.length === 4 && edges.every(Number.isFinite) && left !== right && bottom !== top ? edges : null;
}

/** Whether a page has a side that none should have, or all of it left of and below the place where drawing begins. */
function isOdd([left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): boolean {
  const lengths = [Math.abs(right - left), Math.abs(top - bottom)];
  const isBehind = left === 0 && bottom === 0 && right < 0 && top < 0;
  return isBehind || lengths.some((length) => length < sides.least || length > sides.most);
}

/** The size that all pages have that have one; null where they have none, or several. */
function commonOf(all: readonly (readonly number[] | null)[]): { edges: readonly number[]; pages: number } | null {
  const sound = all.filter((edges) => edges !== null && !isOdd(edges)) as (readonly number[])[];
  const [first] = sound;
  if (!first?.every((edge, at) => sound.every((edges) => edges[at] === edge))) return null;
  return { edges: first, pages: sound.length };
}

/** Whether the numbers that are left of a size are those of another one, but for one. */
function agrees(model: PdfModel, value: PdfValue | undefined, edges: readonly number[]): boolean {
  const list = model.resolve(value);
  if (list?.kind !== 'array' || list.items.length > 4) return false;
  const left = list.items.map((item) => numberOf(model.resolve(item)));
  const isSame = (at: number, index: number) => left[at] === edges[index];
  if (left.length === 4) return edges.filter((_, at) => isSame(at, at)).length >= 3;
  let at = 0;
  for (const index of edges.keys()) if (isSame(at, index)) at++;
  return left.length === 3 && at === left.length;
}

/**
 * Pages whose size (MediaBox, 7.7.3.3) is no rectangle or has no area; where others of the document have one, also those with content and without any, and
 * where two agree, those whose size no page should have. The others prove what it was where at least two agree, or one does and all but
 * one number that is left.
 */
export function resizedPages(model: PdfModel, pages: readonly PdfObject[]): Resized[] {
  const given = pages.map((page) => inheritedValue(model, page, 'MediaBox'));
  const all = given.map((value) => edgesOf(model, value));
  if (all.every((edges) => edges !== null && !isOdd(edges))) return [];
  const common = commonOf(all);
  const isAnySized = all.some((edges) => edges !== null);
  const found: Resized[] = [];
  for (const [index, page] of pages.entries()) {
    const edges = all[index] ?? null;
    const isUsed = isAnySized && contentsOf(model, page).length > 0;
    const isLost = edges === null && (given[index] !== undefined || isUsed);
    const isOff = edges !== null && isOdd(edges) && common !== null && common.pages >= 2;
    if (!isLost && !isOff) continue;
    const isProven = common !== null && (common.pages >= 2 || agrees(model, given[index], common.edges));
    found.push({ page, box: common && boxWith(common.edges), isProven });
  }
  return found;
}

/** Gives pages their sizes; how many of those are a guess. */
export function resize(model: PdfModel, resized: readonly Resized[]): number {
  const guesses = new Map<PdfObject | undefined, PdfValue>();
  for (const { page, box } of resized) {
    const entries = entriesOf(page.value);
    entries.delete('MediaBox');
    const above = box ? null : edgesOf(model, inheritedValue(model, page, 'MediaBox'));
    // Pages may share their content, and hostile ones all do.
    const [content] = contentsOf(model, page);
    const guess = box ?? (above ? boxWith(above) : (guesses.get(content) ?? boxOf(model, page)));
    if (!box && !above) guesses.set(content, guess);
    entries.set('MediaBox', guess);
  }
  return resized.filter(({ isProven }) => !isProven).length;
}

const boxWith = (edges: readonly number[]): PdfValue => pdfArray(edges.map((edge) => pdfNumber(edge)));
