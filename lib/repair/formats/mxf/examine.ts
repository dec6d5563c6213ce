import type { VideoExamined } from '../../families/video';
import type { Amount, Damage, Loss, Remark } from '../../report/facts/video';
import { factsOf } from '../../video/mend';
import { codedUnits, mendMpeg2 } from '../../video/pictures';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { cutBefore, cutBehind } from './before';
import { joltOf, sampleBytes } from './clips';
import { type Essence, planEssence } from './essence';
import {
  isEssence,
  isIndex,
  isMetadata,
  isPicture,
  isRandomIndex,
  isSound,
  type Klv,
  partitionKind,
  type Walk,
  walkKlv,
} from './klv';

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
  const rest = klvs.slice(start + 1);
  const end = rest.findIndex(({ key }) => partitionKind(key) !== null || isEssence(key) || isIndex(key));
  const section = klvs.slice(start, start + 1 + (end < 0 ? rest.length : end));
  return isDescription(section) ? section : [];
}

/** The partition that describes the file: the header, or the last one of those that repeat or complete its metadata (377-1, 7.1). */
function headOf(walk: Walk): Klv[] {
  const isHeader = ({ key }: Klv) => partitionKind(key) === 'header';
  const header = walk.klvs.findIndex(isHeader);
  const own = header < 0 ? [] : describedFrom(walk, header);
  if (own.length > 0) return own;
  for (let at = walk.klvs.length - 1; at > header; at--) {
    const isPack = partitionKind(walk.klvs[at]?.key ?? '') !== null;
    const other = isPack ? describedFrom(walk, at) : [];
    if (other.length > 0) return other;
  }
  return [];
}

/** Bytes of a partition pack without its list of labels, and where in it FooterPartition stands (377-1, 7.1, table 5). */
const packBytes = 80;
const footerAt = 24;

/** Whether the header leads to a footer that is there, or to none. */
export function footerFits(source: Source, walk: Walk): boolean {
  const header = walk.klvs.find(({ key }) => partitionKind(key) === 'header');
  if (!header || header.end - header.body < packBytes) return false;
  const runIn = header.offset;
  const footer = Number(source.copy(header.body + footerAt, 8).readBigUInt64BE(0));
  return (
    footer === 0 || walk.klvs.some(({ key, offset }) => offset === footer + runIn && partitionKind(key) === 'footer')
  );
}

/** The header of a working video from the same camera. */
async function borrowedHead({ sample, job }: Reading): Promise<Head | null> {
  if (!sample) return null;
  const klvs = headOf(await walkKlv(sample, async () => job.deadline.check()));
  return klvs.length > 0 ? { source: sample, klvs } : null;
}

/** What lay between the packets of picture and sound and is none. */
function cutOut({ gaps }: Walk, firstEssence: number): Loss[] {
  const count = gaps.reduce((sum, { offset, length }) => sum + (offset + length > firstEssence ? length : 0), 0);
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
  const own = headOf(walk);
  const damages: Damage[] = walk.gaps.map(({ offset, length }) => ({ kind: 'gap', bytes: length, offset }));
  if (!footerFits(source, walk)) damages.push({ kind: 'partitions' });
  const hasHeader = walk.klvs.some(({ key }) => partitionKind(key) === 'header');
  if (own.length === 0 || !hasHeader) damages.push({ kind: 'headers', offset: 0 });
  for (const { offset, stated } of essence)
    if (stated !== undefined) damages.push({ kind: 'sizes', of: 'packets', count: 1, offset });
  const nothing = { inside: [], steps: [], remarks: [], kept: [], rebuilt: [], lost: [], wantsSample: false };
  if (essence.length === 0)
    return { ...nothing, damages, hopeless: 'empty', parts: { kind: 'essence', essence, plan: null } };
  const head = own.length > 0 ? { source, klvs: own } : await borrowedHead(reading);
  const first = essence[0]?.offset ?? 0;
  const frames = essence.filter(isPicture).map(({ body, end }) => ({ from: body, to: end }));
  const mended = factsOf(await mendMpeg2(reading, () => codedUnits(source, frames)));
  const cut = [...cutOut(walk, first), ...cutInside(essence), ...cutBefore(source, walk, own.length > 0)];
  const behind = own.length > 0 ? cutBehind(source, walk) : [];
  if (!head) return muxed(reading, damages, essence, cut);
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

/** Essence without a header, told by its own bytes. */
function muxed({ source }: Reading, damages: Damage[], essence: Klv[], cut: readonly Loss[]): VideoExamined<MxfParts> {
  const plan = planEssence(source, essence);
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
