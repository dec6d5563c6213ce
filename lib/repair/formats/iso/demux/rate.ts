import type { Part } from './assemble';

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

/** Seconds of one part by its own steps. */
function seconds({ template, found }: Part): number {
  const frames =
    template.block > 0 ? found.sizes.reduce((sum, size) => sum + size, 0) / template.block : found.sizes.length;
  return (frames * template.step) / template.timescale;
}

/** Gives a frame rate to a picture track that nothing tells one of: the usual rate that comes nearest to the length of the sound, else 30. */
export function settleStep(parts: Part[]): Part[] {
  const sound = parts.find(({ template }) => template.kind === 'soun');
  return parts.map((part) => {
    if (part.template.step > 0) return part;
    const told = sound ? part.found.sizes.length / Math.max(0.001, seconds(sound)) : 30;
    const off = ([scale, step]: readonly [number, number]) => Math.abs(Math.log(told / (scale / step)));
    const [best] = [...usualRates].sort((left, right) => off(left) - off(right));
    const [timescale, step] = best && off(best) < 0.04 ? best : [Math.round(told * 1000) || 30000, 1000];
    return { ...part, template: { ...part.template, timescale, step } };
  });
}
