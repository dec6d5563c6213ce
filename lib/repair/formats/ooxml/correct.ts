import { inflateSalvage } from '../../core/deflate/whole';
import { type Gapped, unpackAroundGaps, wipedFrom, withoutChance } from '../../core/flips/gaps';
import { Likeness } from '../../core/flips/likeness';
import type { Corrected } from '../../core/flips/packedtext';
import type { Found } from '../../core/flips/wrongbyte';
import type { Archive, Member } from '../../core/zip/read';
import type { DocumentTold } from '../../families/document';
import { Buffer } from '../../host/bytes';
import { Allowance, type Effort, type EngineJob } from '../../report';
import { textParts } from './content';
import { fillMarkup } from './fill';
import { correctBits, correctByte, learnVocabulary, type PackedPart } from './flips';
import { grammarBytes } from './grammar';
import { doubtMisread } from './misread';
import { isMarkup } from './open';
import { emptyVocabulary, PartScanner, type Vocabulary } from './scan';
import { typicalMarkup } from './typical';

/** Effort for setting wrong bits right, in units: for one part, for all of them, and at least, as all else takes the more the larger the file is. */
const correctionEffort = { part: 2500, all: 5000, least: 1500, lessPerMegabyte: 800 };

/** Effort for one wrong or lost byte, in units: for one part, and for all of them. */
const byteEffort = { part: 1000, all: 2500 };

/** Larger parts are not tried, in bytes; no DEFLATE data grows more than so many times (zlib's technical details), and a larger size is damage itself. */
const largest = 1 << 24;
const mostGrowth = 1032;

/** Effort for putting what follows a gap in its place, and for markup that is not known: for one part, and for all of them. Bytes of text up to which that is done. */
const gapEffort = { part: 1500, all: 3000 };
const fillEffort = { part: 900, all: 1800 };
const sampleBytes = 1 << 16;
/** The part of an ODF package that holds the text (ODF 1.3 part 2, 3.1). */
const odfText = /^content\.xml$/;
/** Bytes before the first fault that may be damaged already. */
const unsure = 1000;
const largestGapped = 1 << 23;

/** The small parts that lead to the others first, then those with the text, then the rest. */
function correctionRank(format: string, { name }: Member): number {
  if (/\.rels$|^\[Content_Types\]\.xml$/.test(name)) return 0;
  return textParts[format]?.test(name) ? 1 : 2;
}

/** Sets wrong bits in packed XML parts right, judged by what the parts that are in order look like, and reads on around pieces that are gone. */
export function correctMembers(archive: Archive, job: EngineJob, { steps, lost }: DocumentTold): void {
  const damaged = archive.members.filter(({ name, packed }) => packed && isMarkup(name));
  if (damaged.length === 0) return;
  damaged.sort((left, right) => correctionRank(job.format, left) - correctionRank(job.format, right));
  const whole = archive.members.filter(({ name, state }) => state === 'whole' && isMarkup(name));
  const known = learnVocabulary(whole.map(({ data }) => data.subarray(0, grammarBytes)));
  const { least, all, lessPerMegabyte } = correctionEffort;
  const megabytes = damaged.reduce((sum, { packed }) => sum + (packed?.bytes.length ?? 0), 0) / 1e6;
  const effort = job.deadline.effort.share(Math.max(least, all - lessPerMegabyte * megabytes));
  const around = {
    bytes: new Allowance(byteEffort.all),
    gaps: new Allowance(gapEffort.all),
    filling: new Allowance(fillEffort.all),
  };
  const done = damaged.map((member) => correctMember(member, { whole, known, effort, around }, job));
  const bits = done.reduce((sum, one) => sum + one.bits, 0);
  const count = done.filter(({ isAround }) => isAround).length;
  const bytes = done.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes > 0) steps.push({ kind: 'sums', count: bytes });
  if (bits > 0) steps.push({ kind: 'bits', count: bits });
  if (count > 0) steps.push({ kind: 'aligned', count });
  const misread = done.reduce((sum, one) => sum + one.misread, 0);
  if (misread > 0) lost.push({ how: 'words.misread', count: misread });
}

/** What damaged members are held against, and what searching them for wrong bits may take. */
type Sound = {
  whole: readonly Member[];
  known: Vocabulary;
  effort: Effort;
  around: { bytes: Allowance; gaps: Allowance; filling: Allowance };
};

/** What was done to a member: how many bits and bytes were set right, whether pieces are gone, and how many words were left out. */
type Done = { bits: number; bytes: number; isAround: boolean; misread: number };

/** Leaves out what wrong bits that were not found made of words. */
function misreadIn({ data }: Member, corrected: Corrected | null, { whole }: Sound): number {
  if (!corrected) return 0;
  const { doubted, turned } = corrected;
  const first = Math.min(doubted, ...turned.map(({ fault }) => fault));
  return doubtMisread(
    data,
    first - unsure,
    whole.map((other) => other.data.subarray(0, grammarBytes)),
  );
}

/** Sets the text of one member right as far as that goes. */
function correctMember(member: Member, sound: Sound, job: EngineJob): Done {
  const { packed, expected } = member;
  const nothing = { bits: 0, bytes: 0, isAround: false, misread: 0 };
  if (!packed || packed.stored || expected > largest || expected > packed.bytes.length * mostGrowth) return nothing;
  const part = { packed: packed.bytes, size: expected, crc: packed.crc };
  const isSearched = expected > 0 && wipedFrom(packed.bytes) < 0;
  const whole = isSearched ? withByte(part, packed.missing, sound, job) : null;
  if (whole) {
    member.data = whole.text;
    member.state = 'whole';
    return whole.isBit ? { ...nothing, bits: 1 } : { ...nothing, bytes: 1 };
  }
  const corrected = isSearched ? correctBits(part, sound.known, sound.effort.share(correctionEffort.part)) : null;
  if (corrected?.exact) {
    member.data = corrected.text;
    member.state = 'whole';
    return { ...nothing, bits: corrected.bits };
  }
  if (expected > largestGapped) {
    const options = { maxOutput: expected, deadline: job.deadline, clip: true };
    if (corrected && corrected.bits > 0) member.data = inflateSalvage(corrected.packed, options).data;
    return { ...nothing, bits: corrected?.bits ?? 0 };
  }
  const fault = corrected ? 0 : faultOf(member);
  // Data that is cut off, and no more, has no gap.
  if (expected === 0 && fault >= member.data.length) return nothing;
  const left = corrected ? withoutChance(corrected) : { packed: packed.bytes, bits: 0, doubted: fault, fault };
  const sizes = { size: expected || member.data.length * 2 + grammarBytes, isExact: expected > 0 };
  member.data = aroundGaps({ ...left, ...sizes, likeness: likenessOf(sound.whole) }, member.name, sound, job);
  const misread = (textParts[job.format] ?? odfText).test(member.name) ? misreadIn(member, corrected, sound) : 0;
  if (member.data.length > 0 && member.state === 'lost') member.state = 'part';
  return { ...nothing, bits: left.bits, isAround: true, misread };
}

/** The text of a part of which one byte is wrong, or lost. */
function withByte(part: PackedPart, missing: number, { known, around }: Sound, job: EngineJob): Found | null {
  if (missing !== 0 && missing !== 1) return null;
  const { effort } = job.deadline;
  return around.bytes.take(effort, byteEffort.part, (share) => correctByte(part, missing, known, share));
}

/** From where on the text of a member makes no sense as XML. */
function faultOf({ data }: Member): number {
  return new PartScanner(data, emptyVocabulary(), true).fault({ at: 0, open: null }, data.length);
}

/** Lists of relationships hold hardly more than addresses: they tell nothing of tags but of each other's (ECMA-376 part 2, 6.5). */
const isList = (name: string): boolean => name.endsWith('.rels');

/** What of a text is known around its gaps, and of its tags by what others are like. */
function aroundGaps(gapped: Gapped, name: string, { whole, around }: Sound, job: EngineJob): Buffer {
  const { deadline } = job;
  const { effort } = deadline;
  const gappy = around.gaps.take(effort, gapEffort.part, (share) => unpackAroundGaps(gapped, deadline, share));
  const others = whole
    .filter((other) => isList(other.name) === isList(name))
    .map(({ data }) => data.subarray(0, sampleBytes));
  const texts = [Buffer.from(typicalMarkup(job.format)), ...others];
  around.filling.take(effort, fillEffort.part, (share) => fillMarkup(gappy, texts, share));
  return gappy.text;
}

/** What the text of sound parts looks like. */
function likenessOf(parts: readonly Member[]): Likeness {
  const likeness = new Likeness();
  for (const { data } of parts) likeness.learn(data, 0, Math.min(data.length, grammarBytes));
  return likeness;
}
