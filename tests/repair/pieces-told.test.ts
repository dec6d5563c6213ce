import { describe, expect, it } from 'vitest';
import { withPiecesBack } from '../../lib/repair/families/exchanged';
import type { VideoExamined } from '../../lib/repair/families/video';
import type { Damage } from '../../lib/repair/report/facts/video';
import type { Reading } from '../../lib/repair/video/session';
import type { Moves } from '../../lib/repair/video/view';

const sizes: Damage = { kind: 'sizes', of: 'parts', offset: 0 };
const header: Damage = { kind: 'header', how: 'missing', offset: 0 };

/** A survey whose findings are those of the order in which the pieces lie. */
async function surveyed(asIs: Damage[], moved: Damage[], by: Moves['by'] = 'chain') {
  let isMoved = false;
  const source = {
    mends: new Map(),
    restore: () => {
      isMoved = false;
    },
    copy: (from: number) => Buffer.alloc(512, from),
    mend: () => {
      isMoved = true;
    },
  };
  const examine = async () => ({ damages: isMoved ? moved : asIs, inside: [], steps: [], rebuilt: [], hopeless: null });
  const found: Moves = { size: 512, moves: [{ from: 0, to: 513 }], by, rebuilt: [] };
  const told = await withPiecesBack(
    examine as unknown as (reading: Reading) => Promise<VideoExamined<unknown>>,
    async () => found,
  )({ source } as unknown as Reading);
  return { kinds: [...told.inside, ...told.damages].map(({ kind }) => kind), isMoved };
}

describe('pieces of a video that were told to stand in each other’s place', () => {
  it('go back where less is wrong with them', async () => {
    expect(await surveyed([sizes, header], [])).toEqual({ kinds: ['exchanged'], isMoved: true });
    expect(await surveyed([sizes], [header], 'samples')).toEqual({ kinds: ['exchanged', 'header'], isMoved: true });
  });

  it('stay where more is wrong with them', async () => {
    expect(await surveyed([sizes], [sizes, header])).toEqual({ kinds: ['sizes'], isMoved: false });
    expect(await surveyed([sizes], [sizes, header], 'samples')).toEqual({ kinds: ['sizes'], isMoved: false });
  });

  it('stay where a chain leads to its end with them, and other damage is left', async () => {
    expect(await surveyed([sizes, header], [header])).toEqual({ kinds: ['sizes', 'header'], isMoved: false });
  });
});
