import { byName } from '../../core/named';
import { Buffer } from '../../host/bytes';
/** Decodes an XML part by its byte order mark or its first bytes (XML 1.0, appendix F); without either it is UTF-8. */
export function decodeXml(data: Buffer): string {
  if (data[0] === 0xff && data[1] === 0xfe) return data.toString('utf16le', 2);
  if (data[0] === 0xfe && data[1] === 0xff)
    return Buffer.from(data.subarray(2, data.length & ~1))
      .swap16()
      .toString('utf16le');
  if (data[0] === 0x3c && data[1] === 0) return data.toString('utf16le');
  return data.toString('utf8', data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? 3 : 0);
}

const entities: Record<string, string> = byName({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" });

/** Resolves the five entities of XML and character references; unknown ones stay as they are. */
export function unescapeXml(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => {
    if (name.startsWith('#')) {
      const code =
        name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    }
    return entities[name] ?? whole;
  });
}

/** Escapes text for XML content and attributes. */
export function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** Text of the elements whose local name is `t` (WordprocessingML, DrawingML, SpreadsheetML), paragraphs parted by a new line. */
export function runText(xml: string): string {
  const pattern =
    /<(?:[\w.-]+:)?t(?:\s[^<>]*)?>([^<]*)<\/(?:[\w.-]+:)?t>|<\/(?:[\w.-]+:)?(?:p|si|is|tc)>|<(?:[\w.-]+:)?(?:tab|br)(?=[\s/>])/g;
  const pieces: string[] = [];
  for (let match = pattern.exec(xml); match; match = pattern.exec(xml)) pieces.push(match[1] ?? '\n');
  return unescapeXml(pieces.join(''));
}

/** XML without the elements that begin as `start`, a global pattern, tells; one that does not end stays. */
export function withoutElements(xml: string, start: RegExp, end: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { index } of xml.matchAll(start)) {
    if (index < at) continue;
    const stop = xml.indexOf(end, index);
    if (stop < 0) break;
    kept.push(xml.slice(at, index));
    at = stop + end.length;
  }
  return at === 0 ? xml : kept.join(' ') + xml.slice(at);
}
