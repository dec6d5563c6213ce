import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { productLines } from '../../catalog/brands';
import { type InstallerName, installerNames } from './installer-names';

/** The line by which a demonstration file is known. */
export const DEMONSTRATION_MARK = 'This is a demonstration file, not an installer.';

/** Makes a demonstration file for every installer that is not there (contract, "Installers"). */
export async function makeDemonstrationInstallers(dataDir: string): Promise<void> {
  const folder = installersFolder(dataDir);
  await fs.mkdir(folder, { recursive: true });
  for (const name of installerNames) {
    // `wx`: the vendor's own file is never overwritten.
    await fs.writeFile(path.join(folder, name.file), words(name), { flag: 'wx' }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
}

/** Where the installers lie. */
export function installersFolder(dataDir: string): string {
  return path.join(/* turbopackIgnore: true */ dataDir, 'installers');
}

function words({ website, os, file }: InstallerName): string {
  const system = os === 'mac' ? 'Mac' : 'Windows';
  return [
    DEMONSTRATION_MARK,
    '',
    `It stands where the installer of ${productLines[website].name} for ${system} will be, so that the download can be`,
    'tried from end to end. It contains this text and nothing else, and it cannot be run.',
    '',
    `To offer the real program, put its installer in the data folder as installers/${file}.`,
    '',
    'Installer-Version: demonstration',
    '',
  ].join('\r\n');
}
