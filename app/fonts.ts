import localFont from 'next/font/local';

// Both are cut to the letters that they are needed for by lib/cli/steps/fonts.mjs. What stands in for them until they are there has its
// measures in styles/_base.scss: the framework's own stand-in knows no weights, and headings moved when the face came.

/** Headings, prices, figures: one weight, whichever is asked for. */
export const display = localFont({
  src: '../lib/content/generated/fonts/display.woff2',
  weight: '300 800',
  display: 'swap',
  variable: '--face-display',
  preload: true,
  adjustFontFallback: false,
});

/** Everything else. */
export const text = localFont({
  src: '../lib/content/generated/fonts/text.woff2',
  weight: '400 600',
  display: 'swap',
  variable: '--face-text',
  preload: true,
  adjustFontFallback: false,
});

/** Its accented letters, for names of visitors. */
export const accents = localFont({
  src: '../lib/content/generated/fonts/accents.woff2',
  weight: '400 600',
  display: 'swap',
  variable: '--face-accents',
  preload: false,
  adjustFontFallback: false,
  declarations: [{ prop: 'unicode-range', value: 'U+C0-FF' }],
});
