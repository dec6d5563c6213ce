import 'server-only';

/** Bytes needed to recognise a program. */
export const SNIFF_BYTES = 64;

const machO = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe, 0xcafebabf]);
const scripts = /^(?:#!|<\?php|<script|@echo off|<!doctype html|<html)/i;

/**
 * What a file turns out to be when it is no document, photo or video at all but a program, in words; null otherwise.
 * Damaged files begin with anything, so only what is certain is named.
 */
export function programIn(head: Uint8Array): string | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length >= 2 && bytes.toString('latin1', 0, 2) === 'MZ') return 'a Windows program';
  if (bytes.length >= 4) {
    const magic = bytes.readUInt32BE(0);
    if (magic === 0x7f454c46) return 'a Linux program';
    if (machO.has(magic)) return 'a Mac program';
  }
  const text = bytes.toString('latin1').replace(/^(?:\xef\xbb\xbf)?\s*/, '');
  return scripts.test(text) ? 'a script' : null;
}
