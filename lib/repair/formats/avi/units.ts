import { unitReaderFor } from '../../codecs/following';
import { type Mending, mendUnits, nothingMended, type PlacedUnit } from '../../video/mend';
import { codedUnits, planeReaderFor } from '../../video/pictures';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { setsAmong } from '../../video/startcodes';
import type { Chunk } from './chunks';

/** Bytes of a chunk's head. */
const headBytes = 8;

/** Whether a picture begins with a start code of three bytes or four (ISO/IEC 14496-10, B.1.1): those of H.264 do, and of MPEG-4, which has no parameter sets. */
function beginsWithCode(source: Source, { offset }: Chunk): boolean {
  const head = source.read(offset + headBytes, 4);
  return head.length === 4 && (head.readUInt32BE(0) === 1 || head.readUIntBE(0, 3) === 1);
}

function unitsOfChunks(source: Source, pictures: readonly Chunk[]): Generator<PlacedUnit> {
  const frames = pictures.map(({ offset, length }) => ({ from: offset + headBytes, to: offset + headBytes + length }));
  return codedUnits(source, frames);
}

/** Sets wrong bits right in pictures of H.264 or MPEG-4, by what describes them in the stream; those of one stream only, which have one name. */
export async function mendPictures(reading: Reading, pictures: readonly Chunk[]): Promise<Mending> {
  const { source, job } = reading;
  const [first] = pictures;
  if (!first || !beginsWithCode(source, first) || pictures.some(({ id }) => id !== first.id)) return nothingMended();
  const { effort } = job.deadline;
  const reader =
    unitReaderFor('avc', setsAmong(unitsOfChunks(source, pictures), 'avc'), effort) ??
    planeReaderFor(null, unitsOfChunks(source, pictures), effort);
  return reader ? mendUnits(reading, reader, unitsOfChunks(source, pictures)) : nothingMended();
}
