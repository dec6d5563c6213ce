import type Sharp from 'sharp';

let library: Promise<typeof Sharp> | undefined;

/** The decoder libvips, loaded when the first picture needs it: documents and videos do without. */
export function loadDecoder(): Promise<typeof Sharp> {
  library ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return library;
}
