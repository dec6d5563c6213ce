import 'server-only';
import path from 'node:path';
import type { Context } from '../context';
import { sendFile } from '../http/send-file';
import { type Outcome, refuse } from '../refusal';
import { installersFolder } from './demonstration';
import { type InstallerName, installerNames } from './installer-names';

/** Streams an installer under its product's name. Only known names are looked for, so no path can be asked for. */
export async function sendInstaller(ctx: Context, request: Request, file: string): Promise<Response | Outcome<never>> {
  const name = installerNames.find((candidate) => candidate.file === file);
  const response =
    name &&
    (await sendFile(request, {
      path: path.join(installersFolder(ctx.env.DATA_DIR), name.file),
      name: nameFor(name, new URL(request.url).searchParams.get('uuid')),
      contentType: name.contentType,
      cacheControl: 'public, max-age=300',
    }));
  return response || refuse('notFound', 'This download isn’t available at the moment.');
}

/** A binary is named after the brand with the visitor's id, which is taken only if it can stand in a file's name. */
function nameFor({ downloadName, os }: InstallerName, uuid: string | null): string {
  if (os === 'mac' || uuid === null || !/^[\w-]{1,64}$/.test(uuid)) return downloadName;
  return downloadName.replace(/(\.\w+)$/, `_${uuid}$1`);
}
