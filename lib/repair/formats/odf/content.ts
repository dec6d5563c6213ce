import { countWords } from '../../core/words';
import type { Buffer } from '../../host/bytes';
import type { Amount } from '../../report/facts/document';
import { decodeXml, unescapeXml, withoutElements } from '../ooxml/text';

/** The part with the text or the tables, the one that lists all parts, and the one that says of which kind the package is (ODF 1.3 part 2). */
export const contentPath = 'content.xml';
export const manifestPath = 'META-INF/manifest.xml';
export const kindPath = 'mimetype';

/** Parts that nearly every package has (ODF 1.3 part 2, 3). */
export const ownPaths: readonly string[] = [
  contentPath,
  manifestPath,
  kindPath,
  'styles.xml',
  'meta.xml',
  'settings.xml',
];

/** What each kind of package calls itself (ODF 1.3 part 2, appendix C). */
const mediaTypes: Readonly<Record<string, string>> = {
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
};
/** What templates, pages for the web and documents that hold others add to that. */
const subtypes = ['', '-template', '-web', '-master', '-master-template'];

/** What a package calls itself: as it or the list of its parts says, or else as its format does. */
export function kindOf(format: string, parts: ReadonlyMap<string, Buffer>): string {
  const base = mediaTypes[format] ?? '';
  const listed = /full-path="\/"[^<>]*? manifest:media-type="([^"]*)"/.exec(
    parts.get(manifestPath)?.toString('latin1') ?? '',
  )?.[1];
  const said = [parts.get(kindPath)?.toString('latin1'), listed];
  return said.find((kind) => subtypes.some((subtype) => kind === `${base}${subtype}`)) ?? base;
}

/** Whether a part is one that programs write into OpenDocument packages. */
export const isOdfPart = (path: string): boolean =>
  /^(?:mimetype|(?:content|styles|meta|settings)\.xml|META-INF\/\w+\.xml|(?:Pictures|Thumbnails|Object \d+|Configurations2)\/.+)$/.test(
    path,
  );

/** Whether a part is one that the standard gives a root element (ODF 1.3 part 2, 3.1); what else programs keep beside these they may leave empty. */
export const isDefined = (path: string): boolean =>
  /^(?:(?:content|styles|meta|settings)|META-INF\/manifest)\.xml$/.test(path);

/** What a package holds: words of its text, tables and filled cells of a spreadsheet, slides of a presentation, pictures. */
export type Content = { words: number; tables: number; cells: number; slides: number; pictures: number };

/** Tags that part words; any other may stand inside of one. */
const parting = /<\/?(?:text:(?:p|h|tab|line-break|s)|table:table-cell)(?=[\s/>])[^<>]*>/g;

/** Text that stands in the body without being shown as part of it: what was deleted, while changes are recorded (ODF 1.3 part 3, 5.5.1). */
const hidden = /<text:tracked-changes(?=[\s>])(?![^<>]*\/>)/g;

/** The text of the body, without tags. */
function textOf(xml: string): string {
  const body = xml.slice(Math.max(0, xml.indexOf('<office:body')));
  const shown = withoutElements(body, hidden, '</text:tracked-changes>');
  return unescapeXml(shown.replace(parting, ' ').replace(/<[^<>]*>/g, ''));
}

export function measureContent(parts: ReadonlyMap<string, Buffer>): Content {
  const data = parts.get(contentPath);
  const xml = data ? decodeXml(data) : '';
  const cells = xml.match(/<table:table-cell(?=[\s>])[^<>]*[^/<>]>(?!<\/table:table-cell)/g)?.length ?? 0;
  const tables = xml.match(/<table:table(?=[\s>])/g)?.length ?? 0;
  const slides = xml.match(/<draw:page(?=[\s>])/g)?.length ?? 0;
  const pictures = [...parts].filter(([path, { length }]) => path.startsWith('Pictures/') && length > 0).length;
  return { words: countWords(textOf(xml)), tables, cells, slides, pictures };
}

/** The content as the report counts it. */
export function amountsOf(format: string, { words, tables, cells, slides, pictures }: Content): Amount[] {
  const amounts: Amount[] = [];
  if (format === 'ods') amounts.push({ unit: 'sheets', count: tables }, { unit: 'cells', count: cells });
  if (format === 'odp') amounts.push({ unit: 'slides', count: slides });
  amounts.push({ unit: 'words', count: words });
  return pictures > 0 ? [...amounts, { unit: 'pictures', count: pictures }] : amounts;
}
