import { zipFormat } from '../../detect/containers';
import { type DocumentFormat, documents } from '../../families/document';
import { beginsAs } from '../foreign';
import type { OoxmlParts } from '../ooxml/examine';
import { rebuildOoxml, verifyOoxml } from '../ooxml/rebuild';
import { examineOdf, type OdfKnown } from './examine';
import { measureOdf } from './measure';

/** OpenDocument text, spreadsheets and presentations (ODF 1.3, ISO/IEC 26300), on the steps of the other packages of XML. */
export const odf: DocumentFormat<OoxmlParts | null, OdfKnown> = {
  ids: ['odt', 'ods', 'odp'],
  family: documents(),
  recognise: (head, claimed) => (beginsAs('zip', head) ? (zipFormat(head, claimed)?.format ?? null) : null),
  examine: examineOdf,
  rebuild: rebuildOoxml,
  verify: verifyOoxml,
  measure: measureOdf,
};
