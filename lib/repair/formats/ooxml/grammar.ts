import { byName } from '../../core/named';

/** Bytes of a part that say enough about how its elements stand in each other. */
export const grammarBytes = 1 << 20;

/** Which elements may hold which, as far as a document shows it itself or the core of the format's schema says (ECMA-376 part 1). */
export type Grammar = Map<string, Set<string>>;

const core: Record<string, string> = {
  'w:body': 'w:document',
  'w:p': 'w:body w:tc w:txbxContent w:hdr w:ftr w:footnote w:endnote w:comment w:sdtContent',
  'w:tbl': 'w:body w:tc w:txbxContent w:hdr w:ftr w:sdtContent',
  'w:tr': 'w:tbl w:sdtContent',
  'w:tc': 'w:tr w:sdtContent',
  'w:r': 'w:p w:hyperlink w:ins w:del w:smartTag w:sdtContent w:fldSimple',
  'w:t': 'w:r',
  'w:delText': 'w:r',
  'w:instrText': 'w:r',
  'w:delInstrText': 'w:r',
  'w:tab': 'w:r w:tabs',
  'w:br': 'w:r',
  'w:pPr': 'w:p w:pPrDefault w:style w:lvl',
  'w:rPr': 'w:r w:pPr w:rPrDefault w:style w:lvl',
  'w:pStyle': 'w:pPr',
  'w:rStyle': 'w:rPr',
  'w:hyperlink': 'w:p',
  'w:tblPr': 'w:tbl w:style',
  'w:tblGrid': 'w:tbl',
  'w:gridCol': 'w:tblGrid',
  'w:trPr': 'w:tr',
  'w:tcPr': 'w:tc',
  'w:sectPr': 'w:body w:pPr',
  'w:drawing': 'w:r',
  sheetData: 'worksheet',
  row: 'sheetData',
  c: 'row',
  v: 'c',
  f: 'c',
  is: 'c',
  si: 'sst',
  t: 'si r is',
  r: 'si is',
  rPr: 'r',
  'p:cSld': 'p:sld p:sldLayout p:sldMaster p:notes',
  'p:spTree': 'p:cSld',
  'p:sp': 'p:spTree p:grpSp',
  'p:grpSp': 'p:spTree p:grpSp',
  'p:pic': 'p:spTree p:grpSp',
  'p:txBody': 'p:sp',
  'p:spPr': 'p:sp p:pic',
  'p:nvSpPr': 'p:sp',
  'a:bodyPr': 'p:txBody a:txBody',
  'a:p': 'p:txBody a:txBody',
  'a:r': 'a:p a:fld',
  'a:t': 'a:r a:fld',
  'a:pPr': 'a:p a:fld',
  'a:rPr': 'a:r a:fld',
  'a:endParaRPr': 'a:p',
};

/** The same of OpenDocument (ODF 1.3 part 3, 3.1.3, 3.4, 3.7, 4.3, 5.1, 5.3, 6.1, 9.1, 10.4). */
const odfCore: Record<string, string> = {
  'office:document-content': '',
  'office:automatic-styles': 'office:document-content',
  'office:body': 'office:document-content',
  'office:text': 'office:body',
  'office:spreadsheet': 'office:body',
  'office:presentation': 'office:body',
  'draw:page': 'office:presentation',
  'text:section': 'office:text text:section',
  'text:h': 'office:text text:section text:list-item table:table-cell',
  'text:p': 'office:text text:section text:list-item table:table-cell draw:text-box text:note-body office:annotation',
  'text:list': 'office:text text:section text:list-item table:table-cell draw:text-box',
  'text:list-item': 'text:list',
  'text:span': 'text:p text:h text:span text:a',
  'text:a': 'text:p text:h text:span',
  'text:s': 'text:p text:h text:span text:a',
  'text:tab': 'text:p text:h text:span text:a',
  'text:line-break': 'text:p text:h text:span text:a',
  'text:bookmark': 'text:p text:h text:span text:a',
  'text:soft-page-break': 'text:p text:h text:span text:a office:text',
  'table:table': 'office:spreadsheet office:text text:section table:table-cell',
  'table:table-column': 'table:table',
  'table:table-row': 'table:table table:table-header-rows table:table-rows table:table-row-group',
  'table:table-cell': 'table:table-row',
  'draw:frame': 'text:p text:h text:span text:a table:table-cell draw:page',
  'draw:image': 'draw:frame',
  'draw:text-box': 'draw:frame',
};

/** Elements that nearly every document of the three formats uses. */
export const usualElements: readonly string[] = [
  ...new Set(Object.entries(core).flatMap(([child, parents]) => [child, ...parents.split(' ')])),
  'sst',
];

/**
 * Learns from XML, up to where it breaks, which element stands in which, on top of the schema's core. In a `faulty` sample an element
 * that stands in one of its own kind shows a lost end tag, and is not learnt from.
 */
export function learnGrammar(samples: readonly string[], faulty: readonly string[] = []): Grammar {
  const grammar: Grammar = new Map();
  const add = (child: string, parent: string) => {
    const parents = grammar.get(child);
    if (parents) parents.add(parent);
    else grammar.set(child, new Set([parent]));
  };
  for (const [child, parents] of Object.entries({ ...core, ...odfCore }))
    for (const parent of parents.split(' ')) add(child, parent);
  for (const sample of [...samples, ...faulty]) {
    const isFaulty = faulty.includes(sample);
    const stack: string[] = [];
    const tags = /<(\/?)([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)(?:\s[^<>]*?)?(\/?)>/g;
    for (let match = tags.exec(sample); match; match = tags.exec(sample)) {
      const [, end, element = '', empty] = match;
      if (end) {
        const depth = stack.lastIndexOf(element);
        // One lost end tag is told from a lost piece by how much it leaves open.
        if (depth < 0 || depth < stack.length - 2 || (depth < stack.length - 1 && !isFaulty)) break;
        stack.length = depth;
        continue;
      }
      if (!isFaulty || stack.at(-1) !== element) add(element, stack.at(-1) ?? '');
      if (!empty) stack.push(element);
    }
  }
  return grammar;
}

/** What holds the content of each kind of OpenDocument package (ODF 1.3 part 3, 3.3). */
const odfBodies: Readonly<Record<string, string>> = {
  odt: 'office:text',
  ods: 'office:spreadsheet',
  odp: 'office:presentation',
};

/** The opening of a part whose own was lost, by path; null for parts that mean nothing without it. */
export function shellFor(path: string, format = ''): string | null {
  const relation = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const sheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
  const body = odfBodies[format];
  if (body && path === 'content.xml') return `<office:document-content office:version="1.3"><office:body><${body}>`;
  if (/^word\/document\d*\.xml$/.test(path)) {
    return `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ${relation} ${drawing}><w:body>`;
  }
  if (/^xl\/worksheets\//.test(path)) return `<worksheet ${sheet} ${relation}><sheetData>`;
  if (path === 'xl/sharedStrings.xml') return `<sst ${sheet}>`;
  if (/^ppt\/slides\//.test(path)) {
    return `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ${relation} ${drawing}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>`;
  }
  return null;
}

/** Elements to open around text that lost them, by the element it now stands in. */
export const textWrappers: Record<string, string[]> = byName({
  'w:r': ['w:t'],
  'w:p': ['w:r', 'w:t'],
  'a:r': ['a:t'],
  'a:p': ['a:r', 'a:t'],
  si: ['t'],
  is: ['t'],
  'office:text': ['text:p'],
  'text:section': ['text:p'],
  'text:list-item': ['text:p'],
  'table:table-cell': ['text:p'],
  'draw:text-box': ['text:p'],
});

/** The same where the end tag of a text shows that it is one: there it is worth a paragraph of its own. */
export const rescueWrappers: Record<string, string[]> = byName({
  ...textWrappers,
  'w:tc': ['w:p', 'w:r', 'w:t'],
  'w:body': ['w:p', 'w:r', 'w:t'],
  'p:txBody': ['a:p', 'a:r', 'a:t'],
  sst: ['si', 't'],
});

/** Elements to open before one whose own parent lost its tag, by the element it now stands in (ODF 1.3 part 3, 5.1.3, 5.3.3, 6.1.7, 9.1.3, 9.1.4, 10.2.4). */
export const impliedParents: Record<string, Record<string, string[]>> = byName({
  'text:p': byName({
    'table:table-row': ['table:table-cell'],
    'table:table': ['table:table-row', 'table:table-cell'],
    'text:list': ['text:list-item'],
    'office:body': ['office:text'],
    'office:document-content': ['office:body', 'office:text'],
  }),
  'text:span': byName({
    'office:text': ['text:p'],
    'table:table-cell': ['text:p'],
    'table:table-row': ['table:table-cell', 'text:p'],
    'text:list-item': ['text:p'],
  }),
  'table:table-cell': byName({
    'table:table': ['table:table-row'],
    'office:spreadsheet': ['table:table', 'table:table-row'],
    'office:body': ['office:spreadsheet', 'table:table', 'table:table-row'],
    'office:document-content': ['office:body', 'office:spreadsheet', 'table:table', 'table:table-row'],
  }),
  'table:table-row': byName({
    'office:spreadsheet': ['table:table'],
    'office:body': ['office:spreadsheet', 'table:table'],
    'office:document-content': ['office:body', 'office:spreadsheet', 'table:table'],
  }),
  'draw:frame': byName({
    'office:presentation': ['draw:page'],
  }),
});

/** Namespaces of content by the prefixes that every program writes for them (ODF 1.3 part 3, 1.5 and the parts of ECMA-376). */
export const usualNamespaces: Readonly<Record<string, string>> = byName({
  ...Object.fromEntries(
    [
      'office',
      'style',
      'text',
      'table',
      'meta',
      'number',
      'presentation',
      'chart',
      'dr3d',
      'form',
      'script',
      'config',
    ].map((name) => [name, `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`]),
  ),
  draw: 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0',
  fo: 'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0',
  svg: 'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0',
  xlink: 'http://www.w3.org/1999/xlink',
  dc: 'http://purl.org/dc/elements/1.1/',
  calcext: 'urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0',
  loext: 'urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0',
  w: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  p: 'http://schemas.openxmlformats.org/presentationml/2006/main',
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
});
