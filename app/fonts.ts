import localFont from 'next/font/local';

/** Headings, prices, figures. */
export const display = localFont({
  src: '../node_modules/@fontsource-variable/funnel-display/files/funnel-display-latin-wght-normal.woff2',
  weight: '300 800',
  display: 'swap',
  variable: '--face-display',
  preload: true,
});

/** Everything else. */
export const text = localFont({
  src: '../node_modules/@fontsource-variable/funnel-sans/files/funnel-sans-latin-wght-normal.woff2',
  weight: '300 800',
  display: 'swap',
  variable: '--face-text',
  preload: true,
});
