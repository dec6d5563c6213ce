import 'server-only';
import type { RepairReport } from '../../contract/repair';

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
  return `${base}-repaired.${isSameFormat(extension, format) ? extension : format}`;
}

const synonyms: Record<string, string> = { jpeg: 'jpg', tif: 'tiff', m4v: 'mp4', insv: 'mp4', mts: 'm2ts', nrw: 'nef' };

function isSameFormat(a: string, b: string): boolean {
  const plain = (name: string) => synonyms[name.toLowerCase()] ?? name.toLowerCase();
  return plain(a) === plain(b);
}
