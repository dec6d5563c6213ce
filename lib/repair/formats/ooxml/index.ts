import { zipFormat } from '../../detect/containers';
import { type DocumentFormat, documents } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { beginsAs } from '../foreign';
import { wrapsDocument } from '../ole/constants';
import { examineOoxml, type OoxmlKnown, type OoxmlParts } from './examine';
import { measureOoxml } from './measure';
import { rebuildOoxml, verifyOoxml } from './rebuild';

/** Word, Excel and PowerPoint files in XML (ECMA-376). */
export const ooxml: DocumentFormat<OoxmlParts | null, OoxmlKnown> = {
  ids: ['docx', 'pptx', 'xlsx'],
  family: documents(),
  // With a password they are wrapped in a compound file ([MS-OFFCRYPTO] 1.3), which OLE's own format reads.
  takes: (bytes) => !wrapsDocument(bytes),
  recognise: (head, claimed) =>
    beginsAs('zip', head)
      ? (zipFormat(Buffer.from(head.buffer, head.byteOffset, head.length), claimed)?.format ?? null)
      : null,
  examine: examineOoxml,
  rebuild: rebuildOoxml,
  verify: verifyOoxml,
  measure: measureOoxml,
};
