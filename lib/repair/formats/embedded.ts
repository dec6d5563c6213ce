import { type DocumentTold, find } from '../families/document';
import { Buffer } from '../host/bytes';
import { repairBy } from '../pipeline';
import { openPicture } from '../readers/pictures';
import { type Effort, type EngineJob, LimitError } from '../report';
import { jpeg } from './jpeg';
import { isDataSound } from './jpeg/health';
import { endOfImage } from './jpeg/marks';
import { png } from './png';
import { readChunks, pngSignature as wholeSignature } from './png/chunks';

/** What became of a picture inside a document: set right as a whole or in part, or `left` as damaged as it was. */
export type MendedPicture = { state: 'repaired' | 'partly' | 'left'; bytes: Buffer; width: number; height: number };

const startOfImage = Buffer.from([0xff, 0xd8]);
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** Effort for looking at the pictures of a document, for repairing them, and for one of them, in units: its text comes first. */
const pictureEffort = { looking: 4000, mending: 2500, one: 6000 };

/** Looks after the JPEG and PNG pictures that a document holds, by the engines for photos, as long as the effort for them lasts. */
export class PictureMender {
  readonly #job: EngineJob;
  readonly #looking: Effort;
  #mending = pictureEffort.mending;

  constructor(job: EngineJob) {
    this.#job = job;
    this.#looking = job.deadline.effort.share(pictureEffort.looking);
  }

  /** Whether the data of a JPEG is whole, as far as it is read here, and by the decoder for other kinds; null when the effort for looking is spent. */
  async isSound(bytes: Buffer): Promise<boolean | null> {
    const { deadline, limits } = this.#job;
    if (this.#looking.isSpent) return null;
    deadline.effort.spend('pictureByteRead', bytes.length);
    const isSound = isDataSound({ ...this.#job, bytes });
    if (isSound !== null) return isSound;
    // What the decoder cannot open at all may be of a kind that it does not know.
    return (await openPicture(bytes, limits, true))?.warning !== true;
  }

  /** Repairs a damaged picture; null when it turns out to be sound. */
  async mend(bytes: Buffer, format: 'jpg' | 'png'): Promise<MendedPicture | null> {
    const left: MendedPicture = { state: 'left', bytes, width: 0, height: 0 };
    const { deadline } = this.#job;
    if (this.#mending <= 0) return left;
    const part = deadline.within(pictureEffort.one);
    const job = { ...this.#job, bytes, format, progress: () => {}, deadline: part };
    const before = deadline.effort.left;
    deadline.effort.spend('picture');
    deadline.effort.spend('pictureByte', bytes.length);
    try {
      const { verdict, output, kept } = await (format === 'jpg' ? repairBy(jpeg, job) : repairBy(png, job));
      if (verdict === 'healthy') return null;
      if (verdict === 'unrepairable' || output.kind !== 'bytes') return left;
      const [, width, height] = /^(\d+) × (\d+)$/.exec(kept[0]?.detail ?? '') ?? [];
      return { state: verdict, bytes: Buffer.from(output.bytes), width: Number(width), height: Number(height) };
    } catch (error) {
      if (error instanceof LimitError) return left;
      throw error;
    } finally {
      this.#mending -= before - deadline.effort.left;
    }
  }
}

/** The format of a picture by its first bytes, or by the name of its file where those are gone; null for other kinds. */
export function pictureFormat(bytes: Buffer, name: string): 'jpg' | 'png' | null {
  if (bytes.subarray(0, 2).equals(startOfImage)) return 'jpg';
  if (bytes.subarray(0, 4).equals(pngSignature)) return 'png';
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return /^(?:jpe?g|jpe|jfif)$/.test(extension) ? 'jpg' : extension === 'png' ? 'png' : null;
}

/** A JPEG without what lies behind its end, and with an end where it has none: inside a document neither is damage. */
export function closedJpeg(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(endOfImage);
  if (end < 0) return Buffer.concat([bytes, endOfImage]);
  const rest = bytes.subarray(end + 2);
  return rest.length <= 1024 || rest.every((byte) => byte === 0) ? bytes.subarray(0, end + 2) : bytes;
}

/** A JPEG as it is to be repaired: without what lies behind its end; one that has none was cut off, which an end would hide. */
export const endedJpeg = (bytes: Buffer): Buffer => (bytes.lastIndexOf(endOfImage) < 0 ? bytes : closedJpeg(bytes));

/** Whether all chunks of a PNG are as their check sums say (ISO/IEC 15948, 5.3). */
export function isPngSound(bytes: Buffer): boolean {
  const chunks = readChunks(bytes);
  const isBegun = bytes.subarray(0, wholeSignature.length).equals(wholeSignature);
  return isBegun && chunks.at(-1)?.type === 'IEND' && chunks.every(({ sound, mended }) => sound && !mended);
}

/** Damaged photos of a document by what became of them; `unseen` when the effort for looking was spent first. */
export type PhotoCounts = Record<MendedPicture['state'] | 'unseen', number>;
export const noPhotos = (): PhotoCounts => ({ repaired: 0, partly: 0, left: 0, unseen: 0 });

/** Tells which photos of a document were damaged and what became of them; `place` is that of the first one in the file. */
export function tellPhotos({ repaired, partly, left, unseen }: PhotoCounts, told: DocumentTold, place?: number): void {
  if (unseen > 0) told.remarks.push({ kind: 'unseen', count: unseen });
  const all = repaired + partly + left;
  if (all === 0) return;
  find(told, { kind: 'picture', count: all, ...(place === undefined ? {} : { offset: place }) });
  if (repaired + partly > 0) told.steps.push({ kind: 'photos', count: repaired + partly });
  if (partly > 0) told.lost.push({ how: 'pictures.part', count: partly });
  if (left > 0) told.lost.push({ how: 'pictures.left', count: left });
}
