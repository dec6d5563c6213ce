import { contentsOf } from './fontuses';
import type { PdfModel } from './model';
import { contentBox } from './pagecontent';
import {
  entriesOf,
  nameOf,
  numberOf,
  type PdfDictionary,
  type PdfObject,
  type PdfValue,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfNumber,
  pdfReference,
  referenceOf,
} from './values';

/** Attributes that a page takes from the nodes above it (ISO 32000-1, table 30). */
const inherited = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/** Nodes above a page that are followed. */
const mostAbove = 64;

/** The pages of a document in reading order, and how many the tree names, each as often as it does; `complete` when the tree named each of them and nothing that is missing. */
export type PageList = { pages: PdfObject[]; complete: boolean; missing: number; leaves: number };

function isPage(model: PdfModel, object: PdfObject): boolean {
  const type = model.nameIn(object, 'Type');
  const dictionary = entriesOf(object.value);
  if (type === 'Page') return true;
  if (type !== null && type !== 'Pages') return false;
  return (
    !dictionary.has('Kids') && dictionary.has('Contents') && (dictionary.has('MediaBox') || dictionary.has('Parent'))
  );
}

/**
 * Walks the page tree from `root`, and gathers pages outside it when the tree is broken. With `strict` a tree is also broken when it counts
 * other than it holds; readers accept that in files that are in order.
 */
export function collectPages(model: PdfModel, root: PdfObject | null, strict = false): PageList {
  const walk = new TreeWalk(model);
  const named = root ? entriesOf(root.value).get('Pages') : undefined;
  const top = topAbove(model, named);
  if (top) walk.visit(top);
  const { pages } = walk;
  const promised = numberOf(model.resolve(model.dictionary(top).get('Count')));
  const leaves = pages.length + walk.repeated;
  const isCounted = !strict || promised === null || promised === leaves;
  const isTree = walk.missing === 0 && !walk.hasLoop && !walk.isMistyped && !(walk.repeated > 0 && walk.hasRest());
  const complete = pages.length > 0 && isTree && isCounted && top === named;
  if (!complete) {
    walk.visitLoose();
    walk.takeRest();
  }
  return { pages, complete, missing: walk.missing, leaves };
}

/** The root of the tree that a node is in, which has no node above it (table 29): the node itself where it is that. */
function topAbove(model: PdfModel, node: PdfValue | undefined): PdfValue | undefined {
  let top = node;
  for (let step = 0; step < mostAbove; step++) {
    const parent = model.dictionary(top).get('Parent');
    if (model.dictionary(parent).get('Kids') === undefined) return top;
    top = parent;
  }
  return node;
}

/** Gathers pages in the order of the tree. */
class TreeWalk {
  readonly pages: PdfObject[] = [];
  missing = 0;
  /** Whether a node with others below it is named a second time, as one that leads back to those above it is. */
  hasLoop = false;
  /** How often a page is named again, and whether one says that it is a node with others below it, which readers then look for. */
  repeated = 0;
  isMistyped = false;
  readonly #model: PdfModel;
  readonly #seen = new Set<number>();
  readonly #taken = new Set<PdfObject>();

  constructor(model: PdfModel) {
    this.#model = model;
  }

  /** Takes the pages at and below a node. */
  visit(start: PdfValue | undefined): void {
    const model = this.#model;
    const stack: (PdfValue | undefined)[] = [start];
    while (stack.length > 0 && this.pages.length <= model.job.limits.pages) {
      const number = referenceOf(stack.pop());
      const node = number === null ? undefined : model.objects.get(number);
      const kids = node && model.resolve(entriesOf(node.value).get('Kids'));
      if (number !== null && this.#seen.has(number)) {
        if (kids) this.hasLoop = true;
        else this.repeated++;
        continue;
      }
      if (number !== null) this.#seen.add(number);
      if (kids?.kind === 'array') for (const kid of kids.items.toReversed()) stack.push(kid);
      else this.#take(node);
    }
  }

  #take(node: PdfObject | undefined): void {
    if (node?.value.kind !== 'dictionary' || !isPage(this.#model, node)) {
      this.missing++;
      return;
    }
    if (this.#model.nameIn(node, 'Type') === 'Pages') this.isMistyped = true;
    this.pages.push(node);
    this.#taken.add(node);
  }

  /** Whether a page that says where it belongs is in no tree: another one is named in its stead. */
  hasRest(): boolean {
    return [...this.#model.objects.values()].some(
      (object) =>
        !this.#taken.has(object) &&
        this.#model.nameIn(object, 'Type') === 'Page' &&
        entriesOf(object.value).has('Parent'),
    );
  }

  /** Visits nodes of the tree that nothing leads to any more. */
  visitLoose(): void {
    const { objects } = this.#model;
    for (const object of objects.values()) {
      if (this.#model.nameIn(object, 'Type') !== 'Pages' || this.#seen.has(object.number)) continue;
      const parent = referenceOf(entriesOf(object.value).get('Parent'));
      if (parent === null || !objects.has(parent)) this.visit(pdfReference(object.number));
    }
  }

  /** Takes pages outside of any tree, in the order of the file. */
  takeRest(): void {
    const rest = [...this.#model.objects.values()].filter(
      (object) => !this.#taken.has(object) && isPage(this.#model, object),
    );
    rest.sort((left, right) => left.offset - right.offset || left.number - right.number);
    for (const page of rest) this.pages.push(page);
  }
}

/** Pages whose description lost the entry that leads to their content, or has something there that cannot be content (7.7.3.3). */
export function hollowPages(model: PdfModel, pages: readonly PdfObject[]): PdfObject[] {
  return pages.filter((page) => {
    const contents = model.resolve(entriesOf(page.value).get('Contents'));
    if (contents?.kind === 'array') return contents.items.length > 0 && contentsOf(model, page).length === 0;
    return contents?.kind !== 'dictionary' || contentsOf(model, page).length === 0;
  });
}

/** A value that a page has itself or takes from the nodes above it. */
export function inheritedValue(model: PdfModel, page: PdfObject, key: string): PdfValue | undefined {
  let node: PdfDictionary = entriesOf(page.value);
  for (let step = 0; step < mostAbove; step++) {
    const value = model.resolve(node.get(key));
    if (value && value.kind !== 'null') return node.get(key);
    const parent = model.dictionary(node.get('Parent'));
    if (parent.size === 0) return undefined;
    node = parent;
  }
  return undefined;
}

/** Counts the pages of a tree that lost their number, which it must have (table 29): some readers open no page without. */
export function countPages(model: PdfModel, root: PdfObject, pages: readonly PdfObject[]): void {
  const top = model.dictionary(entriesOf(root.value).get('Pages'));
  if (numberOf(model.resolve(top.get('Count'))) === null) top.set('Count', pdfNumber(pages.length));
}

/**
 * Puts `pages` under one new node and gives each what it used to inherit; returns the catalogue, and how many pages lost a node above them
 * and a size or resources with it, of which the former is a guess.
 */
export function rebuildTree(
  model: PdfModel,
  root: PdfObject | null,
  pages: readonly PdfObject[],
): { catalogue: PdfObject; guessed: number } {
  const common = commonBox(model, pages);
  let guessed = 0;
  const node = model.add(pdfDictionary({ Type: pdfName('Pages'), Count: pdfNumber(pages.length) }));
  for (const page of pages) {
    const dictionary = entriesOf(page.value);
    for (const key of inherited) {
      const value = inheritedValue(model, page, key);
      if (value) dictionary.set(key, value);
    }
    const isSized = model.resolve(dictionary.get('MediaBox')) !== undefined;
    if ((!isSized || !dictionary.has('Resources')) && isTornOff(model, page)) guessed++;
    if (!isSized) dictionary.set('MediaBox', common ?? boxOf(model, page));
    if (!dictionary.has('Resources')) dictionary.set('Resources', pdfDictionary({}));
    dictionary.set('Type', pdfName('Page'));
    dictionary.set('Parent', pdfReference(node.number));
  }
  entriesOf(node.value).set('Kids', pdfArray(pages.map((page) => pdfReference(page.number, page.generation))));
  const catalogue = root ?? model.add(pdfDictionary({}));
  const entries = entriesOf(catalogue.value);
  entries.set('Type', pdfName('Catalog'));
  entries.set('Pages', pdfReference(node.number));
  return { catalogue, guessed };
}

/** Whether a node above a page is lost, from which it may have taken what it has not itself. */
function isTornOff(model: PdfModel, page: PdfObject): boolean {
  let node: PdfDictionary = entriesOf(page.value);
  for (let step = 0; step < mostAbove; step++) {
    if (!node.has('Parent')) return node === entriesOf(page.value);
    const parent = model.dictionary(node.get('Parent'));
    if (parent.size === 0) return true;
    node = parent;
  }
  return false;
}

/** The page size of a page that has one; null when none kept its own. */
function commonBox(model: PdfModel, pages: readonly PdfObject[]): PdfValue | null {
  const found = pages
    .map((page) => model.resolve(inheritedValue(model, page, 'MediaBox')))
    .find((value) => value?.kind === 'array');
  return found ?? null;
}

/** The size of a page that lost it: what is seen of it lies inside (14.11.2), or else the nearest of the usual ones that holds what it draws. */
export function boxOf(model: PdfModel, page: PdfObject): PdfValue {
  const seen = model.resolve(entriesOf(page.value).get('CropBox'));
  if (seen?.kind === 'array') return seen;
  const [content] = contentsOf(model, page);
  return contentBox(model, content ?? null);
}

/** Annotations (12.5.6) that show nothing of a page: places to press, and the windows of notes. */
const unseen: ReadonlySet<string | null> = new Set(['Link', 'Popup']);

/** Whether a page has annotations (12.5): the fields of a form, notes and stamps, which may be all that is on it. */
export function hasAnnotations(model: PdfModel, page: PdfObject): boolean {
  const list = model.resolve(entriesOf(page.value).get('Annots'));
  if (list?.kind !== 'array') return false;
  const isSeen = (one: PdfDictionary) => one.has('Rect') && !unseen.has(nameOf(model.resolve(one.get('Subtype'))));
  return list.items.some((item) => isSeen(model.dictionary(item)));
}
