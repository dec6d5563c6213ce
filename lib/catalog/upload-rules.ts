import { endingOf, endingsInWords } from '../repair/formats/table';
import { type OnlineTool, onlineTools } from './tools';

/** The formats of a tool in words: "MOV, MP4 or M4V". */
export function formatList(tool: OnlineTool): string {
  return endingsInWords(tool.extensions);
}

/**
 * Why a file is refused before it is sent, in words for a person, or null when it may be sent (specification sections
 * 2 and 5; the limit itself is refused).
 */
export function refuseFile(tool: OnlineTool, file: { name: string; size: number }): string | null {
  if (!tool.extensions.includes(endingOf(file.name))) {
    return `“${file.name}” can’t be repaired here. This tool takes ${formatList(tool)}.`;
  }
  if (file.size === 0) return `“${file.name}” is empty: it holds 0 bytes, so there is nothing to repair.`;
  if (file.size >= tool.limitBytes) {
    return `“${file.name}” is too large. It must be under ${tool.limitText}; larger ones need the desktop version.`;
  }
  return null;
}

/** The tool that takes a file of another kind than this one's, by its name; null when none does. */
export function toolFor(tool: OnlineTool, file: { name: string }): OnlineTool | null {
  const extension = endingOf(file.name);
  const fitting = Object.values<OnlineTool>(onlineTools).find(({ extensions }) => extensions.includes(extension));
  return fitting && fitting.type !== tool.type ? fitting : null;
}
