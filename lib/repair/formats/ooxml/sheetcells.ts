import { byName } from '../../core/named';
import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { columnOf, nameOf, placeCells, sheetPath } from './cellplaces';
import { mendCells } from './cells';
import { mendValues } from './cellvalues';
import { asUtf8 } from './encoding';
import { partText } from './package';

const tags = /<(\/?)((?:\w+:)?)([\w.-]+)((?:\s[^<>]*?)?)(\/?)>/g;
const attribute = /\s([\w:.-]+)=(?:"([^"<]*)"|'([^'<]*)')/g;

const truth = /^(?:0|1|true|false)$/;
const whole = /^\d{1,7}$/;
/** What attributes of rows and cells can be (ECMA-376 part 1, 18.3.1.73 and 18.3.1.4), but for places, which are looked at apart. */
const allowed: Record<'row' | 'c', Record<string, RegExp>> = {
  row: byName({
    r: /./,
    spans: /^\d+:\d+(?: \d+:\d+)*$/,
    s: whole,
    customFormat: truth,
    ht: /^\d+(?:\.\d+)?$/,
    hidden: truth,
    customHeight: truth,
    outlineLevel: /^[0-7]$/,
    collapsed: truth,
    thickTop: truth,
    thickBot: truth,
    ph: truth,
  }),
  c: byName({ r: /./, s: whole, t: /./, cm: whole, vm: whole, ph: truth }),
};
/** What a cell holds, in this order. */
const contents = ['f', 'v', 'is'] as const;
type Content = (typeof contents)[number];
const isContent = (name: string): name is Content => contents.some((content) => content === name);

/**
 * Makes sheets that were damaged and made well-formed again such as programs open: between lost pieces rows stand in cells, values in rows and
 * places are garbled, for any of which they refuse the workbook. Cells keep what is theirs; what stands where nothing can is left out.
 */
export function settleSheets(parts: Map<string, Buffer>, damaged: ReadonlySet<string>, told: DocumentTold): void {
  const own = [...parts.keys()].filter((path) => sheetPath.test(path) && damaged.has(path));
  if (own.length === 0) return;
  const change = (by: (xml: string) => string) => {
    for (const path of own) {
      const xml = partText(parts, path) ?? '';
      const settled = by(xml);
      if (settled !== xml) parts.set(path, Buffer.from(asUtf8(settled)));
    }
  };
  change((xml) => inSheetData(xml, withRowsAlone));
  const others = new Set(
    [...parts.keys(), ...damaged].filter((path) => !own.includes(path) && isLeftAlone(path, damaged)),
  );
  mendValues(parts, others, told);
  mendCells(parts, others, told);
  placeCells(parts, others, told);
  change((xml) => inSheetData(xml, withPlacesInOrder));
}

/** Whether a part is no table that cells refer to, or one that is damaged. */
const isLeftAlone = (path: string, damaged: ReadonlySet<string>) => sheetPath.test(path) || damaged.has(path);

/** The text of a sheet with what stands between the first opening and the last end beside it of its data changed. */
function inSheetData(xml: string, change: (data: string, prefix: string) => string): string {
  const open = /<((?:\w+:)?)sheetData(?:\s[^<>]*)?>/.exec(xml);
  if (!open || open[0].endsWith('/>')) return xml;
  const from = open.index + open[0].length;
  const to = from + lastEnd(xml.slice(from));
  return to < from ? xml : xml.slice(0, from) + change(xml.slice(from, to), open[1] ?? '') + xml.slice(to);
}

/** Where the last data of a sheet ends that stands in the same element as the first one, of which the text goes on; -1 where none does. */
function lastEnd(text: string): number {
  let [depth, end] = [1, -1];
  for (const { name, isEnd, isEmpty, from } of tagsOf(text)) {
    if (!isEmpty) depth += isEnd ? -1 : 1;
    if (depth < 0) break;
    if (depth === 0 && isEnd && name === 'sheetData') end = from;
  }
  return end;
}

type Tag = { name: string; isEnd: boolean; isEmpty: boolean; attributes: string; from: number; to: number };

function* tagsOf(data: string): Generator<Tag> {
  for (const match of data.matchAll(tags)) {
    const [text, end, , name = '', attributes = '', empty] = match;
    yield {
      name,
      isEnd: end === '/',
      isEmpty: empty === '/',
      attributes,
      from: match.index,
      to: match.index + text.length,
    };
  }
}

/** Rows, cells in them, and in these what cells hold; everything else is left out. */
class Rows {
  readonly out: string[] = [];
  #row: string | null = null;
  #cells: string[] = [];
  #cell: string | null = null;
  readonly #held = new Map<Content, string>();
  readonly #prefix: string;
  /** Whether most cells tell their place. */
  readonly #areNamed: boolean;

  constructor(prefix: string, areNamed: boolean) {
    this.#prefix = prefix;
    this.#areNamed = areNamed;
  }

  /** Takes the beginning or end of a row or cell; nothing else. */
  take({ name, isEnd, isEmpty, attributes }: Tag): void {
    if (name !== 'row' && name !== 'c') return;
    const own = isEnd ? null : kept(attributes, name, this.#areNamed);
    if (name === 'row') this.row(own);
    else this.cell(own);
    if (isEmpty && name === 'row') this.row(null);
    else if (isEmpty) this.cell(null);
  }

  row(attributes: string | null): void {
    this.cell(null);
    const { out } = this;
    if (this.#row !== null) out.push(`<${this.#prefix}row${this.#row}>${this.#cells.join('')}</${this.#prefix}row>`);
    this.#cells = [];
    this.#row = attributes;
  }

  cell(attributes: string | null): void {
    if (this.#cell !== null) {
      const held = contents.map((content) => this.#held.get(content) ?? '').join('');
      this.#cells.push(`<${this.#prefix}c${this.#cell}>${held}</${this.#prefix}c>`);
    }
    this.#held.clear();
    this.#cell = attributes;
    // A cell whose row lost its beginning stands in that which it says.
    if (attributes !== null && this.#row === null) this.#row = this.#rowOf(attributes);
  }

  #rowOf(attributes: string): string {
    if (!this.#areNamed) return '';
    return ` r="${/\d+$/.exec(placed.exec(attributes)?.[2] ?? '')?.[0] ?? '?'}"`;
  }

  /** Takes the beginning of what a cell holds; a text without one gets one in its row. Whether there is a cell for it. */
  begin(content: Content): boolean {
    if (this.#cell === null && content === 'is' && this.#row !== null)
      this.cell(`${this.#areNamed ? ' r="?"' : ''} t="inlineStr"`);
    return this.#cell !== null;
  }

  /** Takes what a cell holds; of several the first that is not empty, as between lost pieces empty ones are left. */
  hold(content: Content, text: string): void {
    if (isEmptied(this.#held.get(content))) this.#held.set(content, text);
  }
}

/** Whether there is no such element, or one without a text. */
const isEmptied = (element: string | undefined): boolean => !element || !/>[^<]/.test(element.trim());

function withRowsAlone(data: string, prefix: string): string {
  const count = (pattern: RegExp) => data.match(pattern)?.length ?? 0;
  const areNamed = count(/<(?:\w+:)?c\s[^<>]*?\br=/g) * 2 > count(/<(?:\w+:)?c[\s/>]/g);
  const rows = new Rows(prefix, areNamed);
  let held: Tag | null = null;
  let depth = 0;
  for (const tag of tagsOf(data)) {
    const { name, isEnd, isEmpty } = tag;
    if (held) {
      if (name === held.name && !isEmpty) depth += isEnd ? -1 : 1;
      if (depth > 0) continue;
      if (isContent(name)) rows.hold(name, plainly(data.slice(held.from, tag.to), name));
      held = null;
    } else if (!isContent(name)) rows.take(tag);
    else if (!isEnd && !isEmpty && rows.begin(name)) [held, depth] = [tag, 1];
  }
  rows.row(null);
  // The next row that says its number, from behind.
  let next = most.rows + 1;
  const apart = rows.out.toReversed().map((row) => {
    const parts = rowsApart(row, next, prefix);
    next = numberOfRow(row) || next;
    return parts.join('');
  });
  return apart.toReversed().join('');
}

/** What a cell holds, without elements that cannot stand in it: the text of an element alone, where there are such. */
function plainly(element: string, content: Content): string {
  const [open = ''] = /^<[^<>]*>/.exec(element) ?? [];
  const inner = element.slice(open.length, element.lastIndexOf('</'));
  const isPlain = content === 'is' ? !/<\/?(?:\w+:)?(?:row|c|f|v|is)[\s/>]/.test(inner) : !inner.includes('<');
  if (isPlain) return element;
  const text = inner.replace(/<[^<>]*>/g, '');
  const prefix = /^<(\w+:)?/.exec(open)?.[1] ?? '';
  const end = element.slice(element.lastIndexOf('</'));
  return content === 'is' ? `${open}<${prefix}t>${text}</${prefix}t>${end}` : `${open}${text.trim()}${end}`;
}

/** Attributes of a row or cell that can be; where the others of the sheet tell their place, one that does not gets room for it. */
function kept(attributes: string, kind: 'row' | 'c', areNamed: boolean): string {
  const own = [...attributes.matchAll(attribute)].filter(([, name = '', first, second]) => {
    const rule = allowed[kind][name];
    return rule ? rule.test(first ?? second ?? '') : name.includes(':');
  });
  const hasPlace = own.some(([, name]) => name === 'r');
  return `${areNamed && !hasPlace ? ' r="?"' : ''}${own.map(([text]) => text).join('')}`;
}

/** The numbers of columns and rows that there are, by what programs take. */
const most = { columns: 16_384, rows: 1_048_576 };

const placed = /\sr=(["'])([^"'<>]*)\1/;

/** Gives what still has no place, or one before that in front of it, the next one; what has no room up to the next one is left out. */
function withPlacesInOrder(data: string, prefix: string): string {
  if (!placed.test(data)) return data;
  const rows = data.split(`</${prefix}row>`).filter((row) => row.includes(`<${prefix}row`));
  const numbers = rows.map(numberOfRow);
  const settled = inOrder(numbers, most.rows);
  return rows
    .map((row, index) => {
      const number = settled[index] ?? 0;
      if (number === 0) return '';
      const end = row.indexOf('>') + 1;
      const head = row.slice(0, end).replace(placed, ` r="${number}"`);
      return `${head}${cellsInOrder(row.slice(end), number, prefix)}</${prefix}row>`;
    })
    .join('');
}

const numberOf = (text: string): number => (whole.test(text) ? Number(text) : 0);

/** The number that a row says it has; 0 where it says none. */
const numberOfRow = (row: string): number => numberOf(placed.exec(row.slice(0, row.indexOf('>')))?.[2] ?? '');

/** Where a cell says that it stands; zeroes where it does not. */
function placeOf(cell: string): { row: number; column: number } {
  const [, name = '', number = ''] =
    /^([A-Za-z]{1,3})(\d{1,7})$/.exec(placed.exec(cell.slice(0, cell.indexOf('>')))?.[2] ?? '') ?? [];
  return { row: numberOf(number), column: columnOf(name) };
}

/** A row, and behind it those whose beginnings were lost, as its later cells stand in rows between it and the `next` one. */
function rowsApart(row: string, next: number, prefix: string): string[] {
  let number = numberOfRow(row);
  const end = row.indexOf('>') + 1;
  const parts: string[][] = [[row.slice(0, end)]];
  for (const cell of row.slice(end).split(new RegExp(`(?<=</${prefix}c>)`))) {
    const own = placeOf(cell).row;
    if (number > 0 && own > number && own < next) {
      number = own;
      parts.push([`<${prefix}row r="${number}">`]);
    }
    parts.at(-1)?.push(cell);
  }
  const close = `</${prefix}row>`;
  return parts.map((part, index) => part.join('') + (index < parts.length - 1 ? close : ''));
}

function cellsInOrder(data: string, row: number, prefix: string): string {
  const cells = data.split(`</${prefix}c>`).filter((cell) => cell.includes(`<${prefix}c`));
  const columns = cells.map((cell) => {
    const place = placeOf(cell);
    return place.row === row ? place.column : 0;
  });
  const settled = inOrder(columns, most.columns);
  return cells
    .map((cell, index) => {
      const column = settled[index] ?? 0;
      const end = cell.indexOf('>');
      return column === 0
        ? ''
        : `${cell.slice(0, end).replace(placed, ` r="${nameOf(column)}${row}"`)}${cell.slice(end)}</${prefix}c>`;
    })
    .join('');
}

/** Numbers that ascend: those that do stay, others become the one behind, and 0 where there is no room. */
function inOrder(numbers: readonly number[], largest: number): number[] {
  const anchors = ascending(numbers.map((number) => (number <= largest ? number : 0)));
  let before = 0;
  return numbers.map((number, index) => {
    if (anchors.has(index)) {
      before = number;
      return number;
    }
    let next = index + 1;
    while (next < numbers.length && !anchors.has(next)) next++;
    const limit = next < numbers.length ? (numbers[next] ?? 0) : largest + 1;
    if (before + 1 >= limit) return 0;
    before++;
    return before;
  });
}

/** The places of the longest run of numbers, not one behind the other but in order, that ascend (patience sorting); zeroes are none. */
function ascending(numbers: readonly number[]): Set<number> {
  const tails: number[] = [];
  const links = new Int32Array(numbers.length).fill(-1);
  for (const [index, number] of numbers.entries()) {
    if (number <= 0) continue;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    links[index] = tails[low - 1] ?? -1;
    tails[low] = index;
  }
  const chosen = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = links[at] ?? -1) chosen.add(at);
  return chosen;
}
