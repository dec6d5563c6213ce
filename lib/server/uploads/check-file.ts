import 'server-only';
import type { OnlineTool } from '../../catalog/tools';
import { toolByType } from '../../catalog/tools';
import { type FileRefusal, refusalOf } from '../../catalog/upload-rules';
import { ok } from '../../contract/result';
import type { ToolType } from '../../contract/tool-types';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';

/** What a visitor wants to upload, with the tool it is for. */
export type Announced = { tool: OnlineTool; type: ToolType; fileName: string; fileSize: number };

const refusalNames = { kind: 'unsupportedType', empty: 'invalidRequest', size: 'tooLarge' } as const satisfies Record<
  FileRefusal['why'],
  string
>;

/**
 * Checks an announced upload against its tool (lib/contract/README.md, 90) before a byte is sent. Each refusal
 * names the formats or the limit. `under` means that a file of exactly the limit is refused.
 */
export function checkAnnounced(type: number, fileName: string, fileSize: number): Outcome<Announced> {
  const tool = toolByType(type);
  if (!tool) return refuse('invalidRequest', 'There is no repair tool of this type.');
  const name = plainName(fileName);
  const refusal = refusalOf(tool, { name, size: fileSize });
  if (refusal) return refuse(refusalNames[refusal.why], refusal.words);
  return ok({ tool, type: tool.type, fileName: name, fileSize });
}

/** The name without folders and control characters, at most 200 characters, its extension kept. */
function plainName(fileName: string): string {
  const base = fileName
    .replace(/^.*[/\\]/, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  if (base.length <= 200) return base;
  const dot = base.lastIndexOf('.');
  const extension = dot > 0 ? base.slice(dot).slice(0, 20) : '';
  return base.slice(0, 200 - extension.length) + extension;
}
