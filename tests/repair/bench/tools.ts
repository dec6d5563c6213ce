import { execFileSync } from 'node:child_process';

/** How each tool of the bench, by the name under which its values stand, says its version. */
const asked: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  qpdf: ['qpdf', '--version'],
  'mutool clean': ['mutool', '-v'],
  'zip -FF': ['zip', '-v'],
  LibreOffice: ['soffice', '--version'],
  ffmpeg: ['ffmpeg', '-version'],
  'ffmpeg -c copy': ['ffmpeg', '-version'],
  ImageMagick: ['convert', '-version'],
  mkvmerge: ['mkvmerge', '--version'],
  untrunc: ['untrunc', '-V'],
};

const number = /\d+(?:\.\d+)+/;

/** The tools that were found, with their versions. */
export function toolVersions(): { name: string; version: string }[] {
  return Object.entries(asked).flatMap(([name, [program, ...args]]) => {
    try {
      const said = execFileSync('sh', ['-c', '"$@" 2>&1', 'sh', program, ...args], { encoding: 'utf8' });
      const version = number.exec(said)?.[0];
      return version ? [{ name, version }] : [];
    } catch {
      return [];
    }
  });
}
