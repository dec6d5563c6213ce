import 'server-only';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Attachment } from '../objects/attachment';
import { installerKey } from '../objects/port';
import { type InstallerName, installerNames } from './installer-names';

/** Said where an installer's file is not there. */
export const MISSING = 'This download isn’t available at the moment.';

/** An installer under its product's name, with the visitor's id in it. Only known names are looked for, so no path can be asked for. */
export function findInstaller(file: string, uuid: string | null): Outcome<Attachment> {
  const name = installerNames.find((candidate) => candidate.file === file);
  if (!name) return refuse('notFound', MISSING);
  return ok({
    object: installerKey(name.file),
    name: nameFor(name, uuid),
    contentType: name.contentType,
    cacheControl: 'public, max-age=300',
  });
}

/** A binary is named after the brand with the visitor's id, which is taken only if it can stand in a file's name. */
function nameFor({ downloadName, os }: InstallerName, uuid: string | null): string {
  if (os === 'mac' || uuid === null || !/^[\w-]{1,64}$/.test(uuid)) return downloadName;
  return downloadName.replace(/(\.\w+)$/, `_${uuid}$1`);
}
