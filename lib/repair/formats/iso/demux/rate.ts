import type { Part } from './assemble';
import type { Alike, Template } from './template';

/** Frame rates that cameras and encoders use, common ones first: ticks a second, and ticks of one frame. */
export const usualRates = [
  [24000, 1001],
  [24, 1],
  [25, 1],
  [30000, 1001],
  [30, 1],
  [50, 1],
  [60000, 1001],
  [60, 1],
  [12, 1],
  [15, 1],
  [120, 1],
  [240, 1],
] as const;

/** How far two frame rates lie apart, as the logarithm of their ratio. */
const apart = (one: number, other: number) => Math.abs(Math.log(one / other || Number.MIN_VALUE));

/** How far a frame rate lies from the nearest usual one. */
const oddness = (rate: number) =>
  usualRates.reduce((least, [scale, step]) => Math.min(least, apart(rate, scale / step)), 1);

/** How far a rate that is measured may lie from a usual one to be that (a frame of each track in two seconds), and how much further the next choice must. */
const near = 0.02;
const further = 0.015;

/** Which of several rates sound has. */
export type Choice = { alike: Alike; isTold: boolean };

/**
 * Which rate sound has whose frames look alike at several, by how many pictures a second lie beside it at each (`pictures`): recorders
 * show them at a usual rate, and none of these lies from another as 48,000 from 44,100. Of two that will do none is told. Null where
 * there is no choice.
 */
export function chooseRate(alike: readonly Alike[], pictures: (at: Alike) => number): Choice | null {
  const [best, next] = alike
    .map((one) => ({ one, off: oddness(pictures(one)) }))
    .sort((left, right) => left.off - right.off);
  return best && next ? { alike: best.one, isTold: best.off < near && next.off > best.off + further } : null;
}

/** Sound at a rate that was chosen for it. */
export const atRate = (template: Template, { alike }: Choice): Template => ({ ...template, ...alike, alike: [] });

/** Samples of PCM, or packets, of a part. */
const lengthOf = ({ template, found }: Part): number =>
  template.block > 0 ? found.sizes.reduce((sum, size) => sum + size, 0) / template.block : found.sizes.length;

/** Seconds of one part by its own steps. */
const seconds = (part: Part): number => (lengthOf(part) * part.template.step) / part.template.timescale;

/** The choice for sound beside pictures that nothing tells a rate of either; null where there is none to make. */
export function choiceFor(parts: readonly Part[]): Choice | null {
  const sound = parts.find(({ template }) => (template.alike ?? []).length > 1);
  const picture = parts.find(({ template }) => template.kind === 'vide');
  const pictures = picture?.found.sizes.length ?? 0;
  // Encoders begin with a packet that is not heard (ISO/IEC 14496-24, 4.1); PCM has none, nor packets.
  const packets = sound && sound.template.block > 0 ? lengthOf(sound) : (sound?.found.sizes.length ?? 0) - 1;
  const perPacket = sound ? pictures / Math.max(1, packets) : 0;
  return chooseRate(sound?.template.alike ?? [], ({ timescale, step }) => (perPacket * timescale) / step);
}

/** Frames a second where nothing at all tells them. */
const guessedRate = 30;

/**
 * Gives a frame rate to a picture track that nothing tells one of: the usual rate that comes nearest to the length of the sound, else
 * 30. `choice` is the rate of sound that may have several, `heard` the seconds of sound that the index still lists, 0 where it does not.
 */
export function settleStep(found: readonly Part[], choice: Choice | null, heard: number): Part[] {
  const parts = found.map((part) =>
    choice && part.template.alike ? { ...part, template: atRate(part.template, choice) } : part,
  );
  const sound = parts.find(({ template }) => template.kind === 'soun');
  return parts.map((part) => {
    if (part.template.step > 0) return part;
    const length = sound ? seconds(sound) : heard;
    const shown = sound || heard > 0 ? part.found.sizes.length / Math.max(0.001, length) : guessedRate;
    const told = sound?.template.pictures ?? shown;
    const off = ([scale, step]: readonly [number, number]) => Math.abs(Math.log(told / (scale / step)));
    const [best] = [...usualRates].sort((left, right) => off(left) - off(right));
    const [timescale, step] = best && off(best) < 0.04 ? best : [Math.round(told * 1000) || guessedRate * 1000, 1000];
    return { ...part, template: { ...part.template, timescale, step } };
  });
}
