import { formatsOf } from '../formats/table';
import { Buffer } from '../host/bytes';
import { topNames } from './compound';
import { type Detection, type Format, known } from './types';

/** Bytes of a directory entry's name, which its length stands behind ([MS-CFB] 2.6.1). */
const nameBytes = 64;

const officeFolders: [string, Format][] = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
];

/** Names that tell the format when no header can be read around them, as in a file that was stored as text. */
const mainParts: [string, Format][] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
];

/** Headers of members, local (APPNOTE 4.3.7) and central (4.3.12): where the length of the name stands in each, and where the name. */
const memberHeaders = [
  { signature: 'PK\x03\x04', lengthAt: 26, nameAt: 30 },
  { signature: 'PK\x01\x02', lengthAt: 28, nameAt: 46 },
] as const;

/** Headers of one kind that are looked at, and bytes of a name: more does not tell more of the format. */
const mostHeaders = 4000;
const longestName = 260;

/** The name in a header of a member; in one whose line ends were made two bytes, as version 10 of the format is one, it lies further on. */
function nameIn(header: Buffer, lengthAt: number, nameAt: number): string {
  const read = (from: Buffer) =>
    from.toString('latin1', nameAt, nameAt + Math.min(from.readUInt16LE(lengthAt), longestName));
  const name = read(header);
  if (name !== '' && [...name].every((letter) => letter >= ' ')) return name;
  const text = header.toString('latin1', 0, nameAt + longestName);
  const before = Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1');
  return before.length < text.length && before.length >= nameAt ? read(before) : name;
}

/** Names of members, by their headers wherever they are, with where the header begins. */
function* memberNames(bytes: Buffer): Generator<{ name: string; at: number }> {
  for (const { signature, lengthAt, nameAt } of memberHeaders) {
    let at = bytes.indexOf(signature, 0, 'latin1');
    for (let seen = 0; at >= 0 && seen < mostHeaders; seen++) {
      if (at + nameAt <= bytes.length) yield { name: nameIn(bytes.subarray(at), lengthAt, nameAt), at };
      at = bytes.indexOf(signature, at + 4, 'latin1');
    }
  }
}

/** Parts that every office document has, whatever program it is for. */
const officeParts = /^(\[content_types\]\.xml|_rels\/\.rels|docprops\/)/;

/** Kinds of OpenDocument that are repaired, templates and pages for the web among them, by what the first member says of them (ODF 1.3 part 2, 3.3 and appendix C). */
const openDocuments: [RegExp, Format][] = [
  [/opendocument\.text/, 'odt'],
  [/opendocument\.spreadsheet/, 'ods'],
  [/opendocument\.presentation/, 'odp'],
];

/** Bytes in which the kind of an OpenDocument is named. */
const kindBytes = 60;

/** What a member that names the kind of an OpenDocument says; null for any other member. */
function openDocument(bytes: Buffer, { name, at }: { name: string; at: number }): Detection {
  const said = name === 'mimetype' ? bytes.toString('latin1', at + 30 + 8, at + 30 + 8 + kindBytes) : '';
  if (!said.includes('opendocument')) return null;
  const format = openDocuments.find(([pattern]) => pattern.test(said.split('PK')[0] ?? ''))?.[1];
  return format ? known(format) : { format: null, other: 'opendocument' };
}

/** What the first member of an OpenDocument begins with, unpacked, so that its kind can be read off the file (ODF 1.3 part 2, 3.3), and the bytes in which it then stands, those of its header written as text among them. */
const kindMark = 'mimetypeapplication/vnd.oasis.';
const mostBeforeKind = 128;

/** The kind that an OpenDocument begins with where no header can be read around it, as in a file that was stored as text; null where none stands there. */
function kindInText(bytes: Buffer): Detection {
  const at = bytes.toString('latin1', 0, mostBeforeKind).indexOf(kindMark);
  const said = at < 0 ? '' : bytes.toString('latin1', at + kindMark.length, at + kindMark.length + kindBytes);
  const format = openDocuments.find(([pattern]) => pattern.test(said.split('PK')[0] ?? ''))?.[1];
  return format ? known(format) : null;
}

/** Parts that every OpenDocument has, and no other package. */
const odfParts = ['content.xml', 'META-INF/manifest.xml'];

/** Whether only the beginning is that of a ZIP: no list of members follows, but the directory of a compound file, as the name says. */
const isBeginningAlone = (bytes: Buffer, claimed: Format): boolean =>
  formatsOf('ole').includes(claimed) && bytes.indexOf('PK\x01\x02', 0, 'latin1') < 0 && namesOleStream(bytes);

/** What kind of ZIP this is, by the names of its members. */
export function zipFormat(bytes: Buffer, claimed: Format | null = null): Detection {
  if (claimed && isBeginningAlone(bytes, claimed)) return oleFormat(bytes, claimed);
  const votes = new Map<Format, number>();
  const odf = new Set<string>();
  let office = false;
  let others = 0;
  for (const member of memberNames(bytes)) {
    const open = openDocument(bytes, member);
    if (open) return open;
    if (odfParts.includes(member.name)) odf.add(member.name);
    const path = member.name.toLowerCase().replaceAll('\\', '/').replace(/^\//, '');
    const folder = officeFolders.find(([prefix]) => path.startsWith(prefix));
    if (folder) votes.set(folder[1], (votes.get(folder[1]) ?? 0) + 1);
    else if (officeParts.test(path)) office = true;
    else others++;
  }
  const best = [...votes].sort((left, right) => right[1] - left[1])[0];
  if (best && (office || best[1] * 4 >= others)) return known(best[0]);
  // The last byte of a header before the name is zero.
  const named = mainParts.filter(([name]) => bytes.indexOf(`\0${name}`, 0, 'latin1') >= 0);
  // Charts of a presentation hold workbooks of their own, so that more than one may be named.
  const main = named.length === 1 ? named[0] : named.find(([, format]) => format === claimed);
  if (main) return known(main[1]);
  const kind = kindInText(bytes);
  if (kind) return kind;
  if (odf.size === odfParts.length) return known(claimed === 'ods' || claimed === 'odp' ? claimed : 'odt');
  return { format: null, other: 'zip' };
}

const streamNames: [string, Format][] = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['PowerPoint Document', 'ppt'],
  ['Book', 'xls'],
];

/** The stream of PowerPoint 4, which wrote compound files before their content was the one of [MS-PPT]. */
const olderPresentation = 'PP40';

/** Formats that a compound file holds where they ask for a password ([MS-OFFCRYPTO] 1.3). */
const modern: readonly Format[] = officeFolders.map(([, format]) => format);

/** What kind of OLE compound file this is ([MS-CFB]), by the stream names in its directory, or by its content when that is gone. */
export function oleFormat(bytes: Buffer, claimed: Format | null): Detection {
  if (directoryNames(bytes, 'EncryptedPackage')) return known(claimed && modern.includes(claimed) ? claimed : 'docx');
  const top = topNames(bytes);
  for (const [name, format] of streamNames) if (top.names.has(name.toUpperCase())) return known(format);
  if (top.whole && top.names.has(olderPresentation)) return { format: null, other: 'powerpoint4' };
  for (const [name, format] of streamNames) if (directoryNames(bytes, name)) return known(format);
  const content = oleContent(bytes);
  if (content) return known(content);
  if (claimed && formatsOf('ole').includes(claimed)) {
    // A directory that is there only in part does not tell that there is no document.
    return directoryNames(bytes, 'Root Entry') && top.whole ? { format: null, other: 'oleEmpty' } : known(claimed);
  }
  return { format: null, other: 'ole' };
}

/** Records of cells of a workbook ([MS-XLS] 2.4.149, 2.4.180, 2.4.220), each with its length: a shared text, a number, a short number. */
const cellHeads = [0x000a00fd, 0x000e0203, 0x000a027e];
/** Cells that follow each other by no chance. */
const enoughCells = 8;

/** Whether cells of a workbook stand one behind the other somewhere in the file. */
export function holdsCells(bytes: Buffer): boolean {
  const isCell = (at: number) => at + 4 <= bytes.length && cellHeads.includes(bytes.readUInt32LE(at));
  for (const head of cellHeads) {
    const mark = Buffer.alloc(4);
    mark.writeUInt32LE(head);
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 4)) {
      let [place, run] = [at, 0];
      for (; run < enoughCells && isCell(place); run++) place += 4 + bytes.readUInt16LE(place + 2);
      if (run >= enoughCells) return true;
    }
  }
  return false;
}

/** Whether a directory entry names one of the streams that documents are made of, wherever it now lies. */
export function namesOleStream(bytes: Buffer): boolean {
  return streamNames.some(([name]) => directoryNames(bytes, name));
}

/** A directory entry ([MS-CFB] 2.6.1): the name in UTF-16, ended by zero, at a multiple of 128 bytes from some start of sectors. */
function directoryNames(bytes: Buffer, name: string): boolean {
  const needle = Buffer.from(`${name}\0`, 'utf16le');
  let at = bytes.indexOf(needle);
  while (at >= 0) {
    const length = at + nameBytes + 2 <= bytes.length ? bytes.readUInt16LE(at + nameBytes) : 0;
    if (length === needle.length) return true;
    at = bytes.indexOf(needle, at + 2);
  }
  return false;
}

/** Streams known by how they begin: Word's FIB, Excel's BOF of a workbook, PowerPoint's document container. */
export function oleContent(bytes: Buffer): Format | null {
  const end = Math.min(bytes.length, 1 << 22);
  for (let at = 0; at + 16 <= end; at += 512) {
    const first = bytes.readUInt32LE(at);
    if (
      ((first & 0xffff) === 0xa5ec || (first & 0xffff) === 0xa5dc) &&
      [0xc1, 0xd9, 0x101, 0x65, 0x68].includes(bytes.readUInt16LE(at + 2))
    )
      return 'doc';
    if (first === 0x00100809 && bytes.readUInt32LE(at + 4) === 0x00050600) return 'xls';
    if (first === 0x00080809 && bytes.readUInt32LE(at + 4) === 0x00050500) return 'xls';
    if (first === 0x03e8000f && bytes.readUInt16LE(at + 10) === 0x03e9) return 'ppt';
  }
  return null;
}
