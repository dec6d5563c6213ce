import 'server-only';
import type { OnlineTool } from '../../catalog/tools';
import { toolByType } from '../../catalog/tools';
import { formatList } from '../../catalog/upload-rules';
import { ok } from '../../contract/result';
import type { ToolType } from '../../contract/tool-types';
import { endingOf } from '../../repair/formats/table';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';

/** What a visitor wants to upload, with the tool it is for. */
export type Announced = { tool: OnlineTool; type: ToolType; fileName: string; fileSize: number };

/**
 * Checks an announced upload against its tool (specification sections 2 and 5) before a byte is sent. Each refusal
 * names the formats or the limit. `under` means that a file of exactly the limit is refused (contract).
 */
export function checkAnnounced(type: number, fileName: string, fileSize: number): Outcome<Announced> {
  const tool = toolByType(type);
  if (!tool) return refuse('invalidRequest', 'There is no repair tool of this type.');
  const name = plainName(fileName);
  if (!tool.extensions.includes(endingOf(name))) {
    return refuse('unsupportedType', `This kind of file can’t be repaired here. Please choose ${formatList(tool)}.`);
  }
  if (fileSize === 0) return refuse('invalidRequest', 'This file is empty, so there is nothing to repair.');
  if (fileSize >= tool.limitBytes) {
    return refuse('tooLarge', `This file is too large. A ${tool.noun} must be under ${tool.limitText}.`);
  }
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
