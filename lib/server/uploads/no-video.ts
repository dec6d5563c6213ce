import 'server-only';
import fs from 'node:fs/promises';
import { foreignBy } from '../../repair/formats/foreign';
import { layouts } from '../../repair/formats/table';

/** Places that are looked at, spread over the file, and the bytes at each. */
const PLACES = 24;
const BYTES = 4096;

/** Marks of the containers that the video tool takes; one of them anywhere says that there was a video. */
const marks = Object.values(layouts).flatMap((layout) => ('marks' in layout ? layout.marks : []));

/** Whose first bytes are unmistakable; raw recordings are left to the repair, which tells what they are. */
const otherSorts = ['archive', 'picture', 'text', 'sound', 'data'] as const;

/**
 * What a file is that was sent as a video and is none, in words; null when it may be one. A damaged video can begin with
 * anything, so only what is certain is named: another kind's first bytes without a mark of a video anywhere, nothing but
 * text, or nothing but one byte.
 */
export async function kindOfNoVideo(path: string): Promise<string | null> {
  const file = await fs.open(path, 'r');
  try {
    const { size } = await file.stat();
    const pieces: Buffer[] = [];
    for (let place = 0; place < PLACES; place += 1) {
      const piece = Buffer.alloc(Math.min(BYTES, size));
      const at = Math.floor(((size - piece.length) * place) / (PLACES - 1));
      await file.read(piece, 0, piece.length, at);
      pieces.push(piece);
    }
    return judge(pieces);
  } finally {
    await file.close();
  }
}

function judge(pieces: readonly Buffer[]): string | null {
  const [head = Buffer.alloc(0)] = pieces;
  if (pieces.every((piece) => piece.every((byte) => byte === head[0]))) return 'nothing but empty space';
  if (pieces.every(isText)) return 'a text file';
  if (marks.some((mark) => pieces.some((piece) => piece.includes(mark, 0, 'latin1')))) return null;
  return foreignBy(head, otherSorts)?.words ?? null;
}

/** Text has no control characters but tab, line feed and carriage return. */
function isText(piece: Buffer): boolean {
  return piece.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}
