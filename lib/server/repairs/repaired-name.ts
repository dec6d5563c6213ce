import 'server-only';
import type { RepairReport } from '../../contract/repair';
import { isSameContent } from '../../repair/formats/table';

/** What is offered where the original has no name before its extension, which a browser may even take for a hidden file. */
const UNNAMED = { healthy: 'file', repaired: 'repaired' } as const;

/**
 * The name under which a result is offered: the original with `-repaired`; a healthy file keeps its own. When the file
 * turned out to be of another format, its extension follows: under the wrong one no program opens it. One of dots and
 * spaces alone is no name: `.pdf` comes back as `repaired.pdf`.
 */
export function repairedName(fileName: string, report: RepairReport | null): string {
  const dot = fileName.lastIndexOf('.');
  const isHealthy = report?.verdict === 'healthy';
  const before = dot >= 0 ? fileName.slice(0, dot) : fileName;
  const extension = dot >= 0 ? fileName.slice(dot + 1).trim() : '';
  const format = report?.format ?? extension;
  const kept = isSameContent(extension, format) ? extension : format;
  const isNamed = /[^.\s]/.test(before);
  const base = isNamed ? `${before}${isHealthy ? '' : '-repaired'}` : UNNAMED[isHealthy ? 'healthy' : 'repaired'];
  return kept ? `${base}.${kept}` : base;
}
