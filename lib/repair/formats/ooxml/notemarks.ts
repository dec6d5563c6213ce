import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { asUtf8 } from './encoding';
import { findMainPart, partText } from './package';
import { readRelationships, relationshipsPath } from './relationships';

/** Marks in the text, by what leads to the part with what they are of, and the element that this is there (ECMA-376 part 1, 17.11.10, 17.11.14, 17.13.4.2 and 17.13.4.5). */
const kinds = [
  { relation: 'comments', mark: 'commentReference', note: 'comment', attributes: ' w:author=""' },
  { relation: 'footnotes', mark: 'footnoteReference', note: 'footnote', attributes: '' },
  { relation: 'endnotes', mark: 'endnoteReference', note: 'endnote', attributes: '' },
] as const;

/** More marks than these stand in no text that anybody wrote. */
const mostMarks = 100_000;

/** The numbers that the elements of a name in the usual prefix have. */
function numbersOf(xml: string, name: string): Set<string> {
  const found = new Set<string>();
  for (const [, attributes = ''] of xml.matchAll(new RegExp(`<w:${name}(\\s[^<>]*)>`, 'g'))) {
    const number = /\sw:id\s*=\s*["']([^"']*)["']/.exec(attributes)?.[1];
    if (number !== undefined) found.add(number);
  }
  return found;
}

/**
 * Counts marks of comments, footnotes and endnotes in the text whose note is not in its part, and gives them empty ones, without which
 * programs refuse the document or lose the mark. Parts that are `damaged` or missing are told elsewhere.
 */
export function mendNotes(parts: Map<string, Buffer>, damaged: ReadonlySet<string>, told: DocumentTold): void {
  const main = findMainPart('docx', parts);
  if (main === null || damaged.has(main)) return;
  const text = partText(parts, main) ?? '';
  const known = readRelationships(partText(parts, relationshipsPath(main)) ?? '', main);
  let lost = 0;
  for (const { relation, mark, note, attributes } of kinds) {
    const marks = numbersOf(text, mark);
    const path = known.find(({ type }) => type.endsWith(`/${relation}`))?.path ?? '';
    const xml = damaged.has(path) || marks.size === 0 ? null : partText(parts, path);
    if (xml === null || marks.size > mostMarks) continue;
    const notes = numbersOf(xml, note);
    const missing = [...marks].filter((number) => !notes.has(number));
    const end = xml.lastIndexOf(`</w:${relation}`);
    const root = new RegExp(`<w:${relation}(?:\\s[^<>]*)?/>`).exec(xml);
    if (missing.length === 0 || (end < 0 && !root)) continue;
    lost += missing.length;
    const added = missing.map((number) => `<w:${note} w:id="${number}"${attributes}><w:p/></w:${note}>`).join('');
    const mended = root
      ? xml.replace(root[0], () => `${root[0].slice(0, -2)}>${added}</w:${relation}>`)
      : xml.slice(0, end) + added + xml.slice(end);
    parts.set(path, Buffer.from(asUtf8(mended)));
  }
  if (lost === 0) return;
  find(told, { kind: 'relations.notes', count: lost });
  told.lost.push({ how: 'notes.gone', count: lost });
}
