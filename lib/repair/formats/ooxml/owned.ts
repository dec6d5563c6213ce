import type { Buffer } from '../../host/bytes';
import { ownerOf, readRelationships } from './relationships';
import { decodeXml } from './text';

/** Parts of a workbook that one sheet alone may lead to: programs refuse a table or drawing of two sheets (ECMA-376 part 1, 12.3.8 and 12.3.21). */
const owned = /^xl\/(?:tables\/[^/]+\.xml|drawings\/[^/]+\.(?:xml|vml))$/;
/** Elements of a sheet that lead to them (18.3.1.36, 18.3.1.51, 18.3.1.94). */
const leading = /^(?:\w+:)?(?:drawing|legacyDrawing|tablePart)$/;

/** Whether a part belongs to one other alone. */
export const isOwned = (path: string): boolean => owned.test(path);

/** Whether an element leads to a part that belongs to its own alone. */
export const leadsToOwn = (element: string): boolean => leading.test(element);

/** The parts that belong to one other alone, each with the first that leads to it. */
export function ownersOf(parts: ReadonlyMap<string, Buffer>): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [path, data] of parts) {
    if (!path.startsWith('xl/') || !path.endsWith('.rels')) continue;
    const owner = ownerOf(path);
    for (const { path: led } of readRelationships(decodeXml(data), owner))
      if (led !== null && isOwned(led) && !owners.has(led)) owners.set(led, owner);
  }
  return owners;
}

const leadingTag = /<((?:\w+:)?(?:drawing|legacyDrawing|tablePart))\s([^<>]*?)(?:\/>|>\s*<\/\1>)/g;
const identifier = /(?:^|\s)\w+:id\s*=\s*["']([^"']+)["']/;
const listOfTables = /<((?:\w+:)?tableParts)(?:\s[^<>]*)?>((?:\s*<(?:\w+:)?tablePart\s[^<>]*>)*\s*)<\/\1>/;

/** A sheet without what would lead to a drawing or table that is gone: programs refuse an element whose link is not there. */
export function withoutUnled(xml: string, links: ReadonlySet<string>): string {
  const left = xml.replace(leadingTag, (tag, _, attributes: string) =>
    links.has(identifier.exec(attributes)?.[1] ?? '') ? tag : '',
  );
  if (left === xml) return xml;
  return left.replace(listOfTables, (_, name: string, tables: string) => {
    const count = tables.split('<').length - 1;
    return count > 0 ? `<${name} count="${count}">${tables}</${name}>` : '';
  });
}
