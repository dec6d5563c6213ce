/**
 * Markup that lies in text, by what no text has: names with a prefix that the part declares (Namespaces in XML 1.0, 4), attributes with their
 * values as far as these are known, and what is left of either around quotation marks and ends of tags. Each begins where a run of its characters
 * does: tried from every one of them, a long run without an end would take the square of its length.
 */
const attributeDebris = /(?<![\w:.-])[\w:.-]*="[^"<>\ufffd]*"?/g;
const tagDebris = /(?<![\w:."=/-])[\w:."=/-]*>/g;
const prefixDebris = /\/?(?<![\w.-])([\w.-]+):(?:[A-Za-z][\w.-]*|(?=\ufffd))/g;
/** Addresses of namespaces that office programs declare, and what is left of them; nobody writes these for readers. */
const namespaceDebris =
  /urn:(?:oasis|schemas-microsoft)|oasis:names|:xmlns:|openxmlformats\.org|schemas\.microsoft\.com|purl\.org\/(?:dc|oclc)|w3\.org\/(?:1999|2001|TR)/;

/** Text behind damage without debris of markup; `prefixes` are those that are declared there. */
export function withoutDebris(text: string, prefixes: ReadonlyMap<string, number>): string {
  if (!/[:=">]/.test(text)) return text;
  const clean = text.replace(attributeDebris, ' ').replace(tagDebris, ' ');
  const names = [...prefixes].flatMap(([prefix, count]) => (count > 0 ? [prefix] : []));
  // What stands before a hole often runs into the prefix, of which the hole may have taken the beginning.
  const isName = (before: string) =>
    names.some((prefix) => before.endsWith(prefix) || (before.length > 1 && prefix.endsWith(before)));
  return clean
    .replace(/\S+/g, (word) => (namespaceDebris.test(word) ? ' ' : word))
    .replace(prefixDebris, (whole, before: string) => (isName(before) ? ' ' : whole))
    .replace(/(^|[\s<])(?:\/?:[A-Za-z][\w.:-]*|xmlns\b)/g, '$1 ');
}
