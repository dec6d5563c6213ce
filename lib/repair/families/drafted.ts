import type { Draft } from '../report';
import { findingOf, lossOf, noteOf, stepOf } from '../report/words/document';
import { type DocumentTold, nothingToldYet } from './document';

/** Puts what was told as facts into a report that is kept in words. */
export function drafted<T>(draft: Draft, tell: (told: DocumentTold) => T): T {
  const told = nothingToldYet();
  const result = tell(told);
  for (const { kind, detail, offset } of told.damages.map(findingOf)) draft.find(kind, detail, offset);
  for (const { name, detail } of told.steps.map(stepOf)) draft.step(name, detail);
  for (const note of told.remarks.map(noteOf)) draft.note(note);
  draft.lost.push(...told.lost.map(lossOf));
  return result;
}
