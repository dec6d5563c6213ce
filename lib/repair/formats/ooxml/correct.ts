import { inflateSalvage } from '../../core/deflate/whole';
import type { Archive, Member } from '../../core/zip/read';
import type { DocumentTold } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { textParts } from './content';
import { correctBits, learnVocabulary } from './flips';
import { isXml } from './open';

/** Bytes of a part that say enough about how its elements stand in each other. */
export const grammarBytes = 1 << 20;

/** Effort for setting wrong bits right, in units: for one part, for all of them, and at least, as all else takes the more the larger the file is. */
const correctionEffort = { part: 2500, all: 5000, least: 1500, lessPerMegabyte: 800 };

/** Larger parts are not tried, in bytes; no DEFLATE data grows more than so many times (zlib's technical details), and a larger size is damage itself. */
const largest = 1 << 24;
const mostGrowth = 1032;

/** Text behind a gap is taken where so much more of it makes sense than of what was read on without; chosen on the bench. */
const clearlyMore = 1.02;

/** The small parts that lead to the others first, then those with the text, then the rest. */
function correctionRank(format: string, { name }: Member): number {
  if (/\.rels$|^\[Content_Types\]\.xml$/.test(name)) return 0;
  return textParts[format]?.test(name) ? 1 : 2;
}

/** Sets wrong bits in packed XML parts right, judged by what the parts that are in order look like. */
export function correctMembers(archive: Archive, job: EngineJob, { steps }: DocumentTold): void {
  const damaged = archive.members.filter(({ name, packed }) => packed && isXml(name));
  if (damaged.length === 0) return;
  damaged.sort((left, right) => correctionRank(job.format, left) - correctionRank(job.format, right));
  const whole = archive.members.filter(({ name, state }) => state === 'whole' && isXml(name));
  const known = learnVocabulary(whole.map(({ data }) => data.subarray(0, grammarBytes)));
  const { least, all, lessPerMegabyte } = correctionEffort;
  const megabytes = damaged.reduce((sum, { packed }) => sum + (packed?.bytes.length ?? 0), 0) / 1e6;
  const effort = job.deadline.effort.share(Math.max(least, all - lessPerMegabyte * megabytes));
  let bits = 0;
  let alignedParts = 0;
  for (const member of damaged) {
    const { packed, expected } = member;
    if (!packed || packed.stored || expected > largest || expected > packed.bytes.length * mostGrowth) continue;
    if (effort.isSpent) break;
    const part = { packed: packed.bytes, size: expected, crc: packed.crc };
    const corrected = correctBits(part, known, effort.share(correctionEffort.part));
    if (!corrected) continue;
    bits += corrected.bits;
    const { aligned, exact, text } = corrected;
    const options = { maxOutput: expected, deadline: job.deadline, clip: true };
    const data = exact ? text : inflateSalvage(corrected.packed, options).data;
    const isAligned = aligned !== null && tagged(aligned) > tagged(data) * clearlyMore;
    member.data = isAligned ? aligned : data;
    if (isAligned) alignedParts++;
    if (member.data.length > 0 && member.state === 'lost') member.state = 'part';
    if (exact) member.state = 'whole';
  }
  if (bits > 0) steps.push({ kind: 'bits', count: bits });
  if (alignedParts > 0) steps.push({ kind: 'aligned', count: alignedParts });
}

/** Bytes of a text that are whole tags: how much of it makes sense. */
function tagged(data: Buffer): number {
  let sum = 0;
  for (const [tag] of data
    .toString('latin1')
    .matchAll(/<\/?[A-Za-z][\w:.-]{0,60}(?:\s+[\w:.-]{1,60}="[^"<]{0,400}")*\s*\/?>/g))
    sum += tag.length;
  return sum;
}
