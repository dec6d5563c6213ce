import { crc32 } from '../../core/sums';
import type { Archive, Member } from '../../core/zip/read';
import type { DocumentTold } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { LossFigures } from '../../report/facts/document';
import { PictureMender, pictureFormat } from '../embedded';

/** Pictures that were set right, as a whole or in part, by their names. */
export type PictureStates = ReadonlyMap<string, LossFigures['parts.picture']['state']>;

/** Whether bytes are those that a member should have, by its size and check sum. */
const isAsWritten = ({ packed, expected }: Member, bytes: Buffer): boolean =>
  packed !== undefined && bytes.length === expected && crc32(bytes) === packed.crc;

/** Repairs the JPEG and PNG pictures of a package whose check sum says that they are damaged; what is left of each that is not as it was written is said by their names. */
export async function mendPictures(archive: Archive, job: EngineJob, { steps }: DocumentTold): Promise<PictureStates> {
  const told = new Map<string, LossFigures['parts.picture']['state']>();
  const mender = new PictureMender(job);
  let count = 0;
  for (const member of archive.members) {
    if (member.state !== 'part' || !/(?:^|\/)(?:media|Pictures)\//.test(member.name)) continue;
    const format = pictureFormat(member.data, member.name);
    if (!format) continue;
    const picture = await mender.mend(member.data, format);
    if (!picture || picture.state === 'left') continue;
    count++;
    member.data = picture.bytes;
    if (isAsWritten(member, picture.bytes)) member.state = 'whole';
    else told.set(member.name, picture.state);
  }
  if (count > 0) steps.push({ kind: 'pictures', count });
  return told;
}
