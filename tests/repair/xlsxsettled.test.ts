import { describe, expect, it } from 'vitest';
import { nothingToldYet } from '../../lib/repair/families/document';
import { completeFormats, stylesPath } from '../../lib/repair/formats/ooxml/formats';
import { settleSheets } from '../../lib/repair/formats/ooxml/sheetcells';

const path = 'xl/worksheets/sheet1.xml';
const sheet = (data: string) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${data}</sheetData><pageMargins left="1"/></worksheet>`;

/** The data of a sheet that was damaged, as it is handed out. */
function settled(data: string): string {
  const parts = new Map([[path, Buffer.from(sheet(data))]]);
  settleSheets(parts, new Set([path]), nothingToldYet());
  const xml = parts.get(path)?.toString() ?? '';
  expect(xml).toContain('<pageMargins left="1"/></worksheet>');
  return xml.slice(xml.indexOf('<sheetData>') + 11, xml.lastIndexOf('</sheetData>'));
}
const cell = (place: string, value = 1) => `<c r="${place}"><v>${value}</v></c>`;
const row = (number: number | string, ...cells: string[]) => `<row r="${number}">${cells.join('')}</row>`;

describe('a sheet that was damaged and closed again', () => {
  it('keeps what is in order as it is', () => {
    const data = `${row(1, cell('A1'), '<c r="C1" t="inlineStr"><is><r><t>one</t></r><r><t> two</t></r></is></c>')}${row(4, cell('B4'))}`;
    expect(settled(data)).toBe(data);
    const unnamed = '<row><c><v>1</v></c><c><f>A1</f><v>1</v></c></row>';
    expect(settled(unnamed)).toBe(unnamed);
  });

  it('has rows in its data, cells in rows and values in cells alone', () => {
    expect(settled(`${row(1, cell('A1'), '<v>7</v>', '<x>no</x>')}<v>3</v>${cell('A2')}`)).toBe(
      row(1, cell('A1')) + row(2, cell('A2')),
    );
    expect(settled(row(1, cell('A1'), '<is><t>lost</t></is>', cell('C1')))).toBe(
      row(1, cell('A1'), '<c r="B1" t="inlineStr"><is><t>lost</t></is></c>', cell('C1')),
    );
    expect(settled(`${row(1, cell('A1'))}</sheetData><sheetData>${row(2, cell('A2'))}`)).toBe(
      row(1, cell('A1')) + row(2, cell('A2')),
    );
    expect(settled(row(1, '<c r="A1"><v>1</v><is><t>x</t></is><v>2</v><f>B1</f></c>'))).toBe(
      row(1, '<c r="A1"><f>B1</f><v>1</v><is><t>x</t></is></c>'),
    );
    expect(settled(row(1, '<c r="A1"><v>\n <c r="B1"></c>\n </v></c>'))).toBe(row(1, '<c r="A1"><v></v></c>'));
    expect(settled(row(1, '<c r="A1" t="inlineStr"><is><t>one <is><t>two</t></is></t></is></c>'))).toBe(
      row(1, '<c r="A1" t="inlineStr"><is><t>one two</t></is></c>'),
    );
  });

  it('has rows again whose beginnings were lost, where cells name one between their row and the next', () => {
    expect(settled(row(1, cell('A1'), cell('B3'), cell('C3'), cell('A4')) + row(6, cell('A6'), cell('B9')))).toBe(
      row(1, cell('A1')) +
        row(3, cell('B3'), cell('C3')) +
        row(4, cell('A4')) +
        row(6, cell('A6')) +
        row(9, cell('B9')),
    );
    // A place that is garbled names a row that there is elsewhere.
    expect(settled(row(1, cell('A1'), cell('B3')) + row(2, cell('A2')))).toBe(
      row(1, cell('A1'), cell('B1')) + row(2, cell('A2')),
    );
  });

  it('keeps of several values the first that says something', () => {
    expect(settled(row(1, '<c r="A1"><v></v><v>569.8</v><v>2</v></c>'))).toBe(row(1, '<c r="A1"><v>569.8</v></c>'));
  });

  it('has no attribute that there is not, nor one of a value that it cannot have', () => {
    expect(settled('<row r="1" spans="1:x" ht="12" hit="3"><c r="A1" s="4" st="2"><v>1</v></c></row>')).toBe(
      '<row r="1" ht="12"><c r="A1" s="4"><v>1</v></c></row>',
    );
  });

  it('has each cell and row behind the one before: where nothing tells the place it is the next one, or there is none', () => {
    const others = [row(1, cell('A1'), cell('B1'), cell('E1'))];
    expect(settled(others + row(2, cell('A2'), cell('?2', 5), '<c t="n"><v>6</v></c>', cell('D/2', 7)))).toBe(
      others + row(2, cell('A2'), cell('B2', 5), '<c r="C2" t="n"><v>6</v></c>', cell('D2', 7)),
    );
    expect(settled(others + row(2, cell('A2'), cell('1/2', 5), cell('x', 6), cell('C2')))).toBe(
      others + row(2, cell('A2'), cell('B2', 5), cell('C2')),
    );
    expect(settled(others + row('_', '<c r="_"><v>1</v></c>') + row(3, cell('A3'), cell('B3')))).toBe(
      others + row(2, cell('A2')) + row(3, cell('A3'), cell('B3')),
    );
  });
});

describe('formats of cells in a damaged list', () => {
  const formatted = sheet(row(1, '<c r="A1" s="3"><v>1</v></c>'));
  const styled = (list: string, rest: string) => {
    const styles = `<styleSheet xmlns="x">${rest}${list}</styleSheet>`;
    const parts = new Map([
      [path, Buffer.from(formatted)],
      [stylesPath, Buffer.from(styles)],
    ]);
    const told = nothingToldYet();
    completeFormats({ parts, told }, new Set([stylesPath]));
    return { styles, text: parts.get(stylesPath)?.toString() ?? '', lost: told.lost };
  };
  const formats = (count: number) => `<cellXfs count="${count}">${'<xf numFmtId="14"/>'.repeat(count)}</cellXfs>`;
  const rest = '<fonts><font/></fonts><fills><fill/></fills><borders><border/></borders>';

  it('are plain ones where cells refer to more than are left', () => {
    const { text, lost } = styled(formats(2), rest);
    expect(text).toContain('<cellXfs count="4"><xf numFmtId="14"/><xf numFmtId="14"/><xf numFmtId="0"');
    expect(text.match(/<xf /g)).toHaveLength(4);
    expect(lost).toEqual([{ how: 'formatting.part', count: 2 }]);
  });

  it('are all plain where nothing is left to count in', () => {
    for (const { text } of [styled(formats(2), '<fonts></fonts>'), styled('', rest)]) {
      expect(text).toContain('<cellXfs count="4">');
      expect(text).not.toContain('numFmtId="14"');
    }
  });

  it('stay as they are where there are enough', () => {
    const { text, styles, lost } = styled(formats(4), rest);
    expect(text).toBe(styles);
    expect(lost).toEqual([]);
  });
});
