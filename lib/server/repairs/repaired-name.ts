import 'server-only';
import type { RepairReport } from '../../contract/repair';
import { isSameContent } from '../../repair/formats/table';

/**
 * The name under which a result is offered: the original with `-repaired`; a healthy file keeps its name. When the file
 * turned out to be of another format, its extension follows.
 */
export function repairedName(fileName: string, report: RepairReport | null): string {
  if (report?.verdict === 'healthy') return fileName;
  const dot = fileName.lastIndexOf('.');
  const base = dot > 0 ? fileName.slice(0, dot) : fileName;
  const extension = dot > 0 ? fileName.slice(dot + 1) : '';
  const format = report?.format ?? extension;
  return `${base}-repaired.${isSameContent(extension, format) ? extension : format}`;
}
