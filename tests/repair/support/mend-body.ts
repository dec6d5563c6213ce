import { learnGrammar, shellFor } from '../../../lib/repair/formats/ooxml/grammar';
import { mendXml } from '../../../lib/repair/formats/ooxml/mend';

/** What a damaged body of a text document is mended to, with nothing learnt from other parts. */
export const mendBody = (body: string): string =>
  mendXml(
    `<w:document xmlns:w="x"><w:body>${body}</w:body></w:document>`,
    256,
    learnGrammar([]),
    shellFor('word/document.xml'),
  ).xml;
