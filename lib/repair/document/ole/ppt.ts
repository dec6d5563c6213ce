import { countWords } from '../../bytes';
import { counted, type Draft } from '../../report';
import { type PptRecord, ppt, pptAtom, pptTexts, readPptRecords, writePptRecord } from './pptrecords';

/** What a presentation stream holds, counted. */
export type PresentationContent = { slides: number; words: number };

/** Whether a sector is the beginning of a presentation stream: the document container with its atom ([MS-PPT] 2.4.1). */
export function beginsPresentation(sector: Buffer): boolean {
  return sector.length >= 16 && sector.readUInt32LE(0) === 0x03e8000f && sector.readUInt16LE(10) === 0x03e9;
}

/** Counts slides and the words on them and in the list of slides. */
export function measurePresentation(data: Buffer, nesting: number): PresentationContent {
  const records = readPptRecords(data, 0, data.length, nesting);
  const slides = records.filter((record) => record.type === ppt.slide);
  const texts = slides.flatMap(pptTexts);
  for (const document of records.filter((record) => record.type === ppt.document)) {
    for (const list of document.children ?? [])
      if (list.type === ppt.slideList && list.version >> 4 === 0) texts.push(...pptTexts(list));
  }
  return {
    slides: slides.length,
    words: texts.reduce((sum, text) => sum + countWords(text.replace(/[\r\v]/g, ' ')), 0),
  };
}

/** Follows the edits of a presentation (2.3.3, 2.3.5): the place of every persistent object by its number; null when that is broken. */
export function readPersistence(data: Buffer, currentUser: Buffer): Map<number, number> | null {
  if (currentUser.length < 20 || currentUser.readUInt16LE(2) !== ppt.currentUser) return null;
  const places = new Map<number, number>();
  let edit = currentUser.readUInt32LE(16);
  const seen = new Set<number>();
  while (edit !== 0 || seen.size === 0) {
    if (seen.has(edit) || edit + 36 > data.length || data.readUInt16LE(edit + 2) !== ppt.userEdit) return null;
    seen.add(edit);
    const directory = data.readUInt32LE(edit + 20);
    if (!readDirectory(data, directory, places)) return null;
    edit = data.readUInt32LE(edit + 16);
  }
  return places;
}

function readDirectory(data: Buffer, at: number, places: Map<number, number>): boolean {
  if (at + 8 > data.length || data.readUInt16LE(at + 2) !== ppt.persistDirectory) return false;
  const end = at + 8 + data.readUInt32LE(at + 4);
  if (end > data.length) return false;
  for (let place = at + 8; place + 4 <= end; ) {
    const head = data.readUInt32LE(place);
    place += 4;
    for (let index = 0; index < head >>> 20 && place + 4 <= end; index++, place += 4) {
      const number = (head & 0xfffff) + index;
      if (!places.has(number)) places.set(number, data.readUInt32LE(place));
    }
  }
  return true;
}

/** Notes what is wrong with a presentation: the list of places, or records that break off. */
export function checkPresentation(data: Buffer, currentUser: Buffer | null, nesting: number, draft: Draft): void {
  const places = currentUser ? readPersistence(data, currentUser) : null;
  if (!places) draft.find('places', 'The list that tells where each slide lies was missing or broken.');
  else {
    const wrong = [...places.values()].filter(
      (place) => place + 8 > data.length || data.readUInt16LE(place + 2) < 0x03e8,
    ).length;
    if (wrong > 0)
      draft.find('places', `The places noted for ${counted(wrong, 'slide or part', 'slides or parts')} are wrong.`);
  }
  const records = readPptRecords(data, 0, data.length, nesting);
  if (records.some((record) => record.cut || hasCut(record)))
    draft.find('records', 'The content of the presentation breaks off before its end.');
  if (!records.some((record) => record.type === ppt.document))
    draft.find('records', 'The main part of the presentation was missing.');
}

function hasCut(record: PptRecord): boolean {
  return record.children?.some((child) => child.cut || hasCut(child)) ?? false;
}

/** A presentation put together again: its stream and the one that points to its newest edit. */
export type RebuiltPresentation = { document: Buffer; currentUser: Buffer };

/** Writes the document, its masters, slides and notes with a new list of places; null without a document or a slide. */
export function rebuildPresentation(data: Buffer, nesting: number, draft: Draft): RebuiltPresentation | null {
  const records = readPptRecords(data, 0, data.length, nesting);
  const document = records.findLast((record) => record.type === ppt.document);
  if (!document) return null;
  if (records.some((record) => record.cut))
    draft.lost.push({ unit: 'records', count: 1, detail: 'the last part is cut short' });
  const pieces: Buffer[] = [];
  let length = 0;
  const places = new Map<number, number>();
  const place = (number: number, record: PptRecord) => {
    const written = writePptRecord(record);
    places.set(number, length);
    pieces.push(written);
    length += written.length;
  };
  const numbers = assignNumbers(records, document, draft);
  // Children must be complete before the document, which lists them, is written; readers find all by their places.
  for (const [number, record] of numbers) place(number, record);
  const documentNumber = 1;
  place(documentNumber, document);
  const directoryAt = length;
  const directory = persistDirectory(places);
  const edit = userEdit(directoryAt, Math.max(...places.keys()) + 1);
  const editAt = directoryAt + directory.length;
  const slides = [...numbers.values()].filter((record) => record.type === ppt.slide).length;
  draft.step('Rebuild list of places', `A new list tells where the ${counted(slides, 'slide')} lie.`);
  return { document: Buffer.concat([...pieces, directory, edit]), currentUser: currentUserStream(editAt) };
}

/** Pairs the document's lists with the slides, masters and notes found, in order; entries whose part is lost are taken out. */
function assignNumbers(records: readonly PptRecord[], document: PptRecord, draft: Draft): Map<number, PptRecord> {
  const numbers = new Map<number, PptRecord>();
  const kinds: [number, number, string][] = [
    [1, ppt.mainMaster, 'masters'],
    [0, ppt.slide, 'slides'],
    [2, ppt.notes, 'notes'],
  ];
  for (const [instance, type, unit] of kinds) {
    const found = records.filter((record) => record.type === type);
    const lists = (document.children ?? []).filter(
      (child) => child.type === ppt.slideList && child.version >> 4 === instance,
    );
    let next = 0;
    let missing = 0;
    for (const list of lists) {
      const kept: PptRecord[] = [];
      let keeping = true;
      for (const child of list.children ?? []) {
        if (child.type === ppt.slidePersist && child.data.length >= 4) {
          const record = found[next];
          keeping = record !== undefined;
          if (record) numbers.set(child.data.readUInt32LE(0), record);
          else missing++;
          next++;
        }
        // The text of a lost slide may stand in the list itself; it is kept with the slide before it.
        if (keeping) kept.push(child);
      }
      list.children = kept;
    }
    if (missing > 0) draft.lost.push({ unit, count: missing });
  }
  numbers.delete(1);
  return numbers;
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

function userEdit(directoryAt: number, seed: number): Buffer {
  const body = Buffer.alloc(28);
  body.writeUInt32LE(0x03000dbc, 4);
  body.writeUInt32LE(directoryAt, 12);
  body.writeUInt32LE(1, 16);
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
