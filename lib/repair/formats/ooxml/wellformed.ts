import { SaxesParser } from 'saxes';
import { LimitError } from '../../report';

/** Whether text is well-formed XML with its namespaces declared; the message of the first fault, or null. LimitError past `nesting`. */
export function xmlFault(text: string, nesting: number): string | null {
  let fault: string | null = null;
  let depth = 0;
  let deepest = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    fault ??= error.message;
  });
  parser.on('opentag', () => {
    depth++;
    if (depth > deepest) deepest = depth;
  });
  parser.on('closetag', () => {
    depth--;
  });
  for (let at = 0; at < text.length && fault === null; at += 65536) {
    parser.write(text.slice(at, at + 65536));
    if (deepest > nesting) throw new LimitError('The document nests its elements deeper than this tool follows.');
  }
  if (fault === null) parser.close();
  return fault;
}
