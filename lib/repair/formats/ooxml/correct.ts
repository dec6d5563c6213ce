import { inflateSalvage } from '../../core/deflate/whole';
import { unpackAroundGaps, wipedFrom, withoutChance } from '../../core/flips/gaps';
import { Likeness } from '../../core/flips/likeness';
import type { Archive, Member } from '../../core/zip/read';
import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { textParts } from './content';
import { fillMarkup } from './fill';
import { correctBits, learnVocabulary } from './flips';
import { isXml } from './open';
import { typicalMarkup } from './typical';

/** Bytes of a part that say enough about how its elements stand in each other. */
export const grammarBytes = 1 << 20;

/** Effort for setting wrong bits right, in units: for one part, for all of them, and at least, as all else takes the more the larger the file is. */
const correctionEffort = { part: 2500, all: 5000, least: 1500, lessPerMegabyte: 800 };

/** Larger parts are not tried, in bytes; no DEFLATE data grows more than so many times (zlib's technical details), and a larger size is damage itself. */
const largest = 1 << 24;
const mostGrowth = 1032;

/** Effort for putting what follows a gap in its place, and bytes of text up to which that is done. */
const gapEffort = 1500;
const fillEffort = 600;
const sampleBytes = 1 << 16;
const largestGapped = 1 << 23;

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
    const part = { packed: packed.bytes, size: expected, crc: packed.crc };
    const isWiped = wipedFrom(packed.bytes) >= 0;
    const corrected = isWiped ? null : correctBits(part, known, effort.share(correctionEffort.part));
    if (corrected?.exact) {
      bits += corrected.bits;
      member.data = corrected.text;
      member.state = 'whole';
    } else if (expected <= largestGapped) {
      const left = corrected
        ? withoutChance(corrected)
        : { packed: packed.bytes, bits: 0, doubted: expected, fault: expected };
      bits += left.bits;
      const { packed: bytes, doubted, fault } = left;
      const gapped = { packed: bytes, size: expected, doubted, fault, likeness: likenessOf(whole) };
      const gappy = unpackAroundGaps(gapped, job.deadline, job.deadline.effort.share(gapEffort));
      const typical = Buffer.from(typicalMarkup(job.format));
      const others = [typical, ...whole.map(({ data }) => data.subarray(0, sampleBytes))];
      fillMarkup(gappy, others, job.deadline.effort.share(fillEffort));
      member.data = gappy.text;
      alignedParts++;
    } else if (corrected && corrected.bits > 0) {
      const options = { maxOutput: expected, deadline: job.deadline, clip: true };
      member.data = inflateSalvage(corrected.packed, options).data;
    }
    if (member.data.length > 0 && member.state === 'lost') member.state = 'part';
  }
  if (bits > 0) steps.push({ kind: 'bits', count: bits });
  if (alignedParts > 0) steps.push({ kind: 'aligned', count: alignedParts });
}

/** What the text of sound parts looks like. */
function likenessOf(parts: readonly Member[]): Likeness {
  const likeness = new Likeness();
  for (const { data } of parts) likeness.learn(data, 0, Math.min(data.length, grammarBytes));
  return likeness;
}
