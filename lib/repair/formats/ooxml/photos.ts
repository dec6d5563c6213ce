import { crc32 } from '../../core/sums';
import type { Archive, Member } from '../../core/zip/read';
import type { DocumentTold } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { LossFigures } from '../../report/facts/document';
import { closedJpeg, endedJpeg, isPngSound, noPhotos, PictureMender, pictureFormat, tellPhotos } from '../embedded';

/** Pictures that were set right, as a whole or in part, by their names. */
export type PictureStates = ReadonlyMap<string, LossFigures['parts.picture']['state']>;

/** Where packages keep their pictures. */
const ofPictures = /(?:^|\/)(?:media|Pictures)\/[^/]/;

/** Whether bytes are those that a member should have, by its size and check sum. */
const isAsWritten = ({ packed, expected }: Member, bytes: Buffer): boolean =>
  packed !== undefined && bytes.length === expected && crc32(bytes) === packed.crc;

/** Repairs the JPEG and PNG pictures of a package whose check sum says that they are damaged; what is left of each that is not as it was written is said by their names. */
export async function mendPictures(
  archive: Archive,
  job: EngineJob,
  documentTold: DocumentTold,
): Promise<PictureStates> {
  const told = new Map<string, LossFigures['parts.picture']['state']>();
  const mender = new PictureMender(job);
  let count = 0;
  for (const member of archive.members) {
    if (member.state !== 'part' || !ofPictures.test(member.name)) continue;
    const format = pictureFormat(member.data, member.name);
    if (!format) continue;
    const picture = await mender.mend(member.data, format);
    if (!picture || picture.state === 'left') continue;
    count++;
    member.data = picture.bytes;
    if (isAsWritten(member, picture.bytes)) member.state = 'whole';
    else told.set(member.name, picture.state);
  }
  if (count > 0) documentTold.steps.push({ kind: 'pictures', count });
  await mendWhole(archive, mender, documentTold);
  return told;
}

/** Kinds of pictures that are looked into, by the names of their files. */
const pictureName = /\.(?:jpe?g|jpe|jfif|png|gif|bmp|tiff?|emf|wmf)$/i;
/** Smaller JPEG pictures are none that anybody would miss. */
const leastBytes = 256;

const isWiped = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

/** Repairs pictures that are damaged though their check sums are right: those were put into the package so. */
async function mendWhole({ members }: Archive, mender: PictureMender, told: DocumentTold): Promise<void> {
  const count = noPhotos();
  const named = members.filter(
    ({ name, state }) => state === 'whole' && ofPictures.test(name) && pictureName.test(name),
  );
  for (const member of named) {
    if (isWiped(member.data)) {
      count.left++;
      continue;
    }
    const format = pictureFormat(member.data, '');
    if (format === null || (format === 'jpg' && member.data.length < leastBytes)) continue;
    const bytes = format === 'jpg' ? closedJpeg(member.data) : member.data;
    const isSound = format === 'png' ? isPngSound(bytes) : await mender.isSound(bytes);
    if (isSound === null) count.unseen++;
    const picture =
      isSound === false ? await mender.mend(format === 'jpg' ? endedJpeg(member.data) : bytes, format) : null;
    if (!picture) continue;
    count[picture.state]++;
    if (picture.state === 'left') continue;
    member.data = picture.bytes;
    member.body = undefined;
  }
  tellPhotos(count, told);
}
