import { unzipSync } from 'fflate';
import type { DocumentContent, DocumentReading } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { LimitError } from '../../report';
import { faultyXml } from './check';
import { amountsOf, type Content, measureContent, textParts } from './content';
import type { OoxmlKnown } from './examine';
import { stringsPath } from './package';

/** Notes and footers of fewer words are not worth a document of which all else is gone. */
const fewWords = 50;
/** Faults that are told of a package that is still not readable. */
const mostFaults = 3;

/** Opens a package by fflate, reads every part that is not one of the sound ones as it was by a parser of XML, and counts what is in it. */
export async function measureOoxml(
  { bytes, known }: { bytes: Buffer; known: OoxmlKnown },
  { job }: DocumentReading,
): Promise<DocumentContent> {
  const parts = unzipped(bytes);
  if (!parts) return { state: 'closed' };
  const changed = new Map([...parts].filter(([path, data]) => !known.sound.get(path)?.equals(data)));
  const faults = faultyXml(changed, job.limits.nesting);
  if (faults.size > 0) {
    const first = [...faults].slice(0, mostFaults).map(([part, fault]) => ({ part, fault }));
    return { state: 'faulty', why: { kind: 'support.faults', faults: first } };
  }
  const content = measureContent(job.format, parts);
  const { words, media, cells } = content;
  if (words + media + cells === 0 && !known.isEmpty) return { state: 'empty', why: 'nothing' };
  if (words < fewWords && isBare(job.format, parts, known.own)) return { state: 'empty', why: 'bare' };
  return read(job.format, content);
}

const read = (format: string, content: Content): DocumentContent => ({
  state: 'read',
  amounts: amountsOf(format, content),
  step: { kind: 'check.office', words: content.words, pictures: content.media },
  end: { how: 'words', words: content.words },
  lost: [],
  remarks: [],
});

function unzipped(bytes: Buffer): Map<string, Buffer> | null {
  try {
    const parts = Object.entries(unzipSync(bytes));
    return new Map(parts.map(([name, data]) => [name, Buffer.from(data.buffer, data.byteOffset, data.length)]));
  } catch (error) {
    if (error instanceof LimitError) throw error;
    return null;
  }
}

/** Whether every part with the text itself only stands in for one that is lost, and holds no word: nothing would be to be seen. */
function isBare(format: string, parts: ReadonlyMap<string, Buffer>, own: ReadonlySet<string>): boolean {
  const texts = [...parts].filter(([path]) => textParts[format]?.test(path));
  if (texts.some(([path]) => own.has(path) && path !== stringsPath)) return false;
  const { words, cells } = measureContent(format, new Map(texts));
  return words + cells === 0;
}
