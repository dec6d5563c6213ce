import 'server-only';
import { productLines } from '../../catalog/brands';
import { installerEnding, installerFile } from '../../catalog/installers';
import { phoneOs } from '../../catalog/limits';
import { type Platform, platforms, type Website, websites } from '../../catalog/types';

/** An installer as the vendor names its file, `recovery-win.exe`, and as a visitor gets it. */
export type InstallerName = { website: Website; os: Platform; file: string; downloadName: string; contentType: string };

const contentTypes = {
  win: 'application/vnd.microsoft.portable-executable',
  mac: 'application/x-apple-diskimage',
} as const satisfies Record<Platform, string>;

/** Every installer (lib/contract/README.md, 81). */
export const installerNames: readonly InstallerName[] = websites.flatMap((website) =>
  platforms.map((os) => ({
    website,
    os,
    file: installerFile(website, os),
    downloadName: `${productLines[website].installer}.${installerEnding(os)}`,
    contentType: contentTypes[os],
  })),
);

/** The installer that the request headers `website` and `phone_os` mean; both have defaults (lib/contract/README.md, 9 and 41). */
export function installerFor(website: string | null, os: string | null): InstallerName | undefined {
  const platform: Platform = os === phoneOs.mac ? 'mac' : 'win';
  return installerNames.find((name) => name.website === (website || 'recovery') && name.os === platform);
}
