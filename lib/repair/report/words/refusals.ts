import type { ForeignKind } from '../../formats/foreign';
import { foreignWords } from '../../formats/foreign';
import type { Family } from '../types';

/** Why a file is not looked into by any format. */
export type Refusal =
  | { why: 'empty' | 'unrecognised' }
  | { why: 'foreign'; what: ForeignKind }
  | { why: 'large'; most: number }
  | { why: 'family'; format: string; family: Family }
  | { why: 'limit'; message: string }
  | { why: 'unreadable'; error: string };

const familyWords: Record<Family, string> = { video: 'video', document: 'document', photo: 'photo' };

/** A refusal in words: how the repair ended, and what a person should know besides. */
export function refusalInWords(refusal: Refusal): { summary: string; notes: string[] } {
  switch (refusal.why) {
    case 'empty':
      return {
        summary: 'The file is empty: it holds no bytes at all, so there is nothing to bring back.',
        notes: [],
      };
    case 'unrecognised':
      return {
        summary: 'The content was not recognised as any format this tool repairs, so nothing was changed.',
        notes: [],
      };
    case 'foreign': {
      const what = foreignWords[refusal.what];
      return {
        summary: `This file is ${what}, which this tool does not repair.`,
        notes: [`By its content this file is ${what}.`],
      };
    }
    case 'large': {
      const size = `${Math.floor(refusal.most / (1024 * 1024)).toLocaleString('en-US')} MB`;
      return { summary: `The file is larger than ${size}, the most this tool opens.`, notes: [] };
    }
    case 'family': {
      const tool = familyWords[refusal.family];
      const format = refusal.format.toUpperCase();
      return {
        summary: `This is a ${tool} file, which this tool does not repair; use the ${tool} repair tool.`,
        notes: [`By its content this is a ${format} file; the ${tool} repair tool takes it.`],
      };
    }
    case 'limit':
      return { summary: refusal.message, notes: [] };
    case 'unreadable':
      return {
        summary: 'The damage is of a kind this tool could not read its way through, so nothing was written.',
        notes: [`Details for support: ${refusal.error}`],
      };
  }
}

/** A name that says another format than the content does. */
export function wrongNameInWords(fileName: string, format: string): string {
  return `The name ends in “${fileName.slice(fileName.lastIndexOf('.'))}”, but the content is ${format.toUpperCase()}.`;
}
