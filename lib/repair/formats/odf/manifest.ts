import { Buffer } from '../../host/bytes';
import { decodeXml, escapeXml, unescapeXml } from '../ooxml/text';
import { kindPath, manifestPath } from './content';

/** What parts are, by the ends of their names. */
const mediaTypes: Readonly<Record<string, string>> = {
  xml: 'text/xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
};

/** The parts that a list of them names. */
export const listedPaths = (list: Buffer): string[] =>
  [...decodeXml(list).matchAll(/[\s:]full-path\s*=\s*["']([^"']*)["']/g)]
    .map(([, path = '']) => unescapeXml(path))
    .filter((path) => path !== '' && !path.endsWith('/'));

/** A new list of all parts (ODF 1.3 part 2, 4): the package itself first, which names its kind. */
export function manifestFor(kind: string, paths: readonly string[]): Buffer {
  const entry = (path: string, type: string) =>
    `<manifest:file-entry manifest:full-path="${escapeXml(path)}" manifest:media-type="${type}"/>`;
  const listed = paths.filter((path) => path !== manifestPath && path !== kindPath);
  const entries = listed.map((path) => entry(path, mediaTypes[/\w+$/.exec(path)?.[0]?.toLowerCase() ?? ''] ?? ''));
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">${entry('/', kind)}${entries.join('')}</manifest:manifest>`,
  );
}
