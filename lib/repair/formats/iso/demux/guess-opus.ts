import { longestOpus, opusChannels, opusMilliseconds } from '../../../codecs/opus';
import { commonest } from '../../../core/commonest';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { madeTemplate, opusEntry } from './entries';
import { packetCost, splitPackets } from './split';
import type { Template } from './template';

/** Share of stretches that begin with the same byte, fewest stretches, and those that are split to tell frame rates apart; chosen on the bench. */
const alike = 0.9;
const fewest = 8;
const looked = 24;
/** Frame rates that are tried where the pictures tell none. */
const rates = [30, 25, 24, 60, 50];
/** How far sizes of packets spread around their mean, as encoders of a constant quality write them, and at least, in bytes. */
const spread = { share: 0.15, least: 3 };
const samplesPerMillisecond = 48;

type Sizes = NonNullable<Template['packets']>;

/** How unlikely packets of these sizes are, in all, where stretches are split into them: the less, the better (see `splitPackets`). */
function unlikelihood(stretches: readonly Uint8Array[], sizes: Sizes): number {
  const each = packetCost(sizes);
  let sum = 0;
  for (const bytes of stretches)
    for (const size of splitPackets(bytes, sizes)) sum += ((size - sizes.mean) / sizes.deviation) ** 2 / 2 + each;
  return sum;
}

/**
 * Opus in the stretches that `frames` pictures leave free, which last `seconds`, or 0 where nothing tells: all begin with the same byte,
 * and the number of packets follows from how long each lasts. Null where they do not.
 */
export function guessOpus(source: Source, gaps: readonly Span[], frames: number, seconds: number): Template | null {
  const spans = gaps.filter(({ from, to }) => to > from);
  const { value, count } = commonest(spans.map(({ from }) => source.read(from, 1)[0] ?? 0));
  if (spans.length < fewest || count < spans.length * alike || value === 0 || (value & 3) !== 0) return null;
  const bytes = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const milliseconds = opusMilliseconds(value);
  const stretches = spans.slice(0, looked).map(({ from, to }) => source.copy(from, Math.min(to - from, 1 << 16)));
  const lasting = seconds > 0 ? [seconds] : rates.map((rate) => frames / rate);
  const ways = lasting
    .map((length) => (bytes * milliseconds) / (length * 1000))
    .filter((mean) => mean > spread.least && mean < longestOpus)
    .map((mean) => ({ first: value, mean, deviation: Math.max(spread.least, mean * spread.share) }))
    .map((packets) => ({ packets, off: unlikelihood(stretches, packets) }))
    .sort((left, right) => left.off - right.off);
  const [best] = ways;
  if (!best) return null;
  const made = madeTemplate('soun', opusEntry(opusChannels(value)), 48_000, milliseconds * samplesPerMillisecond);
  return { ...made, packets: best.packets };
}
