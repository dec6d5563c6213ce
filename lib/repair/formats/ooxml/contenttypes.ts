import { escapeXml } from './text';
import { extensionTypes, partKind } from './vocabulary';

/** The content types of a package (ECMA-376 part 2, 10.1): by extension and by part, paths without the leading slash. */
export type ContentTypes = { defaults: Map<string, string>; overrides: Map<string, string> };

const byExtension = /<(?:\w+:)?Default\s([^<>]*)\/?>/g;
const byPart = /<(?:\w+:)?Override\s([^<>]*)\/?>/g;

/** Reads `[Content_Types].xml`, skipping elements that lost an attribute. */
export function readContentTypes(xml: string): ContentTypes {
  const types: ContentTypes = { defaults: new Map(), overrides: new Map() };
  const read = (attributes: string, name: string) =>
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];
  for (const [, attributes = ''] of xml.matchAll(byExtension)) {
    const extension = read(attributes, 'Extension');
    const type = read(attributes, 'ContentType');
    if (extension && type) types.defaults.set(extension.toLowerCase(), type);
  }
  for (const [, attributes = ''] of xml.matchAll(byPart)) {
    const part = read(attributes, 'PartName');
    const type = read(attributes, 'ContentType');
    if (part && type) types.overrides.set(part.replace(/^\//, ''), type);
  }
  return types;
}

/** Whether a part has a content type that says more than "some XML". */
export function hasType(types: ContentTypes, path: string): boolean {
  if (types.overrides.has(path)) return true;
  for (const part of types.overrides.keys()) if (part.toLowerCase() === path.toLowerCase()) return true;
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return types.defaults.has(extension);
}

/** The end of a content type, behind what names its maker and format: it says what a part is in all variants, with macros or as a template. */
const tailOf = (type: string): string => type.slice(type.lastIndexOf('.') + 1).toLowerCase();

/** How types of office documents begin, of the standard and of those with macros. */
const ofOffice = /^application\/vnd\.(?:openxmlformats-officedocument|ms-(?:excel|word|powerpoint))\./i;

/** Parts whose type programs go by. */
const typed =
  /^(?:word\/(?:document|styles|numbering|header\d*|footer\d*)|xl\/(?:workbook|styles|sharedStrings|worksheets\/[^/]+)|ppt\/(?:presentation|slides\/[^/]+|slideLayouts\/[^/]+|slideMasters\/[^/]+))\.xml$/;

/** The parts that programs go by and that have another type than they must; names of parts are alike in capitals (ECMA-376 part 2, 6.2.2.3). */
function mistyped({ defaults, overrides }: ContentTypes, paths: Iterable<string>): string[] {
  const named = new Map([...overrides].map(([part, type]) => [part.toLowerCase(), type]));
  return [...paths].filter((path) => {
    const expected = typed.test(path) ? partKind(path)?.type : undefined;
    if (expected === undefined) return false;
    const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    const type = named.get(path.toLowerCase()) ?? defaults.get(ending) ?? '';
    return tailOf(type) !== tailOf(expected) || !ofOffice.test(type);
  });
}

/** How many of the parts programs take for something else, by their types. */
export const countMistyped = (types: ContentTypes, paths: Iterable<string>): number => mistyped(types, paths).length;

/** Takes out what says of parts that they are something else. */
function dropMistyped(types: ContentTypes, paths: readonly string[]): boolean {
  const wrong = new Set(mistyped(types, paths).map((path) => path.toLowerCase()));
  for (const part of [...types.overrides.keys()]) if (wrong.has(part.toLowerCase())) types.overrides.delete(part);
  return wrong.size > 0;
}

/** Adds what is missing for the parts at `paths` and takes out overrides of parts that are gone; true when anything changed. */
export function completeContentTypes(types: ContentTypes, paths: readonly string[]): boolean {
  let changed = false;
  const present = new Set(paths.map((path) => path.toLowerCase()));
  for (const part of [...types.overrides.keys()]) {
    if (present.has(part.toLowerCase())) continue;
    types.overrides.delete(part);
    changed = true;
  }
  if (dropMistyped(types, paths)) changed = true;
  const overridden = new Set([...types.overrides.keys()].map((part) => part.toLowerCase()));
  for (const path of paths) {
    if (path === '[Content_Types].xml' || overridden.has(path.toLowerCase())) continue;
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    const kind = partKind(path);
    if (kind?.type) {
      const byDefault = types.defaults.get(extension);
      if (byDefault === undefined || byDefault === 'application/xml' || byDefault === 'text/xml') {
        types.overrides.set(path, kind.type);
        changed = true;
      }
    } else if (!types.defaults.has(extension)) {
      types.defaults.set(extension, extensionTypes[extension] ?? 'application/octet-stream');
      changed = true;
    }
  }
  for (const extension of ['rels', 'xml']) {
    if (types.defaults.has(extension)) continue;
    types.defaults.set(extension, extensionTypes[extension] ?? 'application/xml');
    changed = true;
  }
  return changed;
}

/** Writes `[Content_Types].xml`. */
export function writeContentTypes(types: ContentTypes): string {
  const defaults = [...types.defaults].map(
    ([extension, type]) => `<Default Extension="${escapeXml(extension)}" ContentType="${escapeXml(type)}"/>`,
  );
  const overrides = [...types.overrides].map(
    ([part, type]) => `<Override PartName="/${escapeXml(part)}" ContentType="${escapeXml(type)}"/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults.join('')}${overrides.join('')}</Types>`;
}
