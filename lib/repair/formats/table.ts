/**
 * The one table of formats: what the engine, the upload check, the catalogue and the names of results need to know of each. Plain data
 * that a browser can load. Their order is the one in which the tools list them.
 */

/** The three families, each with an online tool of its own. */
export type Family = 'video' | 'document' | 'photo';

/** First bytes of an intact file: each text stands at its place, as Latin-1. */
export type Signature = readonly { readonly at: number; readonly text: string }[];

type LayoutRow = {
  signatures: readonly Signature[];
  /** Words that stand in every file of the layout, wherever it begins now. */
  marks?: readonly string[];
};

const begins = (text: string): Signature => [{ at: 0, text }];

/** How formats are laid out; several can share a layout, and then only the content tells them apart. */
export const layouts = {
  /** ISO/IEC 14496-12. */
  iso: { signatures: [[{ at: 4, text: 'ftyp' }]], marks: ['ftyp', 'moov', 'mdat', 'moof'] },
  /** ISO/IEC 13818-1; known by its rhythm of packets, not by first bytes. */
  transport: { signatures: [] },
  /** RFC 8794, RFC 9559. */
  matroska: { signatures: [begins('\x1a\x45\xdf\xa3')], marks: ['matroska', 'webm'] },
  avi: {
    signatures: [
      [
        { at: 0, text: 'RIFF' },
        { at: 8, text: 'AVI ' },
      ],
    ],
    marks: ['LIST', 'movi'],
  },
  flv: { signatures: [begins('FLV\x01')], marks: ['FLV'] },
  /** SMPTE ST 377-1. */
  mxf: { signatures: [begins('\x06\x0e\x2b\x34\x02')] },
  /** ISO 32000-2. */
  pdf: { signatures: [begins('%PDF-')] },
  /** APPNOTE 4.3.7. */
  zip: { signatures: [begins('PK\x03\x04')] },
  /** [MS-CFB] 2.2. */
  ole: { signatures: [begins('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')] },
  /** ISO/IEC 10918-1, annex B. */
  jpeg: { signatures: [begins('\xff\xd8\xff')] },
  /** ISO/IEC 15948. */
  png: { signatures: [begins('\x89PNG\r\n\x1a\n')] },
  /** TIFF 6.0, and BigTIFF. */
  tiff: { signatures: [begins('II*\0'), begins('MM\0*'), begins('II+\0'), begins('MM\0+')] },
  raf: { signatures: [begins('FUJIFILMCCD-RAW')] },
  /** RFC 9649. */
  webp: {
    signatures: [
      [
        { at: 0, text: 'RIFF' },
        { at: 8, text: 'WEBP' },
      ],
    ],
  },
  /** CIFF 1.0. */
  ciff: {
    signatures: [
      [
        { at: 0, text: 'II\x1a\0' },
        { at: 6, text: 'HEAPCCDR' },
      ],
    ],
  },
} as const satisfies Record<string, LayoutRow>;
export type Layout = keyof typeof layouts;

type FormatRow = {
  family: Family;
  layout: Layout;
  /** What a person calls it. */
  name: string;
  /** Endings of names that the online tool takes, in lower case. */
  endings: readonly string[];
  /** Further endings that mean it, which the command line understands. */
  synonyms?: readonly string[];
  /** The format whose content it shares, so that only the name tells them apart. */
  like?: string;
};

/** Every format, by the ending that names its results. */
export const formats = {
  mov: { family: 'video', layout: 'iso', name: 'MOV', endings: ['mov'], synonyms: ['qt'] },
  mp4: { family: 'video', layout: 'iso', name: 'MP4', endings: ['mp4'] },
  m2ts: { family: 'video', layout: 'transport', name: 'M2TS', endings: ['m2ts'] },
  mkv: { family: 'video', layout: 'matroska', name: 'MKV', endings: ['mkv'], synonyms: ['mk3d'] },
  mts: { family: 'video', layout: 'transport', name: 'MTS', endings: ['mts'], synonyms: ['ts'], like: 'm2ts' },
  '3gp': { family: 'video', layout: 'iso', name: '3GP', endings: ['3gp'], synonyms: ['3g2'] },
  avi: { family: 'video', layout: 'avi', name: 'AVI', endings: ['avi'] },
  flv: { family: 'video', layout: 'flv', name: 'FLV', endings: ['flv'] },
  mxf: { family: 'video', layout: 'mxf', name: 'MXF', endings: ['mxf'] },
  insv: { family: 'video', layout: 'iso', name: 'INSV', endings: ['insv'], like: 'mp4' },
  m4v: { family: 'video', layout: 'iso', name: 'M4V', endings: ['m4v'], like: 'mp4' },
  pdf: { family: 'document', layout: 'pdf', name: 'PDF', endings: ['pdf'] },
  docx: { family: 'document', layout: 'zip', name: 'DOCX', endings: ['docx'], synonyms: ['docm'] },
  pptx: { family: 'document', layout: 'zip', name: 'PPTX', endings: ['pptx'] },
  xlsx: { family: 'document', layout: 'zip', name: 'XLSX', endings: ['xlsx'] },
  odt: { family: 'document', layout: 'zip', name: 'ODT', endings: [] },
  ods: { family: 'document', layout: 'zip', name: 'ODS', endings: [] },
  odp: { family: 'document', layout: 'zip', name: 'ODP', endings: [] },
  doc: { family: 'document', layout: 'ole', name: 'DOC', endings: ['doc'] },
  ppt: { family: 'document', layout: 'ole', name: 'PPT', endings: ['ppt'] },
  xls: { family: 'document', layout: 'ole', name: 'XLS', endings: ['xls'] },
  jpg: { family: 'photo', layout: 'jpeg', name: 'JPG', endings: ['jpeg', 'jpg'], synonyms: ['jpe'] },
  cr3: { family: 'photo', layout: 'iso', name: 'CR3', endings: ['cr3'] },
  cr2: { family: 'photo', layout: 'tiff', name: 'CR2', endings: ['cr2'] },
  nef: { family: 'photo', layout: 'tiff', name: 'NEF', endings: ['nef'] },
  nrw: { family: 'photo', layout: 'tiff', name: 'NRW', endings: ['nrw'], like: 'nef' },
  raf: { family: 'photo', layout: 'raf', name: 'RAF', endings: ['raf'] },
  dng: { family: 'photo', layout: 'tiff', name: 'DNG', endings: ['dng'] },
  arw: { family: 'photo', layout: 'tiff', name: 'ARW', endings: ['arw'] },
  gpr: { family: 'photo', layout: 'tiff', name: 'GPR', endings: ['gpr'] },
  tif: { family: 'photo', layout: 'tiff', name: 'TIF', endings: ['tif', 'tiff'] },
  crw: { family: 'photo', layout: 'ciff', name: 'CRW', endings: ['crw'] },
  png: { family: 'photo', layout: 'png', name: 'PNG', endings: ['png'] },
  /** On the command line alone. */
  webp: { family: 'photo', layout: 'webp', name: 'WebP', endings: [] },
} as const satisfies Record<string, FormatRow>;
export type FormatId = keyof typeof formats;

const rows = Object.entries(formats) as [FormatId, FormatRow][];

/** The endings of names that the online tool of a family takes, in the tool's order. */
export function endingsOf(family: Family): string[] {
  return rows.flatMap(([, row]) => (row.family === family ? row.endings : []));
}

/** The formats of a layout, those of one family alone where it is named. */
export function formatsOf(layout: Layout, family?: Family): FormatId[] {
  return rows.flatMap(([id, row]) => (row.layout === layout && (!family || row.family === family) ? [id] : []));
}

/** The ending of a file's name, in lower case and without the dot; empty where there is none. */
export function endingOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot === -1 ? '' : fileName.slice(dot + 1).toLowerCase();
}

/** The format that an ending means; null for one that the table does not know. */
export function formatOfEnding(ending: string): FormatId | null {
  const found = rows.find(
    ([id, row]) => id === ending || row.endings.includes(ending) || row.synonyms?.includes(ending),
  );
  return found?.[0] ?? null;
}

/** True when two endings mean formats that share their content, so that a result may keep the name it had. */
export function isSameContent(one: string, other: string): boolean {
  const contentOf = (ending: string): string => {
    const id = formatOfEnding(ending.toLowerCase());
    const row: FormatRow | null = id && formats[id];
    return row?.like ?? id ?? ending.toLowerCase();
  };
  return contentOf(one) === contentOf(other);
}

/** "MOV, MP4 or M4V". */
export function endingsInWords(endings: readonly string[]): string {
  const names = endings.map((ending) => ending.toUpperCase());
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
