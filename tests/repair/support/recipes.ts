import {
  generalRecipes,
  jpegRecipes,
  oleRecipes,
  pdfRecipes,
  pngRecipes,
  type Recipe,
  textModeRecipes,
  tiffRecipes,
  webpRecipes,
  zipRecipes,
} from './damage';

/** Formats that are scored together. */
export const groups: Record<string, string> = {
  jpg: 'JPEG',
  png: 'PNG',
  tif: 'TIFF',
  webp: 'WebP',
  docx: 'DOCX/XLSX/PPTX',
  xlsx: 'DOCX/XLSX/PPTX',
  pptx: 'DOCX/XLSX/PPTX',
  odt: 'ODT/ODS',
  ods: 'ODT/ODS',
  pdf: 'PDF',
  doc: 'DOC/XLS/PPT',
  xls: 'DOC/XLS/PPT',
  ppt: 'DOC/XLS/PPT',
};

const special: Record<string, Recipe[]> = {
  JPEG: [...jpegRecipes, ...textModeRecipes],
  PNG: [...pngRecipes, ...textModeRecipes],
  TIFF: tiffRecipes,
  WebP: [...webpRecipes, ...textModeRecipes],
  'DOCX/XLSX/PPTX': [...zipRecipes, ...textModeRecipes],
  'ODT/ODS': [...zipRecipes, ...textModeRecipes],
  PDF: [...pdfRecipes, ...textModeRecipes],
  'DOC/XLS/PPT': [...oleRecipes, ...textModeRecipes],
};

/** The kinds of damage that fit a format. */
export function recipesFor(format: string): Recipe[] {
  return [...generalRecipes, ...(special[groups[format] ?? ''] ?? [])];
}

/** A third of recipes and seeds, chosen by name, that nothing was tuned on. */
export function isHeldBack(recipe: string, seed: number): boolean {
  let hash = seed * 7919;
  for (const letter of recipe) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return hash % 3 === 0;
}
