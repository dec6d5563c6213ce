import 'server-only';
import type { InstallerRow } from '../../contract/downloads';
import type { Context } from '../context';
import { installerKey } from '../objects/port';
import { inspectInstaller } from './inspect-installer';
import { type InstallerName, installerNames } from './installer-names';

const unknown = { size: null, sha256: null, version: null, demonstration: null };

/** Every installer with what its file says. */
export async function listInstallers(ctx: Context, origin: string): Promise<InstallerRow[]> {
  return Promise.all(
    installerNames.map(async (name) => {
      const facts = ctx.env.INSTALLER_BASE_URL ? null : await inspectInstaller(ctx.objects, installerKey(name.file));
      return {
        website: name.website,
        os: name.os,
        fileName: name.downloadName,
        url: installerAddress(ctx, name, origin),
        ...(facts ?? unknown),
      };
    }),
  );
}

/** Where an installer is fetched: at INSTALLER_BASE_URL, or from this server. */
export function installerAddress(ctx: Context, name: InstallerName, origin: string): string {
  return `${ctx.env.INSTALLER_BASE_URL ?? `${origin}/api/v1/recovery/files`}/${name.file}`;
}
