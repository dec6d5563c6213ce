import type { Buffer } from '../../host/bytes';

/** The declaration of an encoding, which stands at the very beginning (XML 1.0, 2.8 and 4.3.3), behind a byte order mark at most. */
const declaration = /^\ufeff?<\?xml\s[^<>]*?encoding\s*=\s*(["'])([^"'<>]*)\1/;
const longestHead = 400;

/** Names of encodings of two or four bytes a letter, which text of one byte a letter cannot be in. */
const wide = /^(?:utf-?(?:16|32)|ucs-?[24]|unicode|iso-10646)/i;

/** The encoding that a part of one byte a letter says that it is in, where no text of one byte a letter can be in that; null for all others. */
export function falseEncoding(data: Buffer): string | null {
  const named = declaration.exec(data.toString('latin1', 0, longestHead).replace(/^\xef\xbb\xbf/, ''))?.[2];
  if (named === undefined) return null;
  return wide.test(named) || !isKnown(named) ? named : null;
}

function isKnown(name: string): boolean {
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
}

/** The text with a declaration of the encoding that it is written in by this engine. */
export const asUtf8 = (xml: string): string =>
  xml.replace(declaration, (whole, quote, name) => `${whole.slice(0, -name.length - 2)}${quote}UTF-8${quote}`);
