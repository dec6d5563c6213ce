export { damaged, generalRecipes, type Recipe, textModeRecipes } from './common';
export { oleRecipes, pdfRecipes, zipRecipes } from './documents';
export { jpegRecipes } from './jpeg';
export { pngRecipes } from './png';
export { tiffRecipes } from './tiff';
export { webpRecipes } from './webp';
