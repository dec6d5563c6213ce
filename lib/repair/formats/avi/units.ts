import { type Mending, mendUnits, nothingMended, type PlacedUnit, unitReaderFor } from '../../video/mend';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { setsAmong, unitsBehindCodes } from '../../video/startcodes';
import type { Chunk } from './chunks';

/** Largest picture whose units are read, in bytes. */
const largest = 8 << 20;
/** Bytes of a chunk's head. */
const headBytes = 8;

/** Whether a picture begins with a start code of three bytes or four (ISO/IEC 14496-10, B.1.1): those of H.264 do, and of MPEG-4, which has no parameter sets. */
function beginsWithCode(source: Source, { offset }: Chunk): boolean {
  const head = source.read(offset + headBytes, 4);
  return head.length === 4 && (head.readUInt32BE(0) === 1 || head.readUIntBE(0, 3) === 1);
}

function* unitsOfChunks(source: Source, pictures: readonly Chunk[]): Generator<PlacedUnit> {
  for (const { offset, length } of pictures) {
    if (length > largest) continue;
    const start = offset + headBytes;
    yield* unitsBehindCodes(source.copy(start, length), (at) => start + at);
  }
}

/** Sets wrong bits right in pictures of H.264, by the parameter sets in the stream; those of one stream only, which have one name. */
export async function mendPictures(reading: Reading, pictures: readonly Chunk[]): Promise<Mending> {
  const { source, job } = reading;
  const [first] = pictures;
  if (!first || !beginsWithCode(source, first) || pictures.some(({ id }) => id !== first.id)) return nothingMended();
  const reader = unitReaderFor('avc', setsAmong(unitsOfChunks(source, pictures), 'avc'), job.deadline.effort);
  return reader ? mendUnits(reading, reader, unitsOfChunks(source, pictures)) : nothingMended();
}
