import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenFile } from '../../../lib/repair/host/files';
import { Source } from '../../../lib/repair/video/source';

/** What `read` makes of a file of these bytes. */
export async function fromFile<Told>(bytes: Buffer, read: (source: Source) => Told): Promise<Told> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-'));
  try {
    await writeFile(join(folder, 'input'), bytes);
    const file = await OpenFile.open(join(folder, 'input'), 'read');
    const told = read(new Source(file));
    await file.close();
    return told;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
