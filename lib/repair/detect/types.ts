import type { Family } from '../report';

/** Formats the engine knows, by the lower-case extension that names them. */
export const formatFamilies = {
  mp4: 'video',
  mov: 'video',
  m4v: 'video',
  '3gp': 'video',
  insv: 'video',
  mkv: 'video',
  avi: 'video',
  flv: 'video',
  mts: 'video',
  m2ts: 'video',
  mxf: 'video',
  pdf: 'document',
  docx: 'document',
  xlsx: 'document',
  pptx: 'document',
  doc: 'document',
  xls: 'document',
  ppt: 'document',
  jpg: 'photo',
  png: 'photo',
  tif: 'photo',
  cr2: 'photo',
  cr3: 'photo',
  nef: 'photo',
  nrw: 'photo',
  arw: 'photo',
  dng: 'photo',
  gpr: 'photo',
  raf: 'photo',
  crw: 'photo',
} as const satisfies Record<string, Family>;
export type Format = keyof typeof formatFamilies;

/** A recognised format, or content that is something else by name (`other`, in words), or null for unknown content. */
export type Detection = { format: Format; family: Family } | { format: null; other: string } | null;

/** Other spellings of an extension that mean the same format. */
const synonyms: Record<string, Format> = {
  jpeg: 'jpg',
  jpe: 'jpg',
  tiff: 'tif',
  ts: 'mts',
  qt: 'mov',
  '3g2': '3gp',
  mk3d: 'mkv',
  docm: 'docx',
};

/** The format that a file name's extension claims, or null. */
export function claimedFormat(fileName: string): Format | null {
  const dot = fileName.lastIndexOf('.');
  const extension = dot < 0 ? '' : fileName.slice(dot + 1).toLowerCase();
  if (Object.hasOwn(formatFamilies, extension)) return extension as Format;
  return Object.hasOwn(synonyms, extension) ? (synonyms[extension] ?? null) : null;
}

/** A detection of `format`. */
export function known(format: Format): Detection {
  return { format, family: formatFamilies[format] };
}
