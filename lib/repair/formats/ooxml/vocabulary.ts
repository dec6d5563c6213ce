import { byName } from '../../core/named';

/** What a part of an office package is (ECMA-376 part 1, 11.3, 12.3, 13.3 and 15.2): its content type and the relationship that leads to it. */
export type PartKind = { path: RegExp; type: string; relation: string };

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const wordprocessing = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const presentation = 'application/vnd.openxmlformats-officedocument.presentationml';
const drawing = 'application/vnd.openxmlformats-officedocument.drawingml';

function kind(path: RegExp, type: string, relation: string): PartKind {
  return { path, type: `${type}+xml`, relation: `${relations}/${relation}` };
}

/** Parts by path. Office programs name them so; packages whose relationships survive do not need this table. */
const partKinds: readonly PartKind[] = [
  kind(/^word\/document\d*\.xml$/, `${wordprocessing}.document.main`, 'officeDocument'),
  kind(/^xl\/workbook\.xml$/, `${spreadsheet}.sheet.main`, 'officeDocument'),
  kind(/^ppt\/presentation\.xml$/, `${presentation}.presentation.main`, 'officeDocument'),
  kind(/^word\/styles\.xml$/, `${wordprocessing}.styles`, 'styles'),
  kind(/^word\/settings\.xml$/, `${wordprocessing}.settings`, 'settings'),
  kind(/^word\/webSettings\.xml$/, `${wordprocessing}.webSettings`, 'webSettings'),
  kind(/^word\/fontTable\.xml$/, `${wordprocessing}.fontTable`, 'fontTable'),
  kind(/^word\/numbering\.xml$/, `${wordprocessing}.numbering`, 'numbering'),
  kind(/^word\/footnotes\.xml$/, `${wordprocessing}.footnotes`, 'footnotes'),
  kind(/^word\/endnotes\.xml$/, `${wordprocessing}.endnotes`, 'endnotes'),
  kind(/^word\/comments\.xml$/, `${wordprocessing}.comments`, 'comments'),
  kind(/^word\/header\d*\.xml$/, `${wordprocessing}.header`, 'header'),
  kind(/^word\/footer\d*\.xml$/, `${wordprocessing}.footer`, 'footer'),
  kind(/^xl\/worksheets\/[^/]+\.xml$/, `${spreadsheet}.worksheet`, 'worksheet'),
  kind(/^xl\/chartsheets\/[^/]+\.xml$/, `${spreadsheet}.chartsheet`, 'chartsheet'),
  kind(/^xl\/styles\.xml$/, `${spreadsheet}.styles`, 'styles'),
  kind(/^xl\/sharedStrings\.xml$/, `${spreadsheet}.sharedStrings`, 'sharedStrings'),
  kind(/^xl\/comments\d*\.xml$/, `${spreadsheet}.comments`, 'comments'),
  kind(/^xl\/tables\/[^/]+\.xml$/, `${spreadsheet}.table`, 'table'),
  kind(/^ppt\/slides\/[^/]+\.xml$/, `${presentation}.slide`, 'slide'),
  kind(/^ppt\/slideLayouts\/[^/]+\.xml$/, `${presentation}.slideLayout`, 'slideLayout'),
  kind(/^ppt\/slideMasters\/[^/]+\.xml$/, `${presentation}.slideMaster`, 'slideMaster'),
  kind(/^ppt\/notesSlides\/[^/]+\.xml$/, `${presentation}.notesSlide`, 'notesSlide'),
  kind(/^ppt\/notesMasters\/[^/]+\.xml$/, `${presentation}.notesMaster`, 'notesMaster'),
  kind(/^ppt\/presProps\.xml$/, `${presentation}.presProps`, 'presProps'),
  kind(/^ppt\/viewProps\.xml$/, `${presentation}.viewProps`, 'viewProps'),
  kind(/^ppt\/tableStyles\.xml$/, `${presentation}.tableStyles`, 'tableStyles'),
  kind(/^\w+\/charts\/chart[^/]*\.xml$/, `${drawing}.chart`, 'chart'),
  kind(/^xl\/drawings\/[^/]+\.xml$/, 'application/vnd.openxmlformats-officedocument.drawing', 'drawing'),
  kind(/^\w+\/theme\/[^/]+\.xml$/, 'application/vnd.openxmlformats-officedocument.theme', 'theme'),
  kind(
    /^docProps\/app\.xml$/,
    'application/vnd.openxmlformats-officedocument.extended-properties',
    'extended-properties',
  ),
  kind(
    /^docProps\/custom\.xml$/,
    'application/vnd.openxmlformats-officedocument.custom-properties',
    'custom-properties',
  ),
  {
    path: /^docProps\/core\.xml$/,
    type: 'application/vnd.openxmlformats-package.core-properties+xml',
    relation: `${packageRelations}/metadata/core-properties`,
  },
  { path: /^xl\/drawings\/[^/]+\.vml$/, type: '', relation: `${relations}/vmlDrawing` },
  { path: /^\w+\/media\/[^/]+$/, type: '', relation: `${relations}/image` },
  { path: /^\w+\/embeddings\/[^/]+$/, type: '', relation: `${relations}/package` },
];

/** Content types of the file extensions that packages carry. */
export const extensionTypes: Record<string, string> = byName({
  rels: 'application/vnd.openxmlformats-package.relationships+xml',
  xml: 'application/xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  emf: 'image/x-emf',
  wmf: 'image/x-wmf',
  svg: 'image/svg+xml',
  wdp: 'image/vnd.ms-photo',
  vml: 'application/vnd.openxmlformats-officedocument.vmlDrawing',
  bin: 'application/vnd.openxmlformats-officedocument.oleObject',
  odttf: 'application/vnd.openxmlformats-officedocument.obfuscatedFont',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  mp4: 'video/mp4',
});

export const relationshipNamespace = packageRelations;
export const officeRelationships = relations;

/** Whether office programs name a part so. */
export function isKnownPart(path: string): boolean {
  return (
    partKind(path) !== undefined || /^\[Content_Types\]\.xml$|^(?:\w+\/)*_rels\/[\w.]*\.rels$|^docProps\//.test(path)
  );
}

/** Whether a relationship of this type leads to a part of a known kind. */
export const isKnownRelation = (type: string): boolean => partKinds.some(({ relation }) => relation === type);

/** Whether a relationship of this type always leads to a part of the package: pictures and documents placed in it may lie elsewhere. */
export const isInnerRelation = (type: string): boolean => isKnownRelation(type) && !/\/(?:image|package)$/.test(type);

/** The kind of the part at `path`, or undefined for one this table does not know. */
export function partKind(path: string): PartKind | undefined {
  return partKinds.find((entry) => entry.path.test(path));
}
