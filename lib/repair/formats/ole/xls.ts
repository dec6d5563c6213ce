import { countWords } from '../../core/words';
import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { BiffRecord, biff, isSoundCell, readRecords, writeRecord } from './biff';
import { sharedParts, sharedStrings } from './sharedparts';
import { writeSharedStrings } from './sharedstrings';
import { countBeyond, plainFormats, withFormats } from './xlsformats';
import { mendLabels } from './xlslabels';
import { placedCells } from './xlsplaces';
import { isOfSheet, isOfWorkbook, isStrange, withoutStrange } from './xlsrecords';

/** Texts that missing ones are made up to, and the number of a cell's text that can only be damage. */
const mostMadeUp = 1_000_000;
const mostTexts = 2_000_000;

/** A workbook stream taken apart: the records of the workbook itself and of each sheet. */
type Workbook = { globals: BiffRecord[]; globalsEnded: boolean; sheets: Sheet[] };
type Sheet = { records: BiffRecord[]; offset: number };

/** What a workbook stream holds, counted. */
export type WorkbookContent = { sheets: number; cells: number; words: number };

/** Whether a sector is the beginning of a workbook stream: a BOF record of the workbook's globals ([MS-XLS] 2.4.21). */
export function beginsWorkbook(sector: Buffer): boolean {
  return (
    sector.length >= 8 &&
    sector.readUInt16LE(0) === biff.beginning &&
    sector.readUInt16LE(6) === 0x0005 &&
    [8, 16].includes(sector.readUInt16LE(2))
  );
}

/** What the first record of a sheet of Excel 97 holds. */
const sheetBeginning = Buffer.from('00061000bb0dcc07c100000006030000', 'hex');

const cellTypes = new Set<number>([biff.labelSst, biff.number, biff.rk, biff.multipleRk, biff.label]);
const isCell = ({ type }: BiffRecord) => cellTypes.has(type);

/** Takes the records of a workbook stream apart into what belongs to the workbook and to each sheet. */
function takeApart(records: readonly BiffRecord[]): Workbook {
  const sorter = new RecordSorter();
  for (const [index, record] of records.entries()) sorter.add(record, () => isAmongCells(records, index));
  return sorter.book;
}

/** Records behind a cell that are looked at, and cells among them at least that tell a sheet of which the beginning is lost. */
const lookAhead = 6;
const leastCells = 3;

function isAmongCells(records: readonly BiffRecord[], index: number): boolean {
  const behind = records.slice(index, index + lookAhead);
  return behind.every(isOfSheet) && behind.filter(isCell).length >= Math.min(leastCells, behind.length);
}

/** Kinds of substreams, as their first record names them ([MS-XLS] 2.4.21); the others are modules of Visual Basic, macros and workspaces. */
const substream = { globals: 0x0005, sheet: 0x0010, chart: 0x0020 } as const;
const substreams = new Set<number>([...Object.values(substream), 0x0006, 0x0040, 0x0100]);

/** A first record with the kind that is needed there, where it has none that there is. */
function beginningAs(record: BiffRecord, kind: number): BiffRecord {
  if (record.type !== biff.beginning || record.length < 4 || substreams.has(record.u16(2))) return record;
  const data = Buffer.from(record.data);
  data.writeUInt16LE(kind, 2);
  return new BiffRecord(record.type, record.offset, data);
}

class RecordSorter {
  readonly book: Workbook = { globals: [], globalsEnded: false, sheets: [] };
  /** Substreams that are open, one inside the other. */
  #depth = 0;
  /** The sheet that is open, null in the part of the workbook itself. */
  #current: Sheet | null = null;

  add(record: BiffRecord, isAmong: () => boolean): void {
    const { book } = this;
    if (record.type === biff.beginning) this.#begin(record);
    else if (!this.#current && isCell(record) && book.sheets.length === 0 && (this.#depth === 0 || isAmong())) {
      // The beginning is lost: cells tell a sheet by themselves.
      this.#open({ records: [new BiffRecord(biff.beginning, -1, sheetBeginning)], offset: -1 });
      this.#depth = 1;
    }
    (this.#current ? this.#current.records : book.globals).push(record);
    if (record.type === biff.eof && this.#depth > 0) this.#end();
  }

  #begin(record: BiffRecord): void {
    const isFirst = this.book.globals.length === 0 && this.book.sheets.length === 0 && record.offset === 0;
    const given = record.length >= 4 ? record.u16(2) : null;
    const kind = isFirst && given !== null && !substreams.has(given) ? substream.globals : given;
    // Charts lie inside sheets; a sheet inside a sheet means that an end record was lost.
    if (this.#depth > 0 && kind === substream.chart && this.#current) {
      this.#depth++;
      return;
    }
    this.#depth = 1;
    if (kind === substream.globals && this.book.globals.length === 0) this.#current = null;
    else this.#open({ records: [], offset: record.offset });
  }

  #open(sheet: Sheet): void {
    this.#current = sheet;
    this.book.sheets.push(sheet);
  }

  #end(): void {
    this.#depth--;
    if (this.#depth > 0) return;
    if (!this.#current) this.book.globalsEnded = true;
  }
}

/** Whether something was written over the texts of a workbook, so that they cannot stay as they are. */
export function holdsStrangeText(data: Buffer): boolean {
  const book = takeApart(readRecords(data).records);
  return sharedStrings(sharedParts(data, book.globals), mostString(book)).strings.some(
    (text) => text && isStrange(text),
  );
}

/** The shared texts of a workbook stream, one a line. */
export function textOfWorkbook(data: Buffer): string {
  const book = takeApart(readRecords(data).records);
  return sharedStrings(sharedParts(data, book.globals), mostString(book)).strings.join('\n');
}

/** Counts sheets, filled cells and words of a workbook stream. */
export function measureWorkbook(data: Buffer, beyond = false): WorkbookContent {
  const book = takeApart(readRecords(data, beyond).records);
  const { strings } = sharedStrings(sharedParts(data, book.globals), mostString(book));
  const words = strings.map((text) => countWords(text ?? ''));
  const content: WorkbookContent = { sheets: book.sheets.length, cells: 0, words: 0 };
  for (const sheet of book.sheets) {
    for (const record of sheet.records) {
      const filled = cellsOf(record);
      content.cells += filled;
      if (record.type === biff.labelSst) content.words += words[record.u32(6)] ?? 0;
      else if (record.type === biff.label) content.words += countWords(record.data.toString('latin1', 8));
      else content.words += filled;
    }
  }
  return content;
}

function cellsOf(record: BiffRecord): number {
  if (record.type === biff.multipleRk) return Math.max(0, Math.floor((record.length - 6) / 6));
  return record.type === biff.formula || isCell(record) ? 1 : 0;
}

/** Whether the workbook asks for a password ([MS-XLS] 2.4.117). */
export function isEncryptedWorkbook(data: Buffer): boolean {
  return readRecords(data.subarray(0, 8192))
    .records.slice(0, 8)
    .some((record) => record.type === biff.filePass);
}

/** Notes what is wrong with a workbook stream: records that break off, sheets that are not where the list of sheets says. */
export function checkWorkbook(data: Buffer, told: DocumentTold): void {
  const { records, gaps, cut } = readRecords(data);
  if (gaps > 0) find(told, { kind: 'records.gaps', count: gaps, of: 'workbook' });
  if (cut) find(told, { kind: 'records.cut', of: 'workbook' });
  if ((records[0]?.type ?? 0) % 256 !== biff.beginning % 256) find(told, { kind: 'records.beginning' });
  const book = takeApart(records);
  const starts = new Set(book.sheets.map((sheet) => sheet.offset));
  for (const record of book.globals) {
    if (record.type !== biff.boundSheet || record.length < 8) continue;
    if (!starts.has(record.u32(0))) find(told, { kind: 'sheets' });
  }
  const shared = sharedParts(data, book.globals);
  const { strings, complete } = sharedStrings(shared, mostString(book));
  if (shared.parts.length > 0 && !complete) find(told, { kind: 'texts' });
  const astray = book.sheets.reduce((sum, { records: cells }) => {
    const { set, open } = placedCells(cells);
    return sum + set + open;
  }, 0);
  if (astray > 0) find(told, { kind: 'cells.places', count: astray });
  const { letters, counts } = mendLabels(data, records);
  if (letters > 0) find(told, { kind: 'text.overwritten' });
  let wrong = counts;
  for (const sheet of book.sheets)
    for (const record of sheet.records) if (!isSoundCell(record, strings.length)) wrong++;
  if (wrong > 0) find(told, { kind: 'cells', count: wrong });
  const formats = book.globals.filter(({ type }) => type === biff.xf).length;
  const beyond = countBeyond(
    book.sheets.map((sheet) => sheet.records),
    formats,
  );
  if (beyond > 0) find(told, { kind: 'cells.formats', count: beyond });
}

/**
 * Cells that contradict themselves, from which on and how many times as often as those that do not, tell that none is what it seems: of an
 * encrypted workbook the heads of records stay as they are ([MS-XLS] 2.2.10).
 */
const mostWrong = { least: 50, timesKept: 10 };

/** Puts a damaged workbook stream together again; null when neither a sheet nor a text survived. */
export function rebuildWorkbook(given: Buffer, told: DocumentTold): Buffer | null {
  const { data, letters, counts } = mendLabels(given, readRecords(given, true).records);
  if (letters > 0) told.lost.push({ how: 'characters.overwritten', count: letters });
  if (counts > 0) told.lost.push({ how: 'cells.beside', count: counts });
  const { records, gaps, set, cut } = readRecords(data, true);
  const book = takeApart(records);
  const shared = sharedParts(data, book.globals);
  const { strings: read, complete: isComplete } = sharedStrings(shared, mostString(book));
  const texts = read.map((text) => (text === undefined ? undefined : withoutStrange(text)));
  const strings = texts.map((text) => text ?? '');
  const unread = read.filter((text, index) => text === undefined || text !== texts[index]).length;
  const complete = isComplete && shared.parts.length > 0 && unread === 0;
  let names = book.globals.filter((record) => record.type === biff.boundSheet && record.length >= 8);
  const declared = names.length;
  const firstSheet = book.sheets[0];
  if (!firstSheet && strings.length > 0) {
    book.sheets.push({ records: listOfTexts(strings), offset: -1 });
    names = names.slice(0, 1);
    told.remarks.push({ kind: 'sheetsGone' });
  }
  if (book.sheets.length === 0) return null;
  if (declared > book.sheets.length || !firstSheet)
    told.lost.push({ how: 'sheets.gone', count: Math.max(1, declared - (firstSheet ? book.sheets.length : 0)) });
  if (gaps > set || cut || records[0]?.type !== biff.beginning)
    told.lost.push({ how: 'cells.behind', count: Math.max(1, gaps - set) });
  placeCells(book, told);
  let dropped = 0;
  for (const sheet of book.sheets) {
    const sound = sheet.records.filter(
      (record) => isSoundCell(record, complete ? strings.length : 1_000_000) && isOfSheet(record),
    );
    dropped += sheet.records.length - sound.length;
    sheet.records = sound;
  }
  const kept = book.sheets.reduce(
    (sum, { records: cells }) => sum + cells.reduce((all, one) => all + cellsOf(one), 0),
    0,
  );
  if (dropped > mostWrong.least && dropped > kept * mostWrong.timesKept) return null;
  if (dropped > 0) told.lost.push({ how: 'cells.wrong', count: dropped });
  const most = mostString(book);
  const missing = unread + (complete ? 0 : Math.max(0, most + 1 - strings.length));
  if (missing > 0) told.lost.push({ how: 'texts.unread', count: missing });
  while (strings.length <= most && strings.length < mostMadeUp) strings.push('');
  told.steps.push({ kind: 'workbook.records', sheets: book.sheets.length, records: records.length });
  return assemble(book, { names, told }, shared, complete ? null : strings);
}

/** Puts cells back into their rows and columns, and tells how many. */
function placeCells(book: Workbook, told: DocumentTold): void {
  let set = 0;
  let open = 0;
  for (const sheet of book.sheets) {
    const placed = placedCells(sheet.records);
    sheet.records = placed.records;
    set += placed.set;
    open += placed.open;
  }
  if (set > 0) told.steps.push({ kind: 'cells.places', count: set });
  // As many bits are wrong in values, where nothing shows them.
  if (set + open > 0) told.lost.push({ how: 'cells.beside', count: set + open });
}

function mostString(book: Workbook): number {
  let most = -1;
  for (const sheet of book.sheets) {
    for (const record of sheet.records) if (record.type === biff.labelSst) most = Math.max(most, record.u32(6));
  }
  return most > mostTexts ? -1 : most;
}

function assemble(
  book: Workbook,
  { names, told }: { names: readonly BiffRecord[]; told: DocumentTold },
  shared: { first: number; last: number },
  strings: readonly string[] | null,
): Buffer {
  const formats = book.globals.filter((record) => record.type === biff.xf && isOfWorkbook(record)).length;
  const { sheets, needed, set } = withFormats(
    book.sheets.map(({ records }) => records),
    formats,
  );
  if (set > 0) told.remarks.push({ kind: 'formatGuess', count: set });
  if (set > 0) told.lost.push({ how: 'cells.beside', count: set });
  const more = plainFormats(formats, needed, formats > 0 || book.globals.some(({ type }) => type === biff.font));
  const { pieces, length: headLength, patches } = writeGlobals(book, { names, more }, shared, strings);
  const body: Buffer[] = [];
  const starts: number[] = [];
  let length = headLength;
  for (const records of sheets) {
    starts.push(length);
    // These two hold offsets that no longer hold; Excel builds them again.
    const kept = records
      .filter((record) => record.type !== biff.index && record.type !== biff.dbCell)
      .map((record, place) => (place === 0 ? beginningAs(record, substream.sheet) : record));
    for (let open = openIn(kept); open > 0; open--) kept.push(new BiffRecord(biff.eof, -1, Buffer.alloc(0)));
    const written = concatRecords(kept);
    body.push(written);
    length += written.length;
  }
  const result = Buffer.concat([...pieces, ...body]);
  for (const patch of patches) result.writeUInt32LE(starts[patch.sheet] ?? 0, patch.at);
  return result;
}

/** Substreams, charts inside of a sheet among them, of which the last record is lost. */
const openIn = (records: readonly BiffRecord[]): number =>
  records.reduce((open, { type }) => {
    if (type === biff.beginning) return open + 1;
    return type === biff.eof ? Math.max(0, open - 1) : open;
  }, 0);

/** The part of the workbook itself, written anew, and where in it the places of sheets are to be noted. */
type Globals = { pieces: Buffer[]; length: number; patches: { at: number; sheet: number }[] };

/** The first record of a workbook of Excel 97. */
const globalsBeginning = Buffer.from('00060500bb0dcc07c100000006030000', 'hex');

/** Writes the part of the workbook itself with a list of the sheets that are there, with `more` formats of cells behind its own, and with `strings` where the shared ones are not whole. */
function writeGlobals(
  book: Workbook,
  { names, more }: { names: readonly BiffRecord[]; more: readonly Buffer[] },
  shared: { first: number; last: number },
  strings: readonly string[] | null,
): Globals {
  const globals: Globals = { pieces: [], length: 0, patches: [] };
  const push = (record: Buffer) => {
    globals.pieces.push(record);
    globals.length += record.length;
  };
  const writeNames = () => {
    for (let index = 0; index < book.sheets.length; index++) {
      const known = names[index];
      const record = known ? Buffer.from(known.data) : sheetName(`Sheet${index + 1}`);
      globals.patches.push({ at: globals.length + 4, sheet: index });
      push(writeRecord(biff.boundSheet, record));
    }
  };
  const kept = book.globals
    .map((record, index) => ({ record, index }))
    .filter(({ record }) => record.type !== biff.eof && record.type !== biff.extSst && isOfWorkbook(record));
  const lastFormat = kept.findLastIndex(({ record }) => record.type === biff.xf);
  const isShared = (index: number) => shared.first >= 0 && index >= shared.first && index <= shared.last;
  // The list of sheets stands where it stood, or else before the shared strings, or else at the end.
  const namesAt = kept.findIndex(({ record }) => record.type === biff.boundSheet || record.type === biff.sst);
  if (kept[0]?.record.type !== biff.beginning) push(writeRecord(biff.beginning, globalsBeginning));
  for (const [place, { record, index }] of kept.entries()) {
    if (place === namesAt) writeNames();
    if (record.type === biff.boundSheet) continue;
    if (!strings || !isShared(index))
      push(writeRecord(record.type, place === 0 ? beginningAs(record, substream.globals).data : record.data));
    else if (index === shared.first) push(writeSharedStrings(strings, strings.length));
    if (place === lastFormat) more.forEach(push);
  }
  if (lastFormat < 0) more.forEach(push);
  if (namesAt < 0) writeNames();
  if (strings && shared.first < 0) push(writeSharedStrings(strings, strings.length));
  push(writeRecord(biff.eof, Buffer.alloc(0)));
  return globals;
}

/** Records one after another, put together without a buffer for each. */
function concatRecords(records: readonly BiffRecord[]): Buffer {
  const result = Buffer.allocUnsafe(records.reduce((sum, record) => sum + 4 + record.length, 0));
  let at = 0;
  for (const record of records) at = record.writeTo(result, at);
  return result;
}

function sheetName(name: string): Buffer {
  const data = Buffer.alloc(8 + name.length);
  data[6] = name.length;
  data.write(name, 8, 'latin1');
  return data;
}

/** A sheet whose first column holds every text. */
function listOfTexts(strings: readonly string[]): BiffRecord[] {
  const record = (type: number, data: Buffer): BiffRecord => new BiffRecord(type, -1, data);
  const rows = Math.min(strings.length, 65536);
  const extent = Buffer.alloc(14);
  extent.writeUInt32LE(rows, 4);
  extent.writeUInt16LE(1, 10);
  const cells = Array.from({ length: rows }, (_, row) => {
    const cell = Buffer.alloc(10);
    cell.writeUInt16LE(row, 0);
    cell.writeUInt32LE(row, 6);
    return record(biff.labelSst, cell);
  });
  return [record(biff.beginning, sheetBeginning), record(0x0200, extent), ...cells, record(biff.eof, Buffer.alloc(0))];
}
