import 'server-only';
import fs from 'node:fs/promises';

/** Places that are looked at, spread over the file, and the bytes at each. */
const PLACES = 24;
const BYTES = 4096;

/** Marks of the containers that the video tool takes; one of them anywhere says that there was a video. */
const marks = ['ftyp', 'moov', 'mdat', 'moof', 'LIST', 'movi', 'matroska', 'webm', 'FLV'];

/** Kinds of file whose first bytes are unmistakable (their formats' own specifications). */
const kinds: readonly { name: string; start: readonly number[] }[] = [
  { name: 'an MP3 sound file', start: [0x49, 0x44, 0x33] },
  { name: 'a FLAC sound file', start: [0x66, 0x4c, 0x61, 0x43] },
  { name: 'an Ogg sound file', start: [0x4f, 0x67, 0x67, 0x53] },
  { name: 'a RAR archive', start: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07] },
  { name: 'a 7z archive', start: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { name: 'a GZIP archive', start: [0x1f, 0x8b, 0x08] },
  { name: 'an SQLite database', start: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66] },
];

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
  return kinds.find(({ start }) => start.every((byte, index) => head[index] === byte))?.name ?? null;
}

/** Text has no control characters but tab, line feed and carriage return. */
function isText(piece: Buffer): boolean {
  return piece.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}
