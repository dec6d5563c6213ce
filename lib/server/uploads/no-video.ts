import 'server-only';
import { mostTail } from '../../repair/core/transfer/archives';
import { glimpse } from '../../repair/core/transfer/carrier';
import { mostHead } from '../../repair/core/transfer/envelope';
import { isText } from '../../repair/detect/plain';
import { foreignBy, foreignWords } from '../../repair/formats/foreign';
import { layouts } from '../../repair/formats/table';

/** Places that are looked at, spread over the file, and the bytes at each. */
const PLACES = 24;
const BYTES = 4096;

/** Marks of the containers that the video tool takes; one of them anywhere says that there was a video. */
const marks = Object.values(layouts).flatMap((layout) => ('marks' in layout ? layout.marks : []));

/** Whose first bytes are unmistakable; raw recordings are left to the repair, which tells what they are. */
const otherSorts = ['archive', 'picture', 'text', 'sound', 'data', 'companion'] as const;

/** Reads so many bytes of a file from an offset on. */
export type ReadPiece = (start: number, length: number) => Promise<Buffer>;

/**
 * What a file is that was sent as a video and is none, in words; null when it may be one. A damaged video can begin with
 * anything, so only what is certain is named: another kind's first bytes without a mark of a video anywhere, nothing but
 * text, or nothing but one byte.
 */
export async function kindOfNoVideo(size: number, read: ReadPiece): Promise<string | null> {
  const length = Math.min(BYTES, size);
  const places = Array.from({ length: PLACES }, (_, place) => Math.floor(((size - length) * place) / (PLACES - 1)));
  const pieces = await Promise.all(places.map((at) => read(at, length)));
  // A saved mail is text and may hold a video, and so may an archive; the repair takes it out.
  const words = judge(pieces);
  return words !== null && (await isInside(size, read)) ? null : words;
}

/** Whether the file is something that carries one that is no other kind by its first bytes. */
async function isInside(size: number, read: ReadPiece): Promise<boolean> {
  const head = await read(0, Math.min(mostHead, size));
  const from = Math.max(0, size - mostTail);
  const tail = await read(from, size - from);
  // What lies between the two is not asked for by a file of which this can be said.
  const copy = (at: number, length: number) => {
    if (at < from || at + length <= head.length) return head.subarray(at, at + length);
    return tail.subarray(at - from, at - from + length);
  };
  const inside = glimpse({ size, copy });
  return inside !== null && judge([inside.subarray(0, BYTES)]) === null;
}

function judge(pieces: readonly Buffer[]): string | null {
  const [head = Buffer.alloc(0)] = pieces;
  if (pieces.every((piece) => piece.every((byte) => byte === head[0]))) return 'nothing but empty space';
  if (pieces.every((piece) => isText(piece))) return foreignWords.text;
  if (marks.some((mark) => pieces.some((piece) => piece.includes(mark, 0, 'latin1')))) return null;
  return foreignBy(head, otherSorts)?.words ?? null;
}
