import type { VideoExamined } from '../../families/video';
import type { Amount, Damage, Loss, Remark } from '../../report/facts/video';
import { factsOf } from '../../video/mend';
import { codedUnits, mendMpeg2 } from '../../video/pictures';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { cutBefore, cutBehind } from './before';
import { joltOf, sampleBytes } from './clips';
import { indexFits, isConsistent, rateOf } from './description';
import { type Essence, planEssence } from './essence';
import {
  isEssence,
  isIndex,
  isMetadata,
  isPicture,
  isRandomIndex,
  isSound,
  type Klv,
  keyBytes,
  longestHead,
  pack,
  partitionKind,
  type Walk,
  walkKlv,
} from './klv';
import { relink } from './relink';

/** The packets of a header partition, and the file that holds them: the damaged one, or a working one from the same camera. */
type Head = { source: Source; klvs: Klv[] };

/**
 * What survives of a file: with a header, partitions and essence that are written around it; without, essence that tells of itself and is
 * muxed anew. `frames` and `sounds` are how many essence packets there are in all.
 */
export type MxfParts = { essence: Klv[] } & (
  | { kind: 'partitions'; head: Head; body: Klv[] }
  | { kind: 'essence'; plan: Essence | null }
);

/** Sets without which header metadata leads to no track (SMPTE 377-1, annex A): storage, packages, track, sequence. */
const structure = ['0118', '0136', '0137', '013b', '010f'];
/** Sets that describe a track's data (annexes E to G): file, picture, sound, many of them, MPEG. */
const descriptors = /^01(?:2[5-9]|4[2478]|51)$/;

/** Whether header metadata describes anything. */
function isDescription(klvs: readonly Klv[]): boolean {
  const sets = new Set(klvs.filter(({ key }) => isMetadata(key)).map(({ key }) => key.slice(26, 30)));
  return structure.every((set) => sets.has(set)) && [...sets].some((set) => descriptors.test(set));
}

/** The packets of a partition up to the first essence, index or next partition, or none when they describe nothing. */
function describedFrom({ klvs }: Walk, start: number): Klv[] {
  let end = start + 1;
  for (let klv = klvs[end]; klv && !isSectionEnd(klv); klv = klvs[end]) end++;
  const section = klvs.slice(start, end);
  return isDescription(section) ? section : [];
}

const isSectionEnd = ({ key }: Klv): boolean => partitionKind(key) !== null || isEssence(key) || isIndex(key);

/** Descriptions of a file that are looked at: a stream may repeat its own for hours. */
const mostDescriptions = 8;

/** What describes a file: its packets, none where nothing does, and whether all descriptions of it were sound, or this one still is damaged. */
type Described = { klvs: Klv[]; state: 'sound' | 'mended' | 'damaged' };

/** The descriptions of a file: of its header, and of the last of the partitions that repeat or complete it (377-1, 7.1), last one first. */
function descriptionsOf(walk: Walk): Klv[][] {
  const header = walk.klvs.findIndex(({ key }) => partitionKind(key) === 'header');
  const found: Klv[][] = [];
  const add = (at: number) => {
    const isPack = partitionKind(walk.klvs[at]?.key ?? '') !== null;
    const section = isPack ? describedFrom(walk, at) : [];
    if (section.length > 0) found.push(section);
  };
  add(header);
  for (let at = walk.klvs.length - 1; at > header && found.length < mostDescriptions; at--) add(at);
  return found;
}

/** The first description whose sets lead to each other; else the first in which they do once what can only be one way is set right. */
function describedBy(source: Source, walk: Walk): Described {
  const found = descriptionsOf(walk);
  const isSound = (klvs: readonly Klv[]) => isConsistent(source, klvs, walk.klvs);
  const sound = found.filter(isSound);
  if (sound[0]) return { klvs: sound[0], state: sound.length === found.length ? 'sound' : 'mended' };
  for (const klvs of found) {
    relink(source, klvs, walk.klvs);
    if (isSound(klvs)) return { klvs, state: 'mended' };
  }
  return { klvs: found[0] ?? [], state: 'damaged' };
}

/** Whether each partition says where it lies, with no more essence before it than there can be, and the header leads to a footer that is there, or to none. */
export function partitionsFit(source: Source, { klvs }: Walk): boolean {
  const packs = klvs.filter(({ key }) => partitionKind(key) !== null);
  const header = packs.find(({ key }) => partitionKind(key) === 'header');
  if (!header || packs.some(({ body, end }) => end - body < pack.bytes)) return false;
  const runIn = header.offset;
  const placeAt = (offset: number) => Number(source.copy(offset, 8).readBigUInt64BE(0)) + runIn;
  const footer = placeAt(header.body + pack.footer);
  const isLed =
    footer === runIn || packs.some(({ key, offset }) => offset === footer && partitionKind(key) === 'footer');
  return (
    isLed &&
    packs.every(({ offset, body }) => placeAt(body + pack.this) === offset && placeAt(body + pack.bodyOffset) <= offset)
  );
}

/** The header of a working video from the same camera. */
async function borrowedHead({ sample, job }: Reading): Promise<Head | null> {
  if (!sample) return null;
  const { klvs, state } = describedBy(sample, await walkKlv(sample, async () => job.deadline.check()));
  return klvs.length > 0 && state !== 'damaged' ? { source: sample, klvs } : null;
}

/** A packet whose key is damaged and that holds nothing but zeroes: what fills up to a grid (377-1, 6.3.3), before another one. One of essence may hold silence. */
const isFill = (source: Source, { offset, length }: Walk['gaps'][number]): boolean =>
  length > longestHead &&
  offset + length < source.size &&
  !isEssence(source.copy(offset, keyBytes).toString('hex')) &&
  source.findNonZero(offset, offset + keyBytes) >= 0 &&
  source.findNonZero(offset + longestHead, offset + length) < 0;

/** What lay between the packets of picture and sound and is none. */
function cutOut(source: Source, { gaps }: Walk, firstEssence: number): Loss[] {
  const lost = gaps.filter((gap) => gap.offset + gap.length > firstEssence && !isFill(source, gap));
  const count = lost.reduce((sum, { length }) => sum + length, 0);
  return count > 0 ? [{ unit: 'bytes', count, how: 'cut' }] : [];
}

/** A packet of a whole track with what is left out of it for its samples to begin where they did. */
function settled(klv: Klv, source: Source, head: Head): Klv {
  const align = klv.stated === undefined ? null : sampleBytes(head);
  const jolt = align === null ? null : joltOf(source, klv, align);
  return jolt ? { ...klv, without: jolt } : klv;
}

/** What packets of whole tracks lack of what they state, or have that is none of theirs: where it stands nothing tells. */
function cutInside(essence: readonly Klv[]): Loss[] {
  const count = essence.reduce(
    (sum, { body, end, stated }) => sum + Math.abs((stated ?? end - body) - (end - body)),
    0,
  );
  return count > 0 ? [{ unit: 'bytes', count, how: 'cut' }] : [];
}

/** Surveys MXF (SMPTE 377-1): packets one by one, partitions, footer and header metadata. */
export async function examineMxf(reading: Reading): Promise<VideoExamined<MxfParts>> {
  const { source, tell } = reading;
  const walk = await walkKlv(source, (offset) => tell(offset, 0, 0.4));
  const essence = walk.klvs.filter(({ key }) => isEssence(key));
  const described = describedBy(source, walk);
  const own = described.state === 'damaged' ? [] : described.klvs;
  const damages: Damage[] = walk.gaps.map(({ offset, length }) => ({ kind: 'gap', bytes: length, offset }));
  if (!partitionsFit(source, walk) || !indexFits(source, walk.klvs, described.klvs))
    damages.push({ kind: 'partitions' });
  const hasHeader = walk.klvs.some(({ key }) => partitionKind(key) === 'header');
  if (described.state !== 'sound' || !hasHeader) damages.push({ kind: 'headers', offset: 0 });
  for (const { offset, stated } of essence)
    if (stated !== undefined) damages.push({ kind: 'sizes', of: 'packets', count: 1, offset });
  const nothing = { inside: [], steps: [], remarks: [], kept: [], rebuilt: [], lost: [], wantsSample: false };
  if (essence.length === 0)
    return { ...nothing, damages, hopeless: 'empty', parts: { kind: 'essence', essence, plan: null } };
  const head = own.length > 0 ? { source, klvs: own } : await borrowedHead(reading);
  const first = essence[0]?.offset ?? 0;
  const frames = essence.filter(isPicture).map(({ body, end }) => ({ from: body, to: end }));
  const mended = factsOf(await mendMpeg2(reading, () => codedUnits(source, frames)));
  const cut = [...cutOut(source, walk, first), ...cutInside(essence), ...cutBefore(source, walk, own.length > 0)];
  const behind = own.length > 0 ? cutBehind(source, walk) : [];
  if (!head) return muxed(reading, damages, essence, cut, rateOf(source, described.klvs));
  const remarks: Remark[] = head.source === source ? [] : [{ kind: 'description', from: 'sample' }];
  if (walk.klvs.some(({ key }) => isIndex(key) || isRandomIndex(key))) remarks.push({ kind: 'noIndexTable' });
  const inHead = new Set(head.source === source ? head.klvs.map(({ offset }) => offset) : []);
  const isKept = ({ key, offset }: Klv) =>
    !inHead.has(offset) && (isEssence(key) || (offset > first && partitionKind(key) === 'body'));
  const amounts: Amount[] = [
    { unit: 'frames', count: essence.filter(isPicture).length },
    { unit: 'sound packets', count: essence.filter(isSound).length },
  ];
  return {
    ...nothing,
    damages,
    inside: mended.damages,
    steps: mended.steps,
    rebuilt: mended.rebuilt,
    remarks: damages.length > 0 ? remarks : [],
    kept: amounts.filter(({ count }) => count > 0),
    lost: [...mended.lost, ...cut, ...behind],
    hopeless: null,
    parts: {
      kind: 'partitions',
      essence,
      head,
      body: walk.klvs.filter(isKept).map((klv) => settled(klv, source, head)),
    },
  };
}

/** Essence without a header, told by its own bytes; `rate` is that of which a damaged description tells, null where none does. */
function muxed(
  { source }: Reading,
  damages: Damage[],
  essence: Klv[],
  cut: readonly Loss[],
  rate: number | null,
): VideoExamined<MxfParts> {
  const plan = planEssence(source, essence, rate);
  const untold = new Set(essence.filter(isSound).map(({ key }) => key)).size - (plan?.sounds.length ?? 0);
  return {
    damages,
    inside: [],
    steps: [],
    remarks: plan ? [{ kind: 'rate', rate: plan.rate, isGuess: plan.isRateGuessed }] : [],
    kept: [],
    rebuilt: [],
    lost: [
      ...(plan?.isRateGuessed ? [{ unit: 'frames', count: plan.pictures.length, how: 'paced' } as const] : []),
      ...(plan && untold > 0 ? [{ unit: 'sound tracks', count: untold, how: 'unformatted' } as const] : []),
      ...cut,
    ],
    wantsSample: true,
    hopeless: plan ? null : 'undescribed',
    parts: { kind: 'essence', essence, plan },
  };
}
