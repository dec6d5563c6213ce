import type { Found } from './demux/demux';
import { atRate, type Choice, chooseRate } from './demux/rate';
import type { Alike, Template } from './demux/template';

/** A track that fragments list, with ticks and shifts of its samples; `time` is when the first of them is shown, in its own ticks. */
export type Listed = {
  template: Template;
  found: Found;
  durations: number[];
  shifts: number[];
  lost: number;
  time: number;
};

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Ticks of a sample in the middle; those before missing fragments last longer. */
const middle = ({ durations }: Listed) =>
  [...durations].sort((left, right) => left - right)[durations.length >> 1] || 1;

/** Ticks of a packet of sound, which differ by rounding where ticks are coarse. */
function packetTicks(sound: Listed): number {
  const most = middle(sound);
  const usual = sound.durations.filter((ticks) => Math.abs(ticks - most) <= 1);
  return usual.length > 0 ? sum(usual) / usual.length : 1;
}

/** How much longer than all of its samples a track must last for fragments to be missing; less is where it began. */
const longer = 1.05;

/** Ticks that a track lasts, as long as its samples do where no fragments are missing. */
function ticksOf(track: Listed): number {
  const whole = track.durations.length * middle(track);
  const told = sum(track.durations);
  return told > whole * longer ? told : whole;
}

/** Ticks for which sound is heard, at least 1: encoders begin with a packet that is not (ISO/IEC 14496-24, 4.1). */
const heardTicks = (sound: Listed) => Math.max(1, ticksOf(sound) - middle(sound));

const usualRates = [24, 25, 30, 50, 60, 24000 / 1001, 30000 / 1001, 60000 / 1001];

/** Ticks of a rate of television are multiples of this (SMPTE ST 12-1), which none of the others need. */
const television = 1001;

/** How far ticks that were counted in a second may lie from those of a usual rate to be these. */
const nearScale = 0.05;

/** Ticks a second of pictures by ticks of one, at the usual rate that is nearest to the ticks that were counted in a second. */
function pictureScale(told: number, step: number): number {
  const isUsual = (rate: number) => step % television !== 0 || !Number.isInteger(rate);
  const usual = usualRates.filter(isUsual).map((rate) => step * rate);
  const [nearest = told] = usual.sort((left, right) => Math.abs(left - told) - Math.abs(right - told));
  return Math.abs(nearest / told - 1) < nearScale ? nearest : told;
}

/**
 * The rate of sound beside pictures: both tracks end at the same time, by their own ticks, counted from where the recording began
 * (tfdt, ISO/IEC 14496-12, 8.8.12), or from where each of them begins where they count from different times. Null where there is no choice.
 */
function chooseFor(sound: Listed, picture: Listed, ticks: number): Choice | null {
  const alike = sound.template.alike ?? [];
  const lengths = [ticksOf(picture), heardTicks(sound)] as const;
  const ends = [lengths[0] + picture.time, lengths[1] + sound.time] as const;
  const choices = [ends, lengths].map(([pictureTicks, soundTicks]) => {
    const perSecond = ({ timescale, step }: Alike) => (timescale * ticks) / step;
    return chooseRate(alike, (one) => ((pictureTicks / soundTicks) * perSecond(one)) / middle(picture));
  });
  return choices.find((choice) => choice?.isTold) ?? choices[1] ?? null;
}

/** The rate that was chosen for sound that may have several, and how many pictures have a rate that nothing tells. */
export type Settled = { choice: Choice | null; paced: number };

/** Pictures a second where nothing at all tells them. */
const guessedRate = 30;

/** Seconds that pictures last by the rate that their stream tells; null where it tells none. */
const streamSeconds = ({ template: { step, timescale }, durations }: Listed): number | null =>
  step > 0 ? (durations.length * step) / timescale : null;

/**
 * Settles ticks a second of tracks whose own header is lost: sound tells them by the samples in its packets, and pictures last as long as
 * it does, else as their stream tells.
 */
export function settleScales(tracks: readonly Listed[]): Settled {
  const isLost = ({ template }: Listed) => template.origin !== 'index';
  const sound = tracks.find(({ template }) => template.kind === 'soun');
  const picture = tracks.find(({ template }) => template.kind === 'vide');
  let choice: Choice | null = null;
  let paced = 0;
  for (const one of tracks) {
    if (!isLost(one) || one.template.kind !== 'soun' || one.template.block > 0) continue;
    const ticks = packetTicks(one);
    // Without pictures nothing tells it, and the first of them is a guess.
    const chosen = picture ? chooseFor(one, picture, ticks) : chooseRate(one.template.alike ?? [], () => 0);
    choice ??= chosen;
    const template = chosen ? atRate(one.template, chosen) : one.template;
    one.template = {
      ...template,
      timescale: Math.max(1, Math.round((template.timescale * ticks) / template.step)),
      step: Math.round(ticks),
    };
  }
  for (const one of tracks) {
    if (!isLost(one) || one.template.kind === 'soun') continue;
    const heard = sound ? heardTicks(sound) / sound.template.timescale : streamSeconds(one);
    const seconds = heard ?? one.durations.length / guessedRate;
    if (heard === null) paced += one.durations.length;
    const told = ticksOf(one) / Math.max(0.001, seconds);
    one.template = { ...one.template, timescale: Math.max(1, Math.round(pictureScale(told, middle(one)))) };
  }
  return { choice, paced };
}
