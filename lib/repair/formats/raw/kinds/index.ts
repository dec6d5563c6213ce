import type { RawLayout } from '../layout';
import { cr3 } from './cr3';
import { crw } from './crw';
import { raf } from './raf';
import { tiffLike } from './tiff';

const own: Record<string, RawLayout> = { cr3, raf, crw, cr2: tiffLike(true) };
const others = tiffLike(false);

/** How raw photos of a format are laid out. */
export const layoutOf = (format: string): RawLayout => own[format] ?? others;
