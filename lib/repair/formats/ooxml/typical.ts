/** Markup as programs write it around text, by which lost bytes of tags are told where a part has no whole one left (ODF 1.3 part 3; ECMA-376 part 1). */
const odf = [
  '<office:body><office:text text:use-soft-page-breaks="true"><text:sequence-decls><text:sequence-decl text:display-outline-level="0" text:name="',
  '</text:p><text:p text:style-name="',
  '</text:p><text:h text:style-name="',
  '</text:h><text:p text:style-name="',
  '</text:h><text:h text:style-name="',
  '" text:outline-level="',
  '</text:span></text:p><text:p text:style-name="Standard"><text:span text:style-name="T1">',
  '</text:span><text:span text:style-name="',
  '</text:p></text:list-item><text:list-item><text:p text:style-name="',
  '</text:p></text:list-item></text:list><text:p text:style-name="',
  '</text:p><text:list text:style-name="L1"><text:list-item><text:p text:style-name="',
  '<text:a xlink:type="simple" xlink:href="http://',
  '" text:style-name="Internet_20_link" text:visited-style-name="Visited_20_Internet_20_Link">',
  '</text:a></text:p><text:p text:style-name="',
  '<text:bookmark text:name="',
  '"/><text:bookmark text:name="',
  '<text:bookmark-start text:name="',
  '"/><text:soft-page-break/>',
  '<text:tab/>',
  '<text:line-break/>',
  '<text:s text:c="',
  '</text:p></text:section><text:section text:style-name="Sect1" text:name="',
  '</text:p></office:text></office:body></office:document-content>',
  '<office:body><office:spreadsheet><table:table table:name="Sheet1" table:style-name="ta1"><table:table-column table:style-name="co1" table:default-cell-style-name="Default"/>',
  '</text:p></table:table-cell></table:table-row><table:table-row table:style-name="ro1"><table:table-cell office:value-type="',
  '</text:p></table:table-cell><table:table-cell office:value-type="string" calcext:value-type="string"><text:p>',
  '</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="',
  '" calcext:value-type="float"><text:p>',
  '</text:p></table:table-cell><table:table-cell table:style-name="ce1" office:value-type="',
  '</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>',
  '</text:p></draw:text-box></draw:frame><draw:frame draw:style-name="',
  '</text:span></text:p></draw:text-box></draw:frame><draw:frame presentation:style-name="',
  '</draw:page><draw:page draw:name="',
  '</draw:page></office:presentation></office:body></office:document-content>',
];
const docx = [
  '<w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/><w:rPr></w:rPr></w:pPr><w:r><w:rPr></w:rPr><w:t>',
  '</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="',
  '</w:t></w:r></w:p><w:p><w:r><w:t>',
  '</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">',
  '</w:t></w:r><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t xml:space="preserve">',
  '</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:tcW w:w="',
  '</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:tcW w:w="',
  '<w:bookmarkStart w:id="',
  '<w:bookmarkEnd w:id="',
  '<w:hyperlink r:id="',
  '</w:t></w:r></w:hyperlink><w:r>',
];
const xlsx = [
  '<sheetData><row r="1"><c r="A1" t="s"><v>',
  '</v></c></row><row r="',
  '</v></c><c r="',
  '" t="s"><v>',
  '" s="1"><v>',
  '" s="1" t="s"><v>',
  '" s="1" t="n"><v>',
  '</v></c></row></sheetData>',
  '</t></si><si><t>',
  '</t></si><si><t xml:space="preserve">',
];
const pptx = [
  '</a:t></a:r></a:p><a:p><a:r><a:rPr lang="en-US"/><a:t>',
  '</a:t></a:r></a:p></p:txBody></p:sp><p:sp><p:nvSpPr><p:cNvPr id="',
  '</a:t></a:r><a:endParaRPr/></a:p></p:txBody></p:sp>',
];

/** Typical markup of a format. */
export function typicalMarkup(format: string): string {
  const markup: Readonly<Record<string, readonly string[]>> = { odt: odf, ods: odf, odp: odf, docx, xlsx, pptx };
  return (markup[format] ?? []).join(' ');
}
