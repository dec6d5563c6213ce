import { highest } from '../../core/extent';
import { countWords } from '../../core/words';
import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { addLostLists, documentFor } from './pptdocument';
import { eachPlace, type Known, knownPlaces } from './pptplaces';
import { type PptRecord, ppt, pptAtom, pptTexts, readPptRecords, userEditBytes, writePptRecord } from './pptrecords';
import { plainMaster, slideWith } from './pptslide';

/** What a presentation stream holds, counted. */
export type PresentationContent = { slides: number; words: number };

/** Whether a sector is the beginning of a presentation stream: the document container with its atom ([MS-PPT] 2.4.1). */
export function beginsPresentation(sector: Buffer): boolean {
  return sector.length >= 16 && sector.readUInt32LE(0) === 0x03e8000f && sector.readUInt16LE(10) === 0x03e9;
}

/** The texts on the slides of a presentation and in the list of slides. */
function slideTexts(records: readonly PptRecord[]): string[] {
  const texts = records.filter((record) => record.type === ppt.slide).flatMap(pptTexts);
  for (const document of records.filter((record) => record.type === ppt.document)) {
    for (const list of document.children ?? [])
      if (list.type === ppt.slideList && list.version >> 4 === 0) for (const text of pptTexts(list)) texts.push(text);
  }
  return texts;
}

/** The same as one text, without marks of lines. */
export function presentationText(data: Buffer, nesting: number): string {
  return slideTexts(readPptRecords(data, 0, data.length, nesting))
    .join(' ')
    .replace(/[\r\v]/g, ' ');
}

/** Counts slides and the words on them and in the list of slides. */
export function measurePresentation(data: Buffer, nesting: number): PresentationContent {
  const records = readPptRecords(data, 0, data.length, nesting);
  const slides = records.filter((record) => record.type === ppt.slide);
  const texts = slideTexts(records);
  return {
    slides: slides.length,
    words: texts.reduce((sum, text) => sum + countWords(text.replace(/[\r\v]/g, ' ')), 0),
  };
}

/** Pictures in the stream that holds them: one record each ([MS-ODRAW] 2.2.23). */
export function countPictures(data: Buffer): number {
  let count = 0;
  for (let at = 0; at + 8 <= data.length; at += 8 + data.readUInt32LE(at + 4)) {
    const type = data.readUInt16LE(at + 2);
    if (type < 0xf018 || type > 0xf117) break;
    count++;
  }
  return count;
}

/** Follows the edits of a presentation (2.3.3, 2.3.5): the place of every persistent object by its number; null when that is broken. */
function readPersistence(data: Buffer, currentUser: Buffer): Map<number, number> | null {
  if (currentUser.length < 20 || currentUser.readUInt16LE(2) !== ppt.currentUser) return null;
  const places = new Map<number, number>();
  let edit = currentUser.readUInt32LE(16);
  const seen = new Set<number>();
  while (edit !== 0 || seen.size === 0) {
    if (seen.has(edit) || edit + userEditBytes > data.length || data.readUInt16LE(edit + 2) !== ppt.userEdit)
      return null;
    seen.add(edit);
    const directory = data.readUInt32LE(edit + 20);
    const isList = eachPlace(data, directory, (number, place) => {
      if (!places.has(number)) places.set(number, place);
    });
    if (!isList) return null;
    edit = data.readUInt32LE(edit + 16);
  }
  return places;
}

/** Notes what is wrong with a presentation: the list of places, or records that break off. */
export function checkPresentation(data: Buffer, currentUser: Buffer | null, nesting: number, told: DocumentTold): void {
  const places = currentUser ? readPersistence(data, currentUser) : null;
  if (!places) find(told, { kind: 'places.missing' });
  else {
    const wrong = [...places.values()].filter(
      (place) => place + 8 > data.length || data.readUInt16LE(place + 2) < 0x03e8,
    ).length;
    if (wrong > 0) find(told, { kind: 'places.wrong', count: wrong });
  }
  const found = { gaps: 0, blank: 0 };
  const records = readPptRecords(data, 0, data.length, nesting, found);
  if (found.gaps > 0) find(told, { kind: 'records.gaps', count: found.gaps, of: 'presentation' });
  if (records.some((record) => record.cut || hasCut(record))) find(told, { kind: 'records.cut', of: 'presentation' });
  if (!records.some((record) => record.type === ppt.document)) find(told, { kind: 'records.document' });
}

function hasCut(record: PptRecord): boolean {
  return record.children?.some((child) => child.cut || hasCut(child)) ?? false;
}

/** A presentation put together again: its stream and the one that points to its newest edit. */
export type RebuiltPresentation = { document: Buffer; currentUser: Buffer };

/**
 * Writes every part of the stream anew with one new list of places; null without a document. What the lists of places that are left say
 * of a part's number counts, and where none does, parts are paired with the document's lists in order.
 */
export function rebuildPresentation(data: Buffer, nesting: number, told: DocumentTold): RebuiltPresentation | null {
  const found = { gaps: 0, blank: 0 };
  const records = readPptRecords(data, 0, data.length, nesting, found);
  const known = knownPlaces(data, records);
  const parts = records.filter(({ type, cut, children }) => !bookkeeping.has(type) && (!cut || children !== null));
  if (!parts.some(({ type }) => type === ppt.mainMaster)) {
    parts.push(plainMaster(firstRescued - 1));
    told.lost.push({ how: 'masters.gone', count: 1 });
  }
  const document = newestDocument(parts, known) ?? documentFor(parts);
  if (!document) return null;
  if (!parts.includes(document)) {
    parts.unshift(document);
    told.lost.push({ how: 'records.outline', count: 1 });
    told.remarks.push({ kind: 'presentation' });
  } else addLostLists(document, parts, known);
  const torn = records.filter((record) => record.cut || hasCut(record)).length;
  if (torn > 0) told.lost.push({ how: 'records.torn', count: torn });
  if (found.gaps > 0) told.lost.push({ how: 'records.unread', count: found.gaps });
  if (found.blank > mostBlank) told.lost.push({ how: 'bytes.zeroes', count: found.blank });
  const numbers = assignNumbers(parts, document, known, told);
  const numberOf = new Map([...numbers].map(([number, record]) => [record, number]));
  const pieces: Buffer[] = [];
  let length = 0;
  const places = new Map<number, number>();
  for (const record of parts) {
    const number = numberOf.get(record);
    if (number !== undefined) places.set(number, length);
    const written = writePptRecord(record);
    pieces.push(written);
    length += written.length;
  }
  const directoryAt = length;
  const directory = persistDirectory(places);
  const edit = userEdit(directoryAt, highest(places.keys()) + 1, numberOf.get(document) ?? 1);
  const editAt = directoryAt + directory.length;
  const slides = [...numbers.values()].filter((record) => record.type === ppt.slide).length;
  told.steps.push({ kind: 'places', count: slides });
  return { document: Buffer.concat([...pieces, directory, edit]), currentUser: currentUserStream(editAt) };
}

/** In a damaged presentation more zeroes than this between its parts are what is left of others. */
const mostBlank = 512;

/** Records that only tell where others are. */
const bookkeeping = new Set<number>([ppt.userEdit, ppt.persistDirectory]);

/** The document of the last edit, or of the last one before it that lists more. */
function newestDocument(parts: readonly PptRecord[], known: Known): PptRecord | null {
  const named = known.documentNumber === null ? undefined : known.numbers.get(known.documentNumber);
  const worth = (record: PptRecord) => (record.cut || hasCut(record) ? 0 : 1) + listedIn(record);
  let best: PptRecord | null = null;
  for (const record of parts) {
    if (record.type !== ppt.document) continue;
    if (!best || worth(record) >= worth(best)) best = record;
  }
  return named?.type === ppt.document && best && worth(named) >= worth(best) ? named : best;
}

const listOf = (document: PptRecord, instance: number) =>
  (document.children ?? []).filter((child) => child.type === ppt.slideList && child.version >> 4 === instance);

const listedIn = (document: PptRecord) =>
  [0, 1, 2]
    .flatMap((instance) => listOf(document, instance))
    .reduce((sum, list) => sum + (list.children ?? []).filter(({ type }) => type === ppt.slidePersist).length, 0);

/** The lists of a document, by their instance ([MS-PPT] 2.4.14): the kind of part each names, and how the report calls those. */
const listed: readonly { instance: number; type: number; gone: 'masters.gone' | 'slides.gone' | 'notes.gone' }[] = [
  { instance: 1, type: ppt.mainMaster, gone: 'masters.gone' },
  { instance: 0, type: ppt.slide, gone: 'slides.gone' },
  { instance: 2, type: ppt.notes, gone: 'notes.gone' },
];

/** Parts that have their numbers, and what it takes to give the others theirs. */
class Numbering {
  readonly numbers: Map<number, PptRecord>;
  readonly #parts: PptRecord[];
  readonly #document: PptRecord;
  readonly #used: Set<PptRecord>;
  readonly #replaced: ReadonlySet<PptRecord>;

  constructor(parts: PptRecord[], document: PptRecord, known: Known) {
    this.#parts = parts;
    this.#document = document;
    this.#replaced = known.replaced;
    this.numbers = new Map(
      [...known.numbers].filter(([, record]) => parts.includes(record) && record.type !== ppt.document),
    );
    this.#used = new Set(this.numbers.values());
  }

  /** Parts of a kind that no list of places knows. */
  free(type: number): PptRecord[] {
    return this.#parts.filter(
      (record) => record.type === type && !this.#used.has(record) && !this.#replaced.has(record),
    );
  }

  /** Pairs the entries of a document's list with parts, those without a part taken out; how many of them there were, and what came back of their texts. */
  pair(instance: number, type: number): { missing: number; rescued: number } {
    const found = this.free(type);
    const lists = listOf(this.#document, instance);
    const wanted = lists.flatMap(entriesOf).filter((number) => this.numbers.get(number)?.type !== type).length;
    // The master of the notes stands before them, and in no list.
    if (type === ppt.notes && found.length > wanted) found.shift();
    const count = { missing: 0, rescued: 0 };
    for (const list of lists) list.children = groupsOf(list).flatMap((group) => this.#entry(group, type, found, count));
    return count;
  }

  /** The records of one entry that stay: all of it where its part is there, its number alone where its texts became a slide. */
  #entry(
    { number, records }: Group,
    type: number,
    found: PptRecord[],
    count: { missing: number; rescued: number },
  ): PptRecord[] {
    if (number === null) return records;
    const known = this.numbers.get(number);
    const record = known?.type === type ? known : found.shift();
    if (record) {
      this.numbers.set(number, record);
      return records;
    }
    count.missing++;
    const texts = type === ppt.slide ? records.flatMap(pptTexts) : [];
    if (texts.length === 0) return [];
    // The outline of a lost slide is all that is left of it: it becomes a plain slide.
    const slide = slideWith(texts, masterOf(this.#document), firstRescued + count.rescued++);
    this.#parts.push(slide);
    this.numbers.set(number, slide);
    return records.slice(0, 1);
  }
}

/** The number of the drawing of the first slide that came back from the outline: beyond those of any document's own. */
const firstRescued = 2048;

/** Gives parts their numbers; entries of the document's lists whose part is lost are taken out. */
function assignNumbers(
  parts: PptRecord[],
  document: PptRecord,
  known: Known,
  told: DocumentTold,
): Map<number, PptRecord> {
  const numbering = new Numbering(parts, document, known);
  const { numbers } = numbering;
  for (const { instance, type, gone } of listed) {
    const { missing, rescued } = numbering.pair(instance, type);
    if (missing > 0) told.lost.push({ how: gone, count: missing });
    if (rescued > 0) told.steps.push({ kind: 'outline', count: rescued });
  }
  const objects = numbering.free(ppt.object);
  for (const number of objectNumbers(document)) {
    const record = numbers.has(number) ? undefined : objects.shift();
    if (record) numbers.set(number, record);
  }
  numbers.set(
    known.documentNumber && !numbers.has(known.documentNumber) ? known.documentNumber : freeNumber(numbers),
    document,
  );
  return numbers;
}

function freeNumber(numbers: ReadonlyMap<number, PptRecord>): number {
  if (!numbers.has(1)) return 1;
  return highest(numbers.keys()) + 1;
}

/** An entry of a list, with the texts behind it. */
type Group = { number: number | null; records: PptRecord[] };

/** The entries of a list of slides, each with its texts; what stands before the first has no number. */
function groupsOf(list: PptRecord): Group[] {
  const groups: Group[] = [];
  for (const child of list.children ?? []) {
    const number = numberIn(child);
    if (number !== null || groups.length === 0) groups.push({ number, records: [child] });
    else groups.at(-1)?.records.push(child);
  }
  return groups;
}

/** The identifier of the first master in the document's list (2.4.14.5). */
function masterOf(document: PptRecord): number {
  const entry = listOf(document, 1)
    .flatMap(({ children }) => children ?? [])
    .find(({ type }) => type === ppt.slidePersist);
  return entry && entry.data.length >= 16 ? entry.data.readUInt32LE(12) : 0x80000000;
}

const numberIn = (child: PptRecord): number | null =>
  child.type === ppt.slidePersist && child.data.length >= 4 ? child.data.readUInt32LE(0) : null;

const entriesOf = (list: PptRecord): number[] =>
  (list.children ?? []).map(numberIn).filter((number): number is number => number !== null);

/** Numbers of the objects placed in the presentation (2.10.12). */
function objectNumbers(record: PptRecord): number[] {
  if (record.type === ppt.objectAtom) return record.data.length >= 20 ? [record.data.readUInt32LE(16)] : [];
  return record.children?.flatMap(objectNumbers) ?? [];
}

function persistDirectory(places: ReadonlyMap<number, number>): Buffer {
  const words: number[] = [];
  const sorted = [...places].sort((left, right) => left[0] - right[0]);
  for (let start = 0; start < sorted.length; ) {
    let stop = start + 1;
    while (stop < sorted.length && sorted[stop]?.[0] === (sorted[stop - 1]?.[0] ?? 0) + 1 && stop - start < 4095)
      stop++;
    words.push(
      (((stop - start) << 20) | (sorted[start]?.[0] ?? 0)) >>> 0,
      ...sorted.slice(start, stop).map(([, offset]) => offset),
    );
    start = stop;
  }
  const body = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) body.writeUInt32LE(word, index * 4);
  return writePptRecord(pptAtom(ppt.persistDirectory, body));
}

function userEdit(directoryAt: number, seed: number, document: number): Buffer {
  const body = Buffer.alloc(28);
  body.writeUInt32LE(0x03000dbc, 4);
  body.writeUInt32LE(directoryAt, 12);
  body.writeUInt32LE(document, 16);
  body.writeUInt32LE(seed, 20);
  body.writeUInt16LE(1, 24);
  return writePptRecord(pptAtom(ppt.userEdit, body));
}

function currentUserStream(editAt: number): Buffer {
  const body = Buffer.alloc(24);
  body.writeUInt32LE(20, 0);
  body.writeUInt32LE(0xe391c05f, 4);
  body.writeUInt32LE(editAt, 8);
  body.writeUInt16LE(0, 12);
  body.writeUInt16LE(0x03f4, 14);
  body[16] = 3;
  body.writeUInt32LE(8, 20);
  return writePptRecord(pptAtom(ppt.currentUser, body));
}
