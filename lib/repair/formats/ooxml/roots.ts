import { Buffer } from '../../host/bytes';
import { asUtf8 } from './encoding';
import { decodeXml } from './text';
import { relationshipNamespace } from './vocabulary';

/** What the root of a part is called, and its namespaces in the two editions of the standard; the first is written (ECMA-376 part 1, annex A, and part 2, annex D). */
type Root = { part: RegExp; name: string; namespaces: readonly [string, string?] };

const edition = (name: string): readonly [string, string] => [
  `http://schemas.openxmlformats.org/${name}/2006/main`,
  `http://purl.oclc.org/ooxml/${name}/main`,
];
const root = (part: RegExp, name: string, namespaces: Root['namespaces']): Root => ({ part, name, namespaces });
const [word, sheet, slides] = ['wordprocessingml', 'spreadsheetml', 'presentationml'].map(edition) as [
  readonly [string, string],
  readonly [string, string],
  readonly [string, string],
];

/** Parts without which programs show nothing, or less. */
const roots: readonly Root[] = [
  root(/^\[Content_Types\]\.xml$/, 'Types', ['http://schemas.openxmlformats.org/package/2006/content-types']),
  root(/(?:^|\/)_rels\/[^/]*\.rels$/, 'Relationships', [relationshipNamespace]),
  root(/^word\/document\d*\.xml$/, 'document', word),
  root(/^word\/styles\.xml$/, 'styles', word),
  root(/^word\/numbering\.xml$/, 'numbering', word),
  root(/^xl\/workbook\.xml$/, 'workbook', sheet),
  root(/^xl\/worksheets\/[^/]+\.xml$/, 'worksheet', sheet),
  root(/^xl\/sharedStrings\.xml$/, 'sst', sheet),
  root(/^xl\/styles\.xml$/, 'styleSheet', sheet),
  root(/^ppt\/presentation\.xml$/, 'presentation', slides),
  root(/^ppt\/slides\/[^/]+\.xml$/, 'sld', slides),
  root(/^ppt\/slideLayouts\/[^/]+\.xml$/, 'sldLayout', slides),
  root(/^ppt\/slideMasters\/[^/]+\.xml$/, 'sldMaster', slides),
];

/** Namespaces of files that were written before the standard was done. */
const early =
  /^http:\/\/schemas\.(?:openxmlformats\.org\/\w+\/2006\/\d+\/main|microsoft\.com\/office\/\w+\/2006\/\d+)$/;

const isOf = ({ namespaces }: Root, namespace: string | null): boolean =>
  namespace !== null && (namespaces.includes(namespace) || early.test(namespace));

/** What stands before the root: declaration, comments, instructions (XML 1.0, 2.8), at most so many bytes. */
const prolog = /^\s*(?:<[?!][^>]*>\s*)*/;
const longestHead = 1 << 14;
const openTag = /^<(?:([\w.-]+):)?([\w.-]+)((?:\s[^<>]*)?)>/;

type Opening = { at: number; tag: string; prefix: string; name: string; namespace: string | null };

/** The tag that opens the root of a part, and the namespace that it is in; null where none is found. */
function openingOf(xml: string): Opening | null {
  const at = prolog.exec(xml.slice(0, longestHead))?.[0].length ?? 0;
  const [tag, prefix = '', name = '', attributes = ''] = openTag.exec(xml.slice(at, at + longestHead)) ?? [];
  if (tag === undefined) return null;
  const key = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  const namespace =
    new RegExp(`\\s${key.replaceAll('.', '\\.')}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1] ?? null;
  return { at, tag, prefix, name, namespace };
}

/** Whether a part's root is not what all programs look for there: by another name, or in another language. */
export function isRootWrong(path: string, data: Buffer): boolean {
  const expected = roots.find(({ part }) => part.test(path));
  const opening = expected && openingOf(decodeXml(data));
  if (!expected || !opening) return false;
  return opening.name !== expected.name || !isOf(expected, opening.namespace);
}

/** The part with the root that it must have; its other end is changed with it. */
export function mendRoot(path: string, data: Buffer): Buffer {
  const expected = roots.find(({ part }) => part.test(path));
  const xml = decodeXml(data);
  const opening = openingOf(xml);
  if (!expected || !opening) return data;
  const { at, tag, prefix, name, namespace } = opening;
  const qualified = (local: string) => (prefix === '' ? local : `${prefix}:${local}`);
  const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  const isKnown = isOf(expected, namespace);
  const inner = tag.slice(1 + qualified(name).length);
  const without = isKnown ? inner : inner.replace(new RegExp(`\\s${declaration}\\s*=\\s*["'][^"']*["']`), '');
  const opened = `<${qualified(expected.name)}${isKnown ? '' : ` ${declaration}="${expected.namespaces[0]}"`}${without}`;
  const end = `</${qualified(name)}`;
  const last = xml.lastIndexOf(end);
  const rest =
    last < at
      ? xml.slice(at + tag.length)
      : `${xml.slice(at + tag.length, last)}</${qualified(expected.name)}${xml.slice(last + end.length)}`;
  return Buffer.from(`${asUtf8(xml.slice(0, at))}${opened}${rest}`);
}
