import { Buffer } from '../../host/bytes';
import type { Known } from './pptplaces';
import { type PptRecord, ppt, pptAtom, pptContainer } from './pptrecords';

/** The identifiers of the first master and the first slide ([MS-PPT] 2.2.13, MasterId, and 2.2.25, SlideId). */
const firstMaster = 0x80000000;
const firstSlide = 0x100;
/** Where a slide names its notes in its atom (2.5.10, notesIdRef). */
const notesPlace = 16;

/** A plain document (2.4.1) around slides, masters and notes that lost theirs; null when there is no slide. */
export function documentFor(parts: readonly PptRecord[]): PptRecord | null {
  const slides = parts.filter(({ type }) => type === ppt.slide);
  if (slides.length === 0) return null;
  const atom = Buffer.alloc(40);
  for (const [index, value] of [5760, 4320, 4320, 5760, 1, 2].entries()) atom.writeInt32LE(value, index * 4);
  atom.writeUInt16LE(1, 32);
  let next = 2;
  const list = (instance: number, ids: readonly number[]): PptRecord =>
    pptContainer(
      ppt.slideList,
      ids.map((id) => entryOf(next++, id)),
      instance,
    );
  const masters = parts.filter(({ type }) => type === ppt.mainMaster);
  return pptContainer(ppt.document, [
    pptAtom(ppt.documentAtom, atom, 1),
    list(
      1,
      masters.map((_, index) => firstMaster + index),
    ),
    list(
      0,
      slides.map((_, index) => firstSlide + index),
    ),
    list(2, notesOf(slides, parts)),
    pptAtom(ppt.endDocument, Buffer.alloc(0)),
  ]);
}

/** The identifiers of notes, by which the slides name theirs, where the notes are as many; that of their master, which no list names, aside. */
function notesOf(slides: readonly PptRecord[], parts: readonly PptRecord[]): number[] {
  const named = slides.flatMap(({ children }) => {
    const atom = children?.find(({ type }) => type === ppt.slideAtom)?.data;
    const id = atom && atom.length >= notesPlace + 4 ? atom.readUInt32LE(notesPlace) : 0;
    return id === 0 ? [] : [id];
  });
  const notes = parts.filter(({ type }) => type === ppt.notes).length;
  return notes === named.length || notes === named.length + 1 ? named : [];
}

/** An entry of a list (2.4.14.5): the number of a part among the places, and its identifier. */
function entryOf(number: number, id: number): PptRecord {
  const entry = Buffer.alloc(20);
  entry.writeUInt32LE(number, 0);
  entry.writeUInt32LE(id, 12);
  return pptAtom(ppt.slidePersist, entry);
}

/** The lists of a document by their instance, what they name, and their first identifier. */
const lists = [
  { instance: 1, type: ppt.mainMaster, first: firstMaster },
  { instance: 0, type: ppt.slide, first: firstSlide },
  { instance: 2, type: ppt.notes, first: firstSlide },
] as const;

/** Gives a damaged document the lists of masters, slides or notes that are lost, with all of these that no newer ones replaced. */
export function addLostLists(document: PptRecord, parts: readonly PptRecord[], known: Known): void {
  const numberOf = new Map([...known.numbers].map(([number, record]) => [record, number]));
  const children = document.children ?? [];
  const listed = children.flatMap((list) => (list.type === ppt.slideList ? (list.children ?? []) : []));
  const named = listed.map(({ type, data }) =>
    type === ppt.slidePersist && data.length >= 4 ? data.readUInt32LE(0) : 0,
  );
  let next = [...known.numbers.keys(), ...named].reduce((most, number) => Math.max(most, number), 1) + 1;
  const added: PptRecord[] = [];
  for (const { instance, type, first } of lists) {
    if (children.some((list) => list.type === ppt.slideList && list.version >> 4 === instance)) continue;
    const found = parts.filter((record) => record.type === type && !known.replaced.has(record));
    const ids =
      type === ppt.notes
        ? notesOf(
            parts.filter((one) => one.type === ppt.slide),
            parts,
          )
        : null;
    const own = ids ? found.slice(found.length - ids.length) : found;
    const entries = own.map((record, index) => entryOf(numberOf.get(record) ?? next++, ids?.[index] ?? first + index));
    if (entries.length > 0) added.push(pptContainer(ppt.slideList, entries, instance));
  }
  const end = children.findIndex(({ type }) => type === ppt.endDocument);
  document.children = end < 0 ? [...children, ...added] : children.toSpliced(end, 0, ...added);
}
