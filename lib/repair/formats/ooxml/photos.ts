import type { Archive } from '../../core/zip/read';
import type { DocumentTold } from '../../families/document';
import type { EngineJob } from '../../report';
import type { LossFigures } from '../../report/facts/document';
import { PictureMender, pictureFormat } from '../embedded';

/** Pictures that were set right, as a whole or in part, by their names. */
export type PictureStates = ReadonlyMap<string, LossFigures['parts.picture']['state']>;

/** Repairs the JPEG and PNG pictures of a package whose check sum says that they are damaged; what is left of each is said by their names. */
export async function mendPictures(archive: Archive, job: EngineJob, { steps }: DocumentTold): Promise<PictureStates> {
  const told = new Map<string, LossFigures['parts.picture']['state']>();
  const mender = new PictureMender(job);
  for (const member of archive.members) {
    if (member.state !== 'part' || !/(?:^|\/)(?:media|Pictures)\//.test(member.name)) continue;
    const format = pictureFormat(member.data, member.name);
    if (!format) continue;
    const picture = await mender.mend(member.data, format);
    if (!picture || picture.state === 'left') continue;
    member.data = picture.bytes;
    told.set(member.name, picture.state);
  }
  if (told.size > 0) steps.push({ kind: 'pictures', count: told.size });
  return told;
}
