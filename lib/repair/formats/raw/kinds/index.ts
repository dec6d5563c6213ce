import type { RawLayout } from '../layout';
import { cr3 } from './cr3';
import { crw } from './crw';
import { raf } from './raf';
import { tiffLike } from './tiff';

const own: Record<string, RawLayout> = { cr3, raf, crw, cr2: tiffLike({ isCr2: true, isDng: false }) };
const dng = tiffLike({ isCr2: false, isDng: true });
const others = tiffLike({ isCr2: false, isDng: false });

/** How raw photos of a format are laid out. */
export const layoutOf = (format: string): RawLayout =>
  own[format] ?? (format === 'dng' || format === 'gpr' ? dng : others);
