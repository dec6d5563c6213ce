import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { asUtf8 } from './encoding';
import { decodeXml } from './text';
import { officeRelationships } from './vocabulary';

const main = (name: string): string => `http://schemas.openxmlformats.org/${name}/main`;
const drawing = (name: string): string => `http://schemas.openxmlformats.org/drawingml/2006/${name}`;
const strict = (name: string): string => `http://purl.oclc.org/ooxml/${name}`;

/** Namespaces by the prefixes that all programs give them (ECMA-376 part 1, annex A, and the strict ones of ISO/IEC 29500-1). */
const usual: ReadonlyMap<string, readonly string[]> = new Map([
  ['w', [main('wordprocessingml/2006'), strict('wordprocessingml/main')]],
  ['p', [main('presentationml/2006'), strict('presentationml/main')]],
  ['a', [main('drawingml/2006'), strict('drawingml/main')]],
  ['r', [officeRelationships, strict('officeDocument/relationships')]],
  ['wp', [drawing('wordprocessingDrawing'), strict('drawingml/wordprocessingDrawing')]],
  ['xdr', [drawing('spreadsheetDrawing'), strict('drawingml/spreadsheetDrawing')]],
  ['pic', [drawing('picture'), strict('drawingml/picture')]],
  ['c', [drawing('chart'), strict('drawingml/chart')]],
]);

/** Letters of a part in which its root declares its namespaces, and letters in which a namespace is another one by damage. */
const headLetters = 8192;
const mostWrong = 2;

const declarations = /\sxmlns:(\w+)\s*=\s*(["'])([^"'<>]*)\2/g;

/** The namespace that another one is but for letters; null where it is none, or sound. */
function meant(prefix: string, namespace: string): string | null {
  const known = usual.get(prefix) ?? [];
  if (known.includes(namespace)) return null;
  const wrong = (one: string) => [...one].filter((letter, at) => letter !== namespace[at]).length;
  return known.find((one) => one.length === namespace.length && wrong(one) <= mostWrong) ?? null;
}

/** Sets namespaces right that parts declare with wrong letters, so that no program knows what is in them. */
export function mendNamespaces(parts: Map<string, Buffer>, damaged: ReadonlySet<string>, told: DocumentTold): void {
  let all = 0;
  for (const [part, data] of parts) {
    if (damaged.has(part) || !/\.(?:xml|rels)$/i.test(part)) continue;
    const head = decodeXml(data.subarray(0, headLetters));
    const count = [...head.matchAll(declarations)].filter(([, prefix = '', , name = '']) => meant(prefix, name)).length;
    if (count === 0) continue;
    const xml = decodeXml(data);
    const mended = xml
      .slice(0, headLetters)
      .replace(declarations, (whole, prefix: string, _, name: string) =>
        whole.replace(name, meant(prefix, name) ?? name),
      );
    parts.set(part, Buffer.from(asUtf8(mended + xml.slice(headLetters))));
    find(told, { kind: 'xml.namespaces', part, count });
    all += count;
  }
  if (all > 0) told.steps.push({ kind: 'roots', count: all });
}
