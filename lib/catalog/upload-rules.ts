import { endingOf, endingsInWords } from '../repair/formats/table';
import { type OnlineTool, onlineTools } from './tools';

/** The formats of a tool in words: "MOV, MP4 or M4V". */
export function formatList(tool: OnlineTool): string {
  return endingsInWords(tool.extensions);
}

/** Why a file is refused before a byte is sent, and the words for it. */
export type FileRefusal = { why: 'kind' | 'empty' | 'size'; words: string };

/**
 * Why a file is refused, or null when it may be sent (lib/contract/README.md, 90). The browser and the
 * server say the same.
 */
export function refusalOf(tool: OnlineTool, { name, size }: { name: string; size: number }): FileRefusal | null {
  if (!tool.extensions.includes(endingOf(name))) {
    return { why: 'kind', words: `“${name}” can’t be repaired here. This tool takes ${formatList(tool)}.` };
  }
  if (size === 0) {
    return { why: 'empty', words: `“${name}” is empty: it holds 0 bytes, so there is nothing to repair.` };
  }
  if (size < tool.limitBytes) return null;
  const words = `“${name}” is too large. A ${tool.noun} must be under ${tool.limitText}; larger ones need the desktop version.`;
  return { why: 'size', words };
}

/** The words of {@link refusalOf} alone. */
export function refuseFile(tool: OnlineTool, file: { name: string; size: number }): string | null {
  return refusalOf(tool, file)?.words ?? null;
}

/** The tool that takes a file of another kind than this one's, by its name; null when none does. */
export function toolFor(tool: OnlineTool, file: { name: string }): OnlineTool | null {
  const extension = endingOf(file.name);
  const fitting = Object.values<OnlineTool>(onlineTools).find(({ extensions }) => extensions.includes(extension));
  return fitting && fitting.type !== tool.type ? fitting : null;
}
