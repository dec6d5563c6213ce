import localFont from 'next/font/local';

// Both are cut to the letters that they are needed for by lib/cli/steps/fonts.mjs. What stands in for them until they are there has its
// measures in styles/_base.scss: the framework's own stand-in knows no weights, and headings moved when the face came.

/** Headings, prices, figures. */
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
  weight: '300 800',
  display: 'swap',
  variable: '--face-text',
  preload: true,
  adjustFontFallback: false,
});
