import 'server-only';
import { foreignBy, foreignWords } from '../../repair/formats/foreign';
import { foreignAdvice } from '../../repair/report/words/refusals';

/** Bytes needed to recognise a program. */
export const SNIFF_BYTES = 64;

const scripts = /^(?:#!|<\?php|<script|@echo off)/i;
const webPages = /^<(?:!doctype html|html)/i;

/**
 * What a file turns out to be when it is no document, photo or video at all but a program, or a page that may run one, in words, and what
 * helps then; null otherwise. Damaged files begin with anything, so only what is certain is named.
 */
export function programIn(head: Uint8Array): { words: string; advice?: string } | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const program = foreignBy(bytes, ['program']);
  if (program) return { words: program.words };
  const text = bytes.toString('latin1').replace(/^(?:\xef\xbb\xbf)?\s*/, '');
  if (webPages.test(text)) return { words: foreignWords.html, advice: foreignAdvice.html };
  return scripts.test(text) ? { words: 'a script' } : null;
}
