import { counted, type Draft, type EngineJob } from '../../report';
import { closedJpeg, PictureMender } from '../pictures';
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

/** JPEG pictures whose data is damaged: `mended` as a whole or `partly`, and `left` as they are; `unseen` when the time for looking was over first. */
export type MendedPhotos = { mended: number; partly: number; left: number; unseen: number };

/**
 * Reads the data of every JPEG on the pages, which no sum protects, and sets right what is damaged: streams are replaced in place. A
 * picture that comes back in another size than the document says is left as it was.
 */
export async function mendPhotos(model: PdfModel, job: EngineJob): Promise<MendedPhotos> {
  const result: MendedPhotos = { mended: 0, partly: 0, left: 0, unseen: 0 };
  const mender = new PictureMender(job);
  const damaged: { object: PdfObject; bytes: Buffer }[] = [];
  for (const object of jpegStreams(model)) {
    const bytes = closedJpeg(object.stream ?? Buffer.alloc(0));
    const isSound = await mender.isSound(bytes);
    if (isSound === null) result.unseen++;
    else if (!isSound) damaged.push({ object, bytes });
  }
  for (const { object, bytes } of damaged) {
    const picture = await mender.mend(bytes, 'jpg');
    if (!picture) continue;
    const dictionary = entriesOf(object.value);
    const fits =
      picture.width === numberIn(model, dictionary, 'Width') &&
      picture.height === numberIn(model, dictionary, 'Height');
    if (picture.state === 'left' || !fits) {
      result.left++;
      continue;
    }
    object.stream = picture.bytes;
    dictionary.set('Length', pdfNumber(picture.bytes.length));
    if (picture.state === 'partly') result.partly++;
    else result.mended++;
  }
  return result;
}

export function reportPhotos({ mended, partly, left, unseen }: MendedPhotos, draft: Draft): void {
  if (unseen > 0)
    draft.note(
      `${counted(unseen, 'photo')} on the pages ${unseen === 1 ? 'was' : 'were'} not looked into, for want of time.`,
    );
  const all = mended + partly + left;
  if (all === 0) return;
  draft.find('picture', `The data of ${counted(all, 'photo')} on the pages ${all === 1 ? 'is' : 'are'} damaged.`);
  if (mended + partly > 0)
    draft.step('Repair photos', `${counted(mended + partly, 'photo')} on the pages went through the repair of photos.`);
  if (partly > 0)
    draft.lost.push({ unit: 'pictures', count: partly, detail: 'photos on the pages, of which a part is missing' });
  if (left > 0)
    draft.lost.push({ unit: 'pictures', count: left, detail: 'photos on the pages that are as damaged as before' });
}
