import type { VideoTypes } from '../../families/video';
import { OpenFile } from '../../host/files';
import { decodedAs } from '../../readers/media';
import type { Deadline } from '../../report';
import type { Decoding } from '../../verdict';
import { Source } from '../../video/source';
import type { Measuring } from '../format';
import { inversionsOf } from './moves';
import { isMedia } from './tags';
import { walkTags } from './walk';

const decode = decodedAs('flv');

/**
 * Entries of its index that the decoder may move: it keeps one of each packet, in the order of their times, and moves all that are later
 * (`ff_add_index_entry` of libavformat). 560,000 packets whose times run backwards kept it busy for four minutes.
 */
const mostMoves = 4e8;

/** Whether the times of a file run backwards so often that the decoder would be busy with its index alone. */
export async function isUnsorted(path: string, deadline: Deadline): Promise<boolean> {
  const file = await OpenFile.open(path, 'read');
  try {
    const source = new Source(file);
    const { tags } = await walkTags(source, () => source.pause(deadline));
    const media = tags.filter(isMedia);
    const moves = [8, 9].map((type) =>
      inversionsOf(Float64Array.from(media.filter((tag) => tag.type === type).map(({ time }) => time))),
    );
    return moves.some((count) => count > mostMoves);
  } finally {
    await file.close();
  }
}

/**
 * Decodes a file by ffmpeg, and counts its frames and pieces of sound. Null for a damaged one that it would not come to the end of; of what
 * was written all times rise.
 */
export async function measureFlv(path: string, reading: Measuring<VideoTypes>): Promise<Decoding | null> {
  if (path !== reading.job.outputPath && (await isUnsorted(path, reading.job.deadline))) return null;
  return decode(path, reading);
}
