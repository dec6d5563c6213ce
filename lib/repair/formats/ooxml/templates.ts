import { Buffer } from '../../host/bytes';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const sheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relation = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const slide = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ${relation}`;
const emptyTree =
  '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/></p:spTree></p:cSld>';
const colours =
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';

/** The least a header, footer or note part may hold (ECMA-376 part 1, 17.10). */
export function emptyWordPart(root: 'hdr' | 'ftr'): string {
  return `${declaration}<w:${root} ${word}><w:p/></w:${root}>`;
}

/** A worksheet whose first column holds `texts`, or an empty one. Texts are already escaped. */
export function worksheet(texts: readonly string[] = []): string {
  const rows = texts.map(
    (text, index) =>
      `<row r="${index + 1}"><c r="A${index + 1}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c></row>`,
  );
  return `${declaration}<worksheet ${sheet}><sheetData>${rows.join('')}</sheetData></worksheet>`;
}

/** A workbook that lists sheets by name; identifiers run rId1, rId2 and on. Names are already escaped. */
export function workbook(names: readonly string[]): string {
  const sheets = names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`);
  return `${declaration}<workbook ${sheet} ${relation}><sheets>${sheets.join('')}</sheets></workbook>`;
}

/** A format of cells that says nothing (ECMA-376 part 1, 18.8.45). */
export const plainFormat = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';

/** A style sheet with `formats` plain cell formats, so that no cell points past the end. */
export function workbookStyles(formats: number): string {
  return `${declaration}<styleSheet ${sheet}><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats}">${plainFormat.repeat(formats)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

/** A presentation with `slides` slides, identifiers rId2 and on, and one master at rId1. */
export function presentation(slides: number): string {
  const list = Array.from(
    { length: slides },
    (_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 2}"/>`,
  ).join('');
  return `${declaration}<p:presentation ${slide}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${list}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`;
}

/** An empty slide, layout or master (ECMA-376 part 1, 19.3.1). */
export function emptySlidePart(root: 'sld' | 'sldLayout' | 'sldMaster'): string {
  const tail =
    root === 'sldMaster'
      ? `${colours}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>`
      : '<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>';
  return `${declaration}<p:${root} ${slide}>${emptyTree}${tail}</p:${root}>`;
}

/** The least a theme may hold (ECMA-376 part 1, 20.1.6.9). */
export function theme(): string {
  const colour = (name: string, value: string) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
  const scheme = [
    ['dk1', '000000'],
    ['lt1', 'FFFFFF'],
    ['dk2', '44546A'],
    ['lt2', 'E7E6E6'],
    ['accent1', '4472C4'],
    ['accent2', 'ED7D31'],
    ['accent3', 'A5A5A5'],
    ['accent4', 'FFC000'],
    ['accent5', '5B9BD5'],
    ['accent6', '70AD47'],
    ['hlink', '0563C1'],
    ['folHlink', '954F72'],
  ].map(([name = '', value = '']) => colour(name, value));
  const font = '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/>';
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const line = `<a:ln w="9525">${fill}</a:ln>`;
  const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>';
  return `${declaration}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office"><a:themeElements><a:clrScheme name="Office">${scheme.join('')}</a:clrScheme><a:fontScheme name="Office"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme><a:fmtScheme name="Office"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
}

/** A picture of one white pixel (PNG), to stand where a picture was lost so that the place in the text stays. */
export const placeholderPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
  'base64',
);
