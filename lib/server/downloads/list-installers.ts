import 'server-only';
import type { InstallerRow } from '../../contract/downloads';
import { coalesced } from '../base/coalesce';
import type { Context } from '../context';
import { installerKey, type ObjectStore } from '../objects/port';
import { inspectInstaller } from './inspect-installer';
import { type InstallerName, installerNames } from './installer-names';

const unknown = { size: null, sha256: null, version: null, demonstration: null };

type Listed = { state: string; rows: readonly InstallerRow[] };

/** What was listed last of a store, by origin. */
const listed = new WeakMap<ObjectStore, { stateNow: () => Promise<string>; byOrigin: Map<string, Listed> }>();

/** Every installer with what its file says: the same rows, the very same array, as long as no file changes. */
export async function installerList(ctx: Context, origin: string): Promise<readonly InstallerRow[]> {
  const known = listed.get(ctx.objects) ?? { stateNow: coalesced(() => stateOf(ctx)), byOrigin: new Map() };
  listed.set(ctx.objects, known);
  // An operator puts a new file in place while we run; nobody tells of it, so the files are looked at, once for all who ask together.
  const state = await known.stateNow();
  const before = known.byOrigin.get(origin);
  if (before?.state === state) return before.rows;
  const rows = await readInstallers(ctx, origin);
  known.byOrigin.set(origin, { state, rows });
  return rows;
}

/** Changes whenever a file does. */
async function stateOf(ctx: Context): Promise<string> {
  if (ctx.env.INSTALLER_BASE_URL) return 'elsewhere';
  const heads = await Promise.all(installerNames.map(({ file }) => ctx.objects.head(installerKey(file))));
  return heads.map((head) => (head ? `${head.bytes}:${head.changedAt.getTime()}` : '')).join();
}

async function readInstallers(ctx: Context, origin: string): Promise<InstallerRow[]> {
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
