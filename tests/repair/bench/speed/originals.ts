import { doc, ppt, xls } from './oles';
import { docx, pptx, xlsx } from './packages';
import { pdf } from './pdfs';
import { drawing, jpeg, png, tiff } from './photos';

/** A valid file of about 5 MB: its format as an extension, what is in it, and how it is made. */
export type LargeOriginal = { format: string; content: string; make: () => Promise<Buffer> };

/** Every original of the speed bench: of each document format one with mostly text and one with mostly pictures, of photos the usual ways to pack them. */
export const largeOriginals: readonly LargeOriginal[] = [
  { format: 'docx', content: 'text', make: () => docx({ texts: 26_000, pictures: 2 }) },
  { format: 'docx', content: 'pictures', make: () => docx({ texts: 1500, pictures: 16 }) },
  { format: 'xlsx', content: 'text', make: () => xlsx({ texts: 85_000, pictures: 2 }) },
  { format: 'xlsx', content: 'pictures', make: () => xlsx({ texts: 8000, pictures: 16 }) },
  { format: 'pptx', content: 'text', make: () => pptx({ texts: 1800, pictures: 4 }) },
  { format: 'pptx', content: 'pictures', make: () => pptx({ texts: 120, pictures: 16 }) },
  { format: 'pdf', content: 'text, objects bundled', make: () => pdf(1100, 2, true) },
  { format: 'pdf', content: 'text, a table', make: () => pdf(1100, 2, false) },
  { format: 'pdf', content: 'pictures', make: () => pdf(60, 16, false) },
  { format: 'doc', content: 'text', make: () => doc({ texts: 6500, pictures: 2 }) },
  { format: 'doc', content: 'pictures', make: () => doc({ texts: 400, pictures: 16 }) },
  { format: 'xls', content: 'text', make: () => xls({ texts: 38_000, pictures: 2 }) },
  { format: 'xls', content: 'pictures', make: () => xls({ texts: 2000, pictures: 16 }) },
  { format: 'ppt', content: 'text', make: () => ppt({ texts: 3400, pictures: 2 }) },
  { format: 'ppt', content: 'pictures', make: () => ppt({ texts: 150, pictures: 16 }) },
  { format: 'jpg', content: 'baseline', make: () => jpeg(false, 97) },
  { format: 'jpg', content: 'progressive', make: () => jpeg(true, 97) },
  { format: 'png', content: 'photo', make: () => png(false) },
  { format: 'png', content: 'photo in passes', make: () => png(true) },
  { format: 'png', content: 'drawing', make: drawing },
  { format: 'tif', content: 'LZW', make: () => tiff('lzw') },
  { format: 'tif', content: 'Deflate', make: () => tiff('deflate') },
  { format: 'tif', content: 'JPEG', make: () => tiff('jpeg') },
  { format: 'tif', content: 'not packed', make: () => tiff('none') },
];
