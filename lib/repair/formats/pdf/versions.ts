import type { Buffer } from '../../host/bytes';
import { entriesOf, numberOf, type PdfObject } from './values';

/** What stands at the end of each version of a document (ISO 32000-1, 7.5.5). */
const mark = 'startxref';

/** Whether nothing was added to a document after it was written as a whole: what no page leads to may be of a version before then (7.5.6). */
export function isFirstVersion(bytes: Buffer, objects: ReadonlyMap<number, PdfObject>): boolean {
  const first = bytes.indexOf(mark);
  if (first === bytes.lastIndexOf(mark)) return true;
  // Files that show their first page sooner have two tables (annex F.3).
  const linearized = [...objects.values()].find(({ value }) => entriesOf(value).has('Linearized'));
  const isAsLong = numberOf(entriesOf(linearized?.value).get('L')) === bytes.length;
  return isAsLong && bytes.indexOf(mark, first + mark.length) === bytes.lastIndexOf(mark);
}
