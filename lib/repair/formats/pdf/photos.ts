import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { closedJpeg, endedJpeg, noPhotos, PictureMender, tellPhotos } from '../embedded';
import { filtersOf } from './filters';
import type { PdfModel } from './model';
import { entriesOf, type PdfDictionary, type PdfObject, pdfNumber } from './values';

/** Smaller streams hold no picture that anybody would miss. */
const leastBytes = 256;

const numberIn = (model: PdfModel, dictionary: PdfDictionary, key: string): number => {
  const value = model.resolve(dictionary.get(key));
  return value?.kind === 'number' ? value.value : 0;
};

/** Streams that hold nothing but a JPEG (ISO 32000-1, 7.4.8), the smallest first, as those take the least time for each picture. */
function jpegStreams(model: PdfModel): PdfObject[] {
  const found = [...model.objects.values()].filter(({ value, stream }) => {
    if (!stream || stream.length < leastBytes || stream[0] !== 0xff || stream[1] !== 0xd8) return false;
    const filters = filtersOf(entriesOf(value), model.resolve);
    return filters.length === 1 && filters[0]?.name === 'DCTDecode';
  });
  return found.sort((left, right) => (left.stream?.length ?? 0) - (right.stream?.length ?? 0));
}

/**
 * Reads the data of every JPEG on the pages, which no sum protects, and sets right what is damaged: streams are replaced in place. A
 * picture that comes back in another size than the document says is left as it was.
 */
export async function mendPhotos(model: PdfModel, job: EngineJob, told: DocumentTold): Promise<void> {
  const count = noPhotos();
  const mender = new PictureMender(job);
  const damaged: { object: PdfObject; bytes: Buffer }[] = [];
  for (const object of jpegStreams(model)) {
    const bytes = closedJpeg(object.stream ?? Buffer.alloc(0));
    const isSound = await mender.isSound(bytes);
    if (isSound === null) count.unseen++;
    else if (!isSound) damaged.push({ object, bytes: endedJpeg(object.stream ?? bytes) });
  }
  for (const { object, bytes } of damaged) {
    const picture = await mender.mend(bytes, 'jpg');
    if (!picture) continue;
    const dictionary = entriesOf(object.value);
    const fits =
      picture.width === numberIn(model, dictionary, 'Width') &&
      picture.height === numberIn(model, dictionary, 'Height');
    count[fits ? picture.state : 'left']++;
    if (picture.state === 'left' || !fits) continue;
    object.stream = picture.bytes;
    dictionary.set('Length', pdfNumber(picture.bytes.length));
  }
  tellPhotos(count, told);
}
