import 'server-only';
import { Readable } from 'node:stream';
import { productLines } from '../../catalog/brands';
import { installerKey, type ObjectStore } from '../objects/port';
import { type InstallerName, installerNames } from './installer-names';

/** The line by which a demonstration file is known. */
export const DEMONSTRATION_MARK = 'This is a demonstration file, not an installer.';

/** Makes a demonstration file for every installer that is not there (lib/contract/README.md, 81). */
export async function makeDemonstrationInstallers(objects: ObjectStore): Promise<void> {
  for (const name of installerNames) {
    const key = installerKey(name.file);
    if (await objects.head(key)) continue;
    const text = Buffer.from(words(name));
    await objects.put(key, Readable.from([text]), text.length);
  }
}

function words({ website, os, file }: InstallerName): string {
  const system = os === 'mac' ? 'Mac' : 'Windows';
  return [
    DEMONSTRATION_MARK,
    '',
    `It stands where the installer of ${productLines[website].name} for ${system} will be, so that the download can be`,
    'tried from end to end. It contains this text and nothing else, and it cannot be run.',
    '',
    `To offer the real program, put its installer in the data folder, or the bucket, as installers/${file}.`,
    '',
    'Installer-Version: demonstration',
    '',
  ].join('\r\n');
}
