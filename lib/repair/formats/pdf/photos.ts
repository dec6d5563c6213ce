import { byName } from '../../core/named';
import type { DocumentTold } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { closedJpeg, endedJpeg, noPhotos, PictureMender, tellPhotos } from '../embedded';
import { decodeStream, filtersOf } from './filters';
import type { PdfModel } from './model';
import { entriesOf, nameOf, type PdfDictionary, type PdfObject, pdfName, pdfNumber } from './values';

/** Smaller streams hold no picture that anybody would miss. */
const leastBytes = 256;

const numberIn = (model: PdfModel, dictionary: PdfDictionary, key: string): number => {
  const value = model.resolve(dictionary.get(key));
  return value?.kind === 'number' ? value.value : 0;
};

/** A JPEG of the document (ISO 32000-1, 7.4.8), unpacked from what it is written in; `isWhole` where that is whole, such as digits in base 85, and with the parameters of the JPEG itself where it is written in anything. */
type Photo = { object: PdfObject; jpeg: Buffer; isWhole: boolean; parameters: PdfDictionary | null };

/** Streams that hold nothing but a JPEG, the smallest first, as those take the least time for each picture. */
function photosOf(model: PdfModel): Photo[] {
  const { deadline, limits } = model.job;
  let budget = limits.inflatedBytes;
  const found = [...model.objects.values()].flatMap((object): Photo[] => {
    const { value, stream } = object;
    if (!stream || stream.length < leastBytes) return [];
    const filters = filtersOf(entriesOf(value), model.resolve);
    if (filters.at(-1)?.name !== 'DCTDecode' || filters.some(({ name }) => name === 'Crypt')) return [];
    const { resolve } = model;
    const { data, sound } = decodeStream(stream, entriesOf(value), { maxOutput: budget, deadline, resolve });
    if (filters.length > 1) budget = Math.max(0, budget - data.length);
    const parameters = filters.length > 1 ? (filters.at(-1)?.parameters ?? null) : null;
    return data[0] === 0xff && data[1] === 0xd8 ? [{ object, jpeg: data, isWhole: sound, parameters }] : [];
  });
  return found.sort((left, right) => left.jpeg.length - right.jpeg.length);
}

/** Numbers of samples by kind of colours (ISO 32000-1, 8.6); of others nothing is told here. */
const samplesOf: Readonly<Record<string, number>> = byName({
  DeviceGray: 1,
  CalGray: 1,
  Indexed: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
});
/** Bytes of a line end that may stand behind the data of a stream (ISO 32000-1, 7.3.8.1). */
const lineEnd = 2;

/** Puts a JPEG in the place of a stream, with nothing around it. */
function unwrap({ object, parameters }: Photo, jpeg: Buffer): void {
  const dictionary = entriesOf(object.value);
  object.stream = jpeg;
  dictionary.set('Length', pdfNumber(jpeg.length));
  if (!parameters) return;
  dictionary.set('Filter', pdfName('DCTDecode'));
  dictionary.delete('DP');
  dictionary.delete('DecodeParms');
  if (parameters.size > 0) dictionary.set('DecodeParms', { kind: 'dictionary', entries: parameters });
}

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
  const damaged: Photo[] = [];
  for (const photo of photosOf(model)) {
    const isSound = photo.isWhole ? await mender.isSound(closedJpeg(photo.jpeg)) : false;
    if (isSound === null) count.unseen++;
    else if (!isSound) damaged.push(photo);
  }
  for (const photo of damaged) {
    const { object, jpeg, isWhole } = photo;
    const picture = await mender.mend(endedJpeg(jpeg), 'jpg');
    // Wrong digits may have become what still makes sense as a picture.
    if (!picture && !isWhole) {
      count.partly++;
      unwrap(photo, jpeg);
    }
    if (!picture) continue;
    const dictionary = entriesOf(object.value);
    const fits =
      picture.width === numberIn(model, dictionary, 'Width') &&
      picture.height === numberIn(model, dictionary, 'Height');
    count[fits ? picture.state : 'left']++;
    if (picture.state !== 'left' && fits) unwrap(photo, picture.bytes);
    else if (!isWhole) unwrap(photo, jpeg);
  }
  // In a file that is in order so far its writer made them so.
  if (told.damages.length > 0) count.left += unevenPictures(model);
  tellPhotos(count, told);
}
