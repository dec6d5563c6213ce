import type { Buffer } from '../../host/bytes';
import { decodeXml } from './text';

/** What is known of an element when it ends: where it stands, its first child, and whether it holds letters. */
type Element = { name: string; parent: string; first: string; hasText: boolean };

/** What an element must be called by what it holds and where it stands, though it is none of the others that may hold the same there. */
type Rule = { name: string; parents: RegExp; first: RegExp | null; others: RegExp };

const rule = (name: string, parents: RegExp, first: RegExp | null, others: RegExp): Rule => ({
  name,
  parents,
  first,
  others,
});

/** Content models that one kind of child tells (ECMA-376 part 1, 17.2 to 17.4, 18.3, 18.4, 19.3 and 21.1.2). Without a first child an element holds nothing but letters. */
const rules: readonly Rule[] = [
  rule(
    'w:t',
    /^w:r$/,
    null,
    /^w:(?:t|delText|instrText|delInstrText|sym|fldChar|object|pict|drawing|ruby|contentPart)$/,
  ),
  rule(
    'w:p',
    /^w:(?:body|tc|hdr|ftr|footnote|endnote|comment|txbxContent)$/,
    /^w:(?:pPr|r)$/,
    /^w:(?:p|ins|del|moveFrom|moveTo|sdt|customXml)$/,
  ),
  rule(
    'w:r',
    /^w:(?:p|hyperlink)$/,
    /^w:(?:rPr|t)$/,
    /^w:(?:r|pPr|sdt|sdtPr|sdtEndPr|ruby|fldSimple|ins|del|smartTag)$/,
  ),
  rule('w:tbl', /^w:(?:body|tc|hdr|ftr)$/, /^w:tblPr$/, /^w:tbl$/),
  rule('w:tc', /^w:tr$/, /^w:tcPr$/, /^w:tc$/),
  rule('w:body', /^w:document$/, /^w:(?:p|tbl|sdt)$/, /^w:(?:body|background)$/),
  rule('a:t', /^a:(?:r|fld)$/, null, /^a:(?:t|rPr|pPr)$/),
  rule('a:p', /:txBody$/, /^a:(?:pPr|r|endParaRPr)$/, /^a:(?:p|bodyPr|lstStyle)$/),
  rule('a:r', /^a:p$/, /^a:(?:rPr|t)$/, /^a:(?:r|fld|br|pPr|endParaRPr)$/),
  rule('p:spTree', /^p:cSld$/, /^p:nvGrpSpPr$/, /^p:spTree$/),
  rule('c', /^row$/, /^(?:v|f|is)$/, /^c$/),
  rule('v', /^c$/, null, /^[fv]$/),
  rule('si', /^sst$/, /^[tr]$/, /^(?:si|extLst)$/),
  rule('t', /^(?:si|is|r)$/, null, /^(?:t|rPr|phoneticPr)$/),
];

const byPrefix = (name: string) => name.slice(0, name.indexOf(':') + 1);

/** Whether two names that have prefixes differ in these alone. */
const isOtherPrefix = (name: string, other: string): boolean =>
  byPrefix(name) !== '' &&
  byPrefix(other) !== '' &&
  name.slice(byPrefix(name).length) === other.slice(byPrefix(other).length);

/** The name that an element must have; null where it has a right one, or nothing tells it. */
function rightName({ name, parent, first, hasText }: Element): string | null {
  for (const one of rules) {
    const isNear = byPrefix(name) === byPrefix(one.name) || isOtherPrefix(name, one.name);
    if (!isNear || one.others.test(name) || !one.parents.test(parent)) continue;
    if (one.first === null ? hasText && first === '' : one.first.test(first)) return one.name;
  }
  return null;
}

/** Parts whose text readers look for in elements of these names. */
const looked =
  /^(?:word\/(?:document\d*|header\d*|footer\d*|footnotes|endnotes|comments)|ppt\/(?:slides|notesSlides|slideLayouts|slideMasters)\/[^/]+|xl\/(?:sharedStrings|worksheets\/[^/]+))\.xml$/;

/** The namespaces whose elements these are (ECMA-376 part 1, annex A; ISO/IEC 29500-1 of the strict ones), and letters in which a root declares them: drafts before the standard had other names. */
const vocabulary =
  /"http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/(?:wordprocessingml|spreadsheetml|presentationml)\/(?:2006\/)?main"/;
const headLetters = 8192;

/** Whether a part is of these vocabularies. */
export const isStandard = (xml: string): boolean => vocabulary.test(xml.slice(0, headLetters));

type Open = Element & { from: number; behind: number };

/**
 * A well-formed part with the elements renamed that are called something no reader knows, where what they hold tells what they must be:
 * text in them would not be shown. Null where there are none. Takes time in proportion to the part.
 */
export function mendNames(path: string, data: Buffer): { xml: string; count: number } | null {
  if (!looked.test(path)) return null;
  const xml = decodeXml(data);
  if (!isStandard(xml)) return null;
  const edits: { from: number; to: number; name: string }[] = [];
  const open: Open[] = [];
  let count = 0;
  const tags = /<(\/?)([\w.-]+(?::[\w.-]+)?)(?:\s[^<>]*?)?(\/?)>/g;
  for (let match = tags.exec(xml); match; match = tags.exec(xml)) {
    const [whole, end = '', name = '', empty] = match;
    const above = open.at(-1);
    if (end) {
      const element = open.pop();
      if (element?.name !== name) return null;
      element.hasText = element.first === '' && xml.slice(element.behind, match.index).trim() !== '';
      const right = rightName(element);
      if (right === null) continue;
      count++;
      edits.push({ from: element.from + 1, to: element.from + 1 + name.length, name: right });
      edits.push({ from: match.index + 2, to: match.index + 2 + name.length, name: right });
      continue;
    }
    if (above && above.first === '') above.first = name;
    if (empty) continue;
    const place = { from: match.index, behind: match.index + whole.length };
    open.push({ name, parent: above?.name ?? '', first: '', hasText: false, ...place });
  }
  if (count === 0) return null;
  edits.sort((left, right) => left.from - right.from);
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, name } of edits) {
    pieces.push(xml.slice(at, from), name);
    at = to;
  }
  return { xml: pieces.join('') + xml.slice(at), count };
}
