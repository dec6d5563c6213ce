import { counted, type Draft, type EngineJob } from '../../report';
import { PictureMender, pictureFormat } from '../pictures';
import type { Archive } from '../zip/read';

/** Repairs the JPEG and PNG pictures of a package whose check sum says that they are damaged; what is left of each is said by their names. */
export async function mendPictures(
  archive: Archive,
  job: EngineJob,
  draft: Draft,
): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  const mender = new PictureMender(job);
  for (const member of archive.members) {
    if (member.state !== 'part' || !/(?:^|\/)media\//.test(member.name)) continue;
    const format = pictureFormat(member.data, member.name);
    if (!format) continue;
    const picture = await mender.mend(member.data, format);
    if (!picture || picture.state === 'left') continue;
    member.data = picture.bytes;
    told.set(
      member.name,
      picture.state === 'repaired' ? 'the picture was set right' : 'a part of the picture is missing',
    );
  }
  if (told.size > 0)
    draft.step('Repair pictures', `${counted(told.size, 'damaged picture')} went through the repair of photos.`);
  return told;
}
