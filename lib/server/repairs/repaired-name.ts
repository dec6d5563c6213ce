import 'server-only';
import type { RepairReport } from '../../contract/repair';
import { isSameContent } from '../../repair/formats/table';

/**
 * The name under which a result is offered: the original with `-repaired`; a healthy file keeps its own. When the file
 * turned out to be of another format, its extension follows: under the wrong one no program opens it.
 */
export function repairedName(fileName: string, report: RepairReport | null): string {
  const dot = fileName.lastIndexOf('.');
  const base = dot > 0 ? fileName.slice(0, dot) : fileName;
  const extension = dot > 0 ? fileName.slice(dot + 1) : '';
  const format = report?.format ?? extension;
  const mark = report?.verdict === 'healthy' ? '' : '-repaired';
  const kept = isSameContent(extension, format) ? extension : format;
  return kept ? `${base}${mark}.${kept}` : `${base}${mark}`;
}
