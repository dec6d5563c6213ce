/**
 * Markup that lies in text, by what no text has: names with a prefix that the part declares (Namespaces in XML 1.0, 4), attributes with their
 * values, and what is left of either around quotation marks and ends of tags.
 */
const attributeDebris = /[\w:.-]*="[^"<>]*"?/g;
const tagDebris = /[\w:."=/-]*"?\/?>/g;

/** Text behind damage without debris of markup; `prefixes` are those that are declared there. */
export function withoutDebris(text: string, prefixes: ReadonlyMap<string, number>): string {
  if (!/[:=">]/.test(text)) return text;
  const clean = text.replace(attributeDebris, ' ').replace(tagDebris, ' ');
  // What stands before a hole often runs into the prefix.
  const isName = (before: string) => [...prefixes].some(([prefix, count]) => count > 0 && before.endsWith(prefix));
  return clean.replace(/\/?([\w.-]+):[A-Za-z][\w.-]*/g, (whole, before: string) => (isName(before) ? ' ' : whole));
}
