import { byName } from '../../core/named';
import { Buffer } from '../../host/bytes';
import { decodeXml, escapeXml, unescapeXml } from '../ooxml/text';
import { contentPath, kindPath, manifestPath } from './content';

/** What parts are, by the ends of their names. */
const mediaTypes: Readonly<Record<string, string>> = byName({
  xml: 'text/xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
});

/** The parts that a list of them names. */
export const listedPaths = (list: Buffer): string[] =>
  [...decodeXml(list).matchAll(/[\s:]full-path\s*=\s*["']([^"']*)["']/g)]
    .map(([, path = '']) => unescapeXml(path))
    .filter((path) => path !== '' && !path.endsWith('/'));

/** The part with the formats, and with what stands at the head and foot of pages. */
const stylesPath = 'styles.xml';

/** Whether a package holds formats and never had a content beside them, as templates of LibreOffice do: it needs one of both (ODF 1.3 part 3, 2.2.1). */
export function isOfFormatsAlone(parts: ReadonlyMap<string, Buffer>): boolean {
  const list = parts.get(manifestPath);
  const listed = list ? listedPaths(list) : [];
  return (
    parts.has(stylesPath) && !parts.has(contentPath) && listed.includes(stylesPath) && !listed.includes(contentPath)
  );
}

/** Parts that a document shows only where its content leads to them: pictures, and objects inside of it. */
const shown = /^(?:Pictures\/|Object \d+\/)./;

/**
 * What the list of parts names, a document shows, and the package does not have (ODF 1.3 part 2, 3.2): the formats, and of pictures and objects
 * those that the content or the formats lead to. Programs leave names of others in the list after the parts are gone.
 */
export function missingParts(parts: ReadonlyMap<string, Buffer>): string[] {
  const list = parts.get(manifestPath);
  const listed = list ? [...new Set(listedPaths(list))].filter((path) => !parts.has(path)) : [];
  const pictures = listed.filter((path) => shown.test(path));
  const led = new Set(pictures.length > 0 ? [contentPath, stylesPath].flatMap((path) => ledTo(parts.get(path))) : []);
  return listed.filter(
    (path) => path === stylesPath || (shown.test(path) && led.has(path.replace(/^(Object \d+)\/.*/, '$1'))),
  );
}

/** Places inside of the package that a part leads to; objects by their folders. */
const ledTo = (part: Buffer | undefined): string[] =>
  [...(part ? decodeXml(part) : '').matchAll(/[\s:]href\s*=\s*["']([^"'<]*)["']/g)].map(([, path = '']) =>
    unescapeXml(path).replace(/^\.\//, ''),
  );

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
