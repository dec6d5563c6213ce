import { describe, expect, it } from 'vitest';
import { nothingToldYet } from '../../lib/repair/families/document';
import { rebuildPresentation } from '../../lib/repair/formats/ole/ppt';
import {
  type PptRecord,
  ppt,
  pptAtom,
  pptContainer,
  readPptRecords,
  writePptRecord,
} from '../../lib/repair/formats/ole/pptrecords';

/** A slide with a text, which names its notes ([MS-PPT] 2.5.10, notesIdRef). */
function slide(text: string, notes: number): PptRecord {
  const atom = Buffer.alloc(24);
  atom.writeUInt32LE(0x80000000, 12);
  atom.writeUInt32LE(notes, 16);
  return pptContainer(ppt.slide, [pptAtom(ppt.slideAtom, atom, 2), pptAtom(ppt.textBytes, Buffer.from(text))]);
}

const notes = (text: string) =>
  pptContainer(ppt.notes, [pptAtom(0x03f1, Buffer.alloc(8), 1), pptAtom(ppt.textBytes, Buffer.from(text))]);

/** The stream after its rebuilding: its parts, and of each list of its document, by instance, the numbers and identifiers. */
function rebuilt(parts: readonly PptRecord[]) {
  const told = nothingToldYet();
  const made = rebuildPresentation(Buffer.concat(parts.map(writePptRecord)), 50, told)?.document ?? Buffer.alloc(0);
  const records = readPptRecords(made, 0, made.length, 50);
  const children = records.find(({ type }) => type === ppt.document)?.children ?? [];
  const listed = (instance: number) =>
    children
      .filter(({ type, version }) => type === ppt.slideList && version >> 4 === instance)
      .flatMap((list) => list.children ?? [])
      .map(({ data }) => data.readUInt32LE(12));
  return { told, records, listed };
}

const slides = [slide('alpha', 300), notes('said of alpha'), slide('beta', 301), notes('said of beta')];
const master = pptContainer(ppt.mainMaster, [pptAtom(ppt.slideAtom, Buffer.alloc(24), 2)]);

describe('presentations whose document is lost or torn', () => {
  it('list notes by the names that their slides give them', () => {
    const { listed } = rebuilt([master, ...slides]);
    expect(listed(0)).toEqual([256, 257]);
    expect(listed(2)).toEqual([300, 301]);
  });

  it('get a plain master where none is left, and say so', () => {
    const { told, records, listed } = rebuilt(slides);
    expect(records.filter(({ type }) => type === ppt.mainMaster)).toHaveLength(1);
    expect(listed(1)).toEqual([0x80000000]);
    expect(told.lost).toContainEqual({ how: 'masters.gone', count: 1 });
  });

  it('list the slides again where the document lost that list', () => {
    const document = pptContainer(ppt.document, [
      pptAtom(ppt.documentAtom, Buffer.alloc(40), 1),
      pptAtom(ppt.endDocument, Buffer.alloc(0)),
    ]);
    const { records, listed } = rebuilt([document, master, ...slides]);
    expect(listed(0)).toEqual([256, 257]);
    expect(listed(1)).toEqual([0x80000000]);
    expect(listed(2)).toEqual([300, 301]);
    expect(records.filter(({ type }) => type === ppt.document)).toHaveLength(1);
  });
});

it('a group whose length cannot be keeps what is drawn in it', () => {
  const shape = (text: string) => pptContainer(0xf004, [pptAtom(ppt.textBytes, Buffer.from(text))]);
  const drawing = writePptRecord(pptContainer(ppt.slide, [pptContainer(0xf003, [shape('alpha'), shape('beta')])]));
  drawing.writeUInt32LE(0x2fc21281, 8 + 4);
  const [found] = readPptRecords(drawing, 0, drawing.length, 50);
  expect(found?.children?.map(({ type, cut }) => ({ type, cut }))).toEqual([{ type: 0xf003, cut: true }]);
  expect(found?.children?.[0]?.children?.map(({ type }) => type)).toEqual([0xf004, 0xf004]);
});
