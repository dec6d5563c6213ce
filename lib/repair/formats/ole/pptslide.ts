import { Buffer } from '../../host/bytes';
import { type PptRecord, ppt, pptAtom, pptContainer } from './pptrecords';

/** Records of a drawing ([MS-ODRAW] 2.2). */
const art = {
  drawing: 0xf002,
  group: 0xf003,
  shape: 0xf004,
  drawingAtom: 0xf008,
  groupAtom: 0xf009,
  shapeAtom: 0xf00a,
  textbox: 0xf00d,
  anchor: 0xf010,
} as const;

/** Flags of shapes ([MS-ODRAW] 2.2.40): the group that holds all others, and one with a place and a type of its own. */
const groupShape = 5;
const placedShape = 0xa00;
/** The type of a box of text (2.4.24). */
const textBox = 202;
/** Eight colours of a plain slide. */
const colours = 'ffffff00000000008080800000000000bbe0e300333399000099990099cc0000';

/** A slide with a box for each text, to stand for one that is lost while the document's outline still has its texts. */
export function slideWith(texts: readonly string[], master: number, drawing: number): PptRecord {
  const atom = Buffer.alloc(24);
  atom.writeUInt32LE(0x10, 0);
  atom.writeUInt32LE(master, 12);
  // It shows what its master shows.
  atom.writeUInt16LE(7, 20);
  return sheetWith(ppt.slide, atom, texts, drawing);
}

/** A main master without anything on it (2.5.3): no presentation is shown without one. */
export const plainMaster = (drawing: number): PptRecord => sheetWith(ppt.mainMaster, Buffer.alloc(24), [], drawing);

function sheetWith(type: number, atom: Buffer, texts: readonly string[], drawing: number): PptRecord {
  const first = drawing * 1024;
  const top = shape(0, first, groupShape, [pptAtom(art.groupAtom, Buffer.alloc(16), 1)], []);
  const height = Math.floor(4000 / Math.max(1, texts.length));
  const boxes = texts.map((text, index) => {
    const anchor = Buffer.alloc(8);
    for (const [at, value] of [150 + index * height, 300, 5460, 100 + (index + 1) * height].entries())
      anchor.writeInt16LE(Math.min(32_000, value), at * 2);
    const header = Buffer.alloc(4);
    header.writeUInt32LE(4, 0);
    const words = pptAtom(ppt.textChars, Buffer.from(text, 'utf16le'));
    const box = pptContainer(art.textbox, [pptAtom(ppt.textHeader, header), words]);
    return shape(textBox, first + 1 + index, placedShape, [], [pptAtom(art.anchor, anchor), box]);
  });
  const count = Buffer.alloc(8);
  count.writeUInt32LE(texts.length + 1, 0);
  count.writeUInt32LE(first + texts.length, 4);
  const whole = pptContainer(art.drawing, [
    pptAtom(art.drawingAtom, count, drawing << 4),
    pptContainer(art.group, [top, ...boxes]),
  ]);
  return pptContainer(type, [
    pptAtom(ppt.slideAtom, atom, 2),
    pptContainer(ppt.drawing, [whole]),
    pptAtom(ppt.colours, Buffer.from(colours, 'hex'), 0x10),
  ]);
}

function shape(kind: number, id: number, flags: number, before: PptRecord[], behind: PptRecord[]): PptRecord {
  const atom = Buffer.alloc(8);
  atom.writeUInt32LE(id, 0);
  atom.writeUInt32LE(flags, 4);
  return pptContainer(art.shape, [...before, pptAtom(art.shapeAtom, atom, (kind << 4) | 2), ...behind]);
}
