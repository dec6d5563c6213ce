import type { PdfModel } from './model';
import { isBareStream } from './pagecontent';
import { entriesOf, type PdfObject, pdfReference, referenceOf } from './values';

/** Fonts whose tables are looked into, and streams that are looked through for lost ones. */
const most = { fonts: 500, streams: 4000 } as const;

/** Whether a stream is a table of codes and letters (ISO 32000-1, 9.10.3); null where it cannot be read. */
function isTable(model: PdfModel, object: PdfObject): boolean | null {
  const decoded = model.decode(object);
  if (!decoded.supported || !decoded.sound) return null;
  return decoded.data.includes('begincmap') || /\bbeginbf(?:char|range)\b/.test(decoded.data.toString('latin1'));
}

/** The object that a font names as its table of letters; undefined for one that is missing, or stands in the font itself. */
function tableOf(model: PdfModel, font: PdfObject): PdfObject | undefined {
  return model.objects.get(referenceOf(entriesOf(font.value).get('ToUnicode')) ?? -1);
}

/** Fonts that name something else in the stead of the table that tells their letters: readers that look for text find none. */
export function fontsMisled(model: PdfModel): PdfObject[] {
  const fonts = [...model.objects.values()].filter((object) => model.nameIn(object, 'Type') === 'Font');
  const known = new Map<PdfObject, boolean>();
  return fonts.slice(0, most.fonts).filter((font) => {
    const table = tableOf(model, font);
    if (!table) return false;
    const isOther =
      known.get(table) ??
      (table.stream ? isTable(model, table) === false : !['name', 'null'].includes(table.value.kind));
    known.set(table, isOther);
    return isOther;
  });
}

/**
 * Leads fonts that name something else to the tables that no font names, where there are as many of those, the nearest by number; takes the
 * entry out of the others. How many were led to one, and how many not.
 */
export function leadFonts(model: PdfModel): { led: number; left: number } {
  const misled = fontsMisled(model);
  if (misled.length === 0) return { led: 0, left: 0 };
  const named = new Set(
    [...model.objects.values()].map(({ value }) => referenceOf(entriesOf(value).get('ToUnicode')) ?? -1),
  );
  const streams = [...model.objects.values()].filter((object) => isBareStream(object) && !named.has(object.number));
  const tables = streams.slice(0, most.streams).filter((object) => isTable(model, object));
  const isTold = tables.length === misled.length;
  for (const font of misled) {
    const entries = entriesOf(font.value);
    const before = referenceOf(entries.get('ToUnicode')) ?? font.number;
    const away = ({ number }: PdfObject) => Math.abs(number - before);
    const [nearest] = tables.toSorted((left, right) => away(left) - away(right));
    if (!isTold || !nearest) entries.delete('ToUnicode');
    else {
      tables.splice(tables.indexOf(nearest), 1);
      entries.set('ToUnicode', pdfReference(nearest.number, nearest.generation));
    }
  }
  return isTold ? { led: misled.length, left: 0 } : { led: 0, left: misled.length };
}
