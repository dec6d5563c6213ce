/** Whether a text holds nothing that would have to be looked at, as nearly all do. */
export function isClean(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 || code === 0x26 || code === 0x5d || (code < 32 && isForbidden(code))) return false;
  }
  return true;
}

export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Characters outside XML 1.0's Char production, and the mark that decoding leaves for bytes that were no UTF-8. */
export function isForbidden(code: number): boolean {
  return (
    (code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 0xfffe || code === 0xffff || code === 0xfffd
  );
}

export function hasForbidden(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (isForbidden(text.charCodeAt(index))) return true;
  return false;
}

export function cleanText(text: string, content: boolean): string {
  if (isClean(text)) return text;
  let clean = text.replace(/&(?!(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)/g, '&amp;');
  if (content) clean = clean.replace(/\]\]>/g, ']]&gt;');
  if (!hasForbidden(clean) && !/[\ud800-\udfff]/.test(clean) && !clean.includes('&#')) return clean;
  clean = clean.replace(/&#(x?)([0-9a-fA-F]+);/g, (whole, hex: string, digits: string) => {
    const code = Number.parseInt(digits, hex ? 16 : 10);
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || (code < 0x10000 && isForbidden(code)) ? '' : whole;
  });
  let kept = '';
  for (const character of clean) {
    const code = character.codePointAt(0) ?? 0;
    if (!isForbidden(code) && !(code >= 0xd800 && code <= 0xdfff)) kept += character;
  }
  return kept;
}
