import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { closedJpeg, endedJpeg, noPhotos, PictureMender, tellPhotos } from '../embedded';
import { filtersOf } from './filters';
import type { PdfModel } from './model';
import { entriesOf, nameOf, type PdfDictionary, type PdfObject, pdfNumber } from './values';

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

/** Numbers of samples by kind of colours (ISO 32000-1, 8.6); of others nothing is told here. */
const samplesOf: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  Indexed: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
};
/** Bytes of a line end that may stand behind the data of a stream (ISO 32000-1, 7.3.8.1). */
const lineEnd = 2;

/** Pictures that are stored unpacked and are not as long as their size asks, as bytes were lost or came in. */
function unevenPictures(model: PdfModel): number {
  let count = 0;
  for (const { value, stream } of model.objects.values()) {
    const dictionary = entriesOf(value);
    if (!stream || nameOf(dictionary.get('Subtype')) !== 'Image' || dictionary.has('Filter')) continue;
    const colours = model.resolve(dictionary.get('ColorSpace'));
    const kind = nameOf(colours) ?? (colours?.kind === 'array' ? nameOf(model.resolve(colours.items[0])) : null);
    const samples = samplesOf[kind ?? ''] ?? 0;
    const [width, height, depth] = ['Width', 'Height', 'BitsPerComponent'].map((key) =>
      numberIn(model, dictionary, key),
    );
    const wanted = Math.ceil(((width ?? 0) * samples * (depth ?? 0)) / 8) * (height ?? 0);
    if (wanted > leastBytes && (stream.length < wanted || stream.length > wanted + lineEnd)) count++;
  }
  return count;
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
  // In a file that is in order so far its writer made them so.
  if (told.damages.length > 0) count.left += unevenPictures(model);
  tellPhotos(count, told);
}
