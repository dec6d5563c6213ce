import { unzipSync } from 'fflate';
import type { DocumentContent, DocumentReading } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { faultyXml } from '../ooxml/check';
import { amountsOf, measureContent } from './content';
import type { OdfKnown } from './examine';

/** Faults that are told of a package that is still not readable. */
const mostFaults = 3;

/** Opens a package by fflate, parses every part that is not one of the sound ones as it was, and counts what is in it. */
export async function measureOdf(
  { bytes, known }: { bytes: Buffer; known: OdfKnown },
  { job }: DocumentReading,
): Promise<DocumentContent> {
  const parts = new Map<string, Buffer>();
  try {
    for (const [name, data] of Object.entries(unzipSync(bytes)))
      parts.set(name, Buffer.from(data.buffer, data.byteOffset, data.length));
  } catch {
    return { state: 'closed' };
  }
  const changed = new Map([...parts].filter(([path, data]) => !known.sound.get(path)?.equals(data)));
  const faults = [...faultyXml(changed, job.limits.nesting)].slice(0, mostFaults);
  if (faults.length > 0)
    return {
      state: 'faulty',
      why: { kind: 'support.faults', faults: faults.map(([part, fault]) => ({ part, fault })) },
    };
  const content = measureContent(parts);
  const { words, pictures } = content;
  if (words + pictures + content.cells === 0 && !known.isEmpty) return { state: 'empty', why: 'nothing' };
  return {
    state: 'read',
    amounts: amountsOf(job.format, content),
    step: { kind: 'check.office', words, pictures },
    end: { how: 'words', words },
    lost: [],
    remarks: [],
  };
}
