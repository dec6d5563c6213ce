import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { OleFile } from './container';
import type { StreamToWrite } from './write';

/** First bytes of a stream of document properties ([MS-OLEPS] 2.21). */
const propertyMark = Buffer.from([0xfe, 0xff]);

/**
 * Streams besides those of the content itself. One whose pieces had to be guessed is kept when it is as long as it was; of the pictures
 * of a presentation, those before the end are worth keeping. What is gone is told, but for the document's properties.
 */
export function otherStreams(file: OleFile, names: readonly string[], told: DocumentTold): StreamToWrite[] {
  const kept: StreamToWrite[] = [];
  const lost: string[] = [];
  for (const { path, data, size, sound } of file.streams) {
    const name = path[0] ?? '';
    if (names.includes(name)) continue;
    const isProperties = /^\p{Cc}(?:Document)?SummaryInformation$/u.test(name);
    const isWhole = data.length === size && (!isProperties || data.subarray(0, 2).equals(propertyMark));
    const isPictures = name === 'Pictures' && data.length > 0;
    if (sound || isWhole || isPictures) kept.push({ path, data });
    if (!sound && !isWhole && !isProperties && size > 0) lost.push(path.join('/').replace(/\p{Cc}/gu, ''));
  }
  if (lost.length > 0) told.lost.push({ how: 'parts.streams', count: lost.length, names: lost });
  return kept;
}
