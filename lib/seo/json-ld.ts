import type { Node } from './structured-data';

/** A graph as the text of a script element; `<` is escaped, so no value can close the element. */
export function jsonLd(graph: readonly Node[]): string {
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replace(/</g, '\\u003c');
}
