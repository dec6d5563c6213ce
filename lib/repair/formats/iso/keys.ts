import { beginsPicture } from '../../video/begins';
import type { Source } from '../../video/source';
import type { Located } from './locate';

/** How the frames of a track that consist of NAL units are read; null for other codecs. */
export const nalKindOf = (codec: string): 'avc' | 'hevc' | null =>
  /^(avc[1-4]|dva[1v])$/.test(codec) ? 'avc' : /^(hvc1|hev1|dvh[1e])$/.test(codec) ? 'hevc' : null;

/** Where a sample lies in the file. */
export const frameAt = ({ offsets, sizes }: Located, index: number): { from: number; to: number } => {
  const from = offsets[index] ?? 0;
  return { from, to: from + (sizes[index] ?? 0) };
};

/**
 * Tells by the frames which of them a decoder can start at, where the table that names them is gone (ISO/IEC 14496-12, 8.6.2): without it
 * all frames would count as such.
 */
export function tellKeys(source: Source, locateds: readonly Located[]): void {
  for (const located of locateds) {
    const { track } = located;
    const kind = nalKindOf(track.codec);
    if (track.keys !== null || track.raw.has('stss') || kind === null || track.lengthBytes === 0) continue;
    const keys = Uint8Array.from(track.sizes, (_, index) =>
      beginsPicture(source, frameAt(located, index), kind, track.lengthBytes) ? 1 : 0,
    );
    if (keys.includes(0) && keys.includes(1)) track.keys = keys;
  }
}
