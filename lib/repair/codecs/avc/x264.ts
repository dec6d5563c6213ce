import type { Buffer } from '../../host/bytes';
import { BitWriter } from '../bitwriter';
import { profileIdc } from './fields';

/** What the encoder x264 writes about itself into the first frame: its options by name. */
export type X264Options = ReadonlyMap<string, string>;

/** What x264 writes before its options, in a message of user data. */
export const x264Mark = 'options: cabac=';

/** Reads the options out of the text that x264 leaves in a message of user data, from its mark on; null when it is no such text. */
export function readX264Options(text: string): X264Options | null {
  const listed = /^options: ([\x20-\x7e]+)/s.exec(text)?.[1];
  if (!listed) return null;
  const options = new Map<string, string>();
  for (const [, name = '', value = ''] of listed.matchAll(/(\S+?)=(\S*)/g)) options.set(name, value);
  return options.has('cabac') && options.has('ref') ? options : null;
}

const numberOf = (options: X264Options, name: string, otherwise = 0) => {
  const value = Number.parseFloat(options.get(name) ?? '');
  return Number.isFinite(value) ? value : otherwise;
};

/** The least number of bits, from 4 on, that counts beyond `most`. */
function bitsBeyond(most: number): number {
  let bits = 4;
  while (2 ** bits <= most && bits < 16) bits++;
  return bits;
}

/**
 * The parameter sets that x264 writes for pictures of this size with these options, 8 or 10 bits, 4:2:0 or 4:4:4 (ISO/IEC 14496-10,
 * 7.3.2.1.1 and 7.3.2.2): everything that decides how slices are read follows from the options, but not the size of the picture, in pixels.
 */
export function x264Sets(options: X264Options, width: number, height: number): { sps: Buffer; pps: Buffer } {
  const settings = settingsOf(options);
  return { sps: sequenceSet(settings, width, height), pps: pictureSet(settings) };
}

/**
 * x264_validate_parameters adds 6 to chroma_qp_offset in 4:4:4, and takes 1 or 2 away for each of its psycho-visual optimisations: what is
 * above 1 is told by it.
 */
const mostOfSubsampled = 1;
/** The highest quantiser that x264 has for 10 bits, which it names where nobody chose one: 51, 18 beyond, 12 for the bits. */
const highestOfTen = 81;

/** What x264 makes of its options (x264_validate_parameters and x264_sps_init of its source). */
function settingsOf(options: X264Options) {
  const flag = (name: string) => numberOf(options, name) > 0;
  const bframes = numberOf(options, 'bframes');
  const pyramid = bframes > 0 ? numberOf(options, 'b_pyramid') : 0;
  const interlaced = /^(tff|bff|1)$/.test(options.get('interlaced') ?? '');
  const references = Math.max(1, numberOf(options, 'ref', 1));
  const transform = flag('8x8dct');
  const weighted = numberOf(options, 'weightp') > 0;
  const reorder = pyramid > 0 ? 2 : bframes > 0 ? 1 : 0;
  const held = Math.min(16, Math.max(references, 1 + reorder, pyramid > 0 ? 4 : 1));
  const keep = numberOf(options, 'keyint') === 1 ? 0 : pyramid === 1 ? held - 1 : held;
  const rate = options.get('rc') ?? 'crf';
  const quality =
    rate === 'cqp' ? numberOf(options, 'qp', 23) : rate === 'crf' ? Math.trunc(numberOf(options, 'crf', 23)) : 26;
  const chroma = numberOf(options, 'chroma_qp_offset');
  const cabac = flag('cabac');
  const chromaFormat = chroma > mostOfSubsampled ? chromaFormats.full : chromaFormats.halved;
  const depth = numberOf(options, 'qpmax') === highestOfTen ? 10 : 8;
  return {
    ...{ chromaFormat, depth },
    ...{ bframes, pyramid, interlaced, references, transform, weighted, reorder, held, keep, quality, chroma, cabac },
    ...{ weightedBoth: flag('weightb') && bframes > 0 ? 2 : 0, constrainedIntra: flag('constrained_intra') },
  };
}

type Settings = ReturnType<typeof settingsOf>;

/** chroma_format_idc (6.2): colours halved in both directions, and as many as brightness. */
const chromaFormats = { halved: 1, full: 3 } as const;

/** profile_idc as x264_sps_init chooses it. */
function profileOf({ chromaFormat, depth, transform, cabac, bframes, interlaced, weighted }: Settings): number {
  if (chromaFormat === chromaFormats.full) return profileIdc.full;
  if (depth > 8) return profileIdc.ten;
  if (transform) return profileIdc.high;
  return cabac || bframes > 0 || interlaced || weighted ? profileIdc.main : profileIdc.baseline;
}

/** The sequence parameter set as x264_sps_write of its source has it. */
function sequenceSet(settings: Settings, width: number, height: number): Buffer {
  const { bframes, pyramid, interlaced, reorder, held, keep, chromaFormat, depth } = settings;
  const profile = profileOf(settings);
  const isFull = chromaFormat === chromaFormats.full;
  const wide = Math.ceil(width / 16);
  const high = interlaced ? Math.ceil(height / 32) * 2 : Math.ceil(height / 16);
  const sps = new BitWriter()
    .put(8, profile)
    .put(8, profile === profileIdc.baseline ? 0xc0 : profile === profileIdc.main ? 0x40 : 0)
    .put(8, 51)
    .golomb(0);
  // No colour planes of their own, no transform bypass, no scaling matrix.
  if (profile >= profileIdc.high) {
    sps.golomb(chromaFormat);
    if (isFull) sps.put(1, 0);
    sps
      .golomb(depth - 8)
      .golomb(depth - 8)
      .put(2, 0);
  }
  sps.golomb(bitsBeyond(held * (pyramid > 0 ? 2 : 1) + 1) - 4);
  if (bframes > 0 || interlaced) sps.golomb(0).golomb(bitsBeyond((bframes + 2) * (pyramid > 0 ? 2 : 1) * 4) - 4);
  else sps.golomb(2);
  sps
    .golomb(keep)
    .put(1, 0)
    .golomb(wide - 1)
    .golomb((interlaced ? high / 2 : high) - 1)
    .flag(!interlaced);
  if (interlaced) sps.put(1, 1);
  sps.put(1, 1);
  const halved = isFull ? 0 : 1;
  const right = (wide * 16 - width) >> halved;
  const bottom = (high * 16 - height) >> (interlaced ? halved + 1 : halved);
  sps.flag(right > 0 || bottom > 0);
  if (right > 0 || bottom > 0) sps.golomb(0).golomb(right).golomb(0).golomb(bottom);
  // Usability information with nothing but the limits of reordering (annex E.1.1).
  sps.put(1, 1).put(8, 0).put(1, 1).put(1, 1).golomb(0).golomb(0).golomb(11).golomb(11).golomb(reorder).golomb(held);
  return sps.unit([0x67]);
}

/** The picture parameter set as x264_pps_write has it. */
function pictureSet(settings: Settings): Buffer {
  const { interlaced, references, weighted, weightedBoth, quality, chroma, constrainedIntra, transform } = settings;
  const pps = new BitWriter().golomb(0).golomb(0).flag(settings.cabac).flag(interlaced).golomb(0);
  pps
    .golomb(references - 1)
    .golomb(0)
    .flag(weighted)
    .put(2, weightedBoth);
  pps
    .signed(Math.min(51, Math.max(0, quality)) - 26)
    .signed(0)
    .signed(chroma);
  pps.put(1, 1).flag(constrainedIntra).put(1, 0);
  if (transform) pps.put(1, 1).put(1, 0).signed(chroma);
  return pps.unit([0x68]);
}
