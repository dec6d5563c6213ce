import { oleFormat } from '../../detect/containers';
import { type DocumentFormat, documents } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { beginsAs } from '../foreign';
import { examineOle, type OleKnown, type OleParts } from './examine';
import { measureOle } from './measure';
import { rebuildOle, verifyOle } from './rebuild';

/** Word, Excel and PowerPoint files before XML ([MS-CFB], [MS-DOC], [MS-XLS], [MS-PPT]), and those in XML that ask for a password ([MS-OFFCRYPTO]). */
export const ole: DocumentFormat<OleParts | null, OleKnown> = {
  ids: ['doc', 'ppt', 'xls', 'docx', 'pptx', 'xlsx'],
  family: documents(),
  recognise: (head, claimed) =>
    beginsAs('ole', head)
      ? (oleFormat(Buffer.from(head.buffer, head.byteOffset, head.length), claimed)?.format ?? null)
      : null,
  examine: examineOle,
  rebuild: rebuildOle,
  verify: verifyOle,
  measure: measureOle,
};
