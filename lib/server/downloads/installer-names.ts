import 'server-only';
import { productLines } from '../../catalog/brands';
import { phoneOs } from '../../catalog/limits';
import { type Platform, platforms, type Website, websites } from '../../catalog/types';

/** An installer as the vendor names its file, `recovery-win.exe`, and as a visitor gets it. */
export type InstallerName = { website: Website; os: Platform; file: string; downloadName: string; contentType: string };

const kinds = {
  win: { extension: 'exe', contentType: 'application/vnd.microsoft.portable-executable' },
  mac: { extension: 'dmg', contentType: 'application/x-apple-diskimage' },
} as const satisfies Record<Platform, { extension: string; contentType: string }>;

/** Every installer (lib/contract/README.md, 81). */
export const installerNames: readonly InstallerName[] = websites.flatMap((website) =>
  platforms.map((os) => ({
    website,
    os,
    file: `${website}-${os}.${kinds[os].extension}`,
    downloadName: `${productLines[website].installer}.${kinds[os].extension}`,
    contentType: kinds[os].contentType,
  })),
);

/** The installer that the request headers `website` and `phone_os` mean; both have defaults (lib/contract/README.md, 9 and 41). */
export function installerFor(website: string | null, os: string | null): InstallerName | undefined {
  const platform: Platform = os === phoneOs.mac ? 'mac' : 'win';
  return installerNames.find((name) => name.website === (website || 'recovery') && name.os === platform);
}
