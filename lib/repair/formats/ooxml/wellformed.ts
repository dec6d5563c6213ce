import { SaxesParser } from 'saxes';
import { LimitError } from '../../report';

/** A DTD outside of the document, which may declare namespaces by defaults of attributes (XML 1.0, 3.3.2), as that of packages of OpenOffice.org does. */
const outsideDtd = /\b(?:PUBLIC|SYSTEM)\s/;
const undeclared = /^\d+:\d+: unbound namespace prefix/;

/** Whether text is well-formed XML with its namespaces declared; the message of the first fault, or null. LimitError past `nesting`. */
export function xmlFault(text: string, nesting: number): string | null {
  let fault: string | null = null;
  let depth = 0;
  let deepest = 0;
  const parser = new SaxesParser({ xmlns: true });
  let hasOutsideDtd = false;
  parser.on('doctype', (declared) => {
    hasOutsideDtd = outsideDtd.test(declared);
  });
  parser.on('error', ({ message }) => {
    if (!hasOutsideDtd || !undeclared.test(message)) fault ??= message;
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
