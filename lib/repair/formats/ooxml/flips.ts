import { correctText } from '../../core/flips/correct';
import { LearningText } from '../../core/flips/learning';
import type { Corrected, PackedText } from '../../core/flips/packedtext';
import { type Found, findWrongByte } from '../../core/flips/wrongbyte';
import { crc32 } from '../../core/sums';
import type { TextJudge } from '../../core/zip/judged';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { usualElements } from './grammar';
import { emptyVocabulary, PartScanner, type Sync, type Vocabulary } from './scan';

/** A packed XML part that does not read as it should: its DEFLATE data, and what the headers say of the content. */
export type PackedPart = { packed: Uint8Array; size: number; crc: number };

/** Damage shows as text that no program writes within so many bytes; chosen on the bench. */
const doubtful = 1000;
const start: Sync = { at: 0, open: null };

/** XML as such, to judge a part by of which nothing is known. */
export const xmlText: TextJudge<Sync> = {
  start,
  judge: (output) => new PartScanner(output, emptyVocabulary(), true),
};

/** Attributes that stand at the head of the main parts, and nowhere else, in the files of most programs. */
const usualAttributes =
  'xmlns xmlns:w xmlns:r xmlns:o xmlns:v xmlns:wp xmlns:wps xmlns:wpg xmlns:wpc xmlns:wpi xmlns:wne xmlns:w10 xmlns:w14 xmlns:w15 xmlns:wp14 xmlns:a xmlns:p xmlns:pic xmlns:m xmlns:mc xmlns:x14 xmlns:x14ac xmlns:xr xmlns:xdr xmlns:p14 xmlns:p15 mc:Ignorable xml:space count uniqueCount r s t w:val r:id ref w:rsidR w:rsidRDefault w:rsidP w:rsidRPr w:type w:w'.split(
    ' ',
  );

/** Names used by parts that are in order, and those of every document, to judge a damaged one by. */
export function learnVocabulary(parts: Iterable<Uint8Array>): Vocabulary {
  const known = emptyVocabulary();
  for (const name of usualAttributes) known.attributes.add(name);
  for (const name of usualElements) known.elements.add(name);
  for (const name of ['w:t', 'a:t', 't', 'v', 'f']) known.textual.add(name);
  for (const part of parts) new PartScanner(part, known, true).fault(start, part.length);
  return known;
}

/** Sets single wrong bits in a packed XML part right, judged by the names that `known` parts use. */
export function correctBits(part: PackedPart, known: Vocabulary, effort: Effort): Corrected {
  return correctText(textOf(part), (output) => partText(output, known), effort);
}

/** A packed XML part as it was before one byte of it became another, or, with one `missing`, was lost; null where it was not that. */
export function correctByte(part: PackedPart, missing: 0 | 1, known: Vocabulary, effort: Effort): Found | null {
  const faultsOf = (output: Uint8Array, { length, end }: { length: number; end: string }) =>
    partText(output, known).judge(length, end === 'final', 0).faults;
  return findWrongByte(textOf(part), missing, faultsOf, effort);
}

function textOf({ packed, size, crc }: PackedPart): PackedText {
  return {
    packed,
    size,
    most: size + 4096,
    crc,
    lastBitEffort: 900,
    isExact: (output, { length }) =>
      length === size && crc32(Buffer.from(output.buffer, output.byteOffset, size)) === crc,
  };
}

/** XML of one part, judged by the names it may use, and as XML alone. Names that only this part uses are learnt on the way. */
function partText(output: Uint8Array, known: Vocabulary): LearningText<Sync> {
  const learning = new PartScanner(output, known, true);
  return new LearningText({
    start,
    strict: new PartScanner(output, known, false),
    loose: new PartScanner(output, emptyVocabulary(), true),
    doubtful,
    learn: (from, to) => void learning.fault(from, to),
    learnAt: (fault, length, place) => {
      const text = Buffer.from(output.buffer, output.byteOffset, length);
      return learnName(known, text, fault) ?? learnTextual(known, text, fault, place?.open?.name);
    },
    mostLearnt: 60,
    isSettledBySyntax: true,
    mayBreakSyntax: true,
  });
}

/** Learns a name that no other part uses, when it is used again later: damage does not garble a name twice in the same way. Null where no name stands. */
function learnName(known: Vocabulary, text: Buffer, fault: number): boolean | null {
  const name = /^[A-Za-z][\w.-]*(?::[\w.-]+)?/.exec(text.toString('latin1', fault, fault + 80))?.[0] ?? '';
  if (name.length < 2) return null;
  const isElement = text[fault - 1] === 0x3c;
  const again = isElement ? `<${name}` : ` ${name}="`;
  const first = text.indexOf(again);
  if (first < 0 || first === text.lastIndexOf(again)) return false;
  const set = isElement ? known.elements : known.attributes;
  if (set.has(name)) return false;
  set.add(name);
  return true;
}

/** Learns that an element holds text, when it stands there more than once. */
function learnTextual(known: Vocabulary, text: Buffer, fault: number, element: string | undefined): boolean {
  if (!element || known.textual.has(element)) return false;
  if (!/^[\p{L}\p{N}]/u.test(text.toString('utf8', fault, fault + 4))) return false;
  const tag = `<${element}>`;
  if (text.indexOf(tag) === text.lastIndexOf(tag)) return false;
  known.textual.add(element);
  return true;
}
