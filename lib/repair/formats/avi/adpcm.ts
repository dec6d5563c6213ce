import { commonest } from '../../core/commonest';
import { Buffer } from '../../host/bytes';
import type { Way } from './pcm';
import { tags } from './soundcodes';

/** Bytes of blocks that programs write, and the fewest blocks that tell a format. */
const blockSizes = [256, 512, 1024, 2048, 4096];
const fewest = 4;
/** Share of the blocks that must begin as the format has it, as others may be damaged: of other data 14 in 1,000 do, or fewer. */
const mostOf = 0.8;
/** Highest step_index of IMA ADPCM, and highest bPredictor of the coefficients that Microsoft's has. */
const mostStep = 88;
const mostPredictor = 6;
/** Least delta of a block of Microsoft's ADPCM. */
const leastDelta = 16;

/** Its coefficients (Multimedia Data Standards Update, ADPCMWAVEFORMAT). */
const coefficients = [
  [256, 0],
  [512, -256],
  [0, 0],
  [192, 64],
  [240, 0],
  [460, -208],
  [392, -232],
];

function isMicrosoft(block: Buffer, channels: number): boolean {
  for (let channel = 0; channel < channels; channel++) {
    if ((block[channel] ?? 255) > mostPredictor) return false;
    if (block.readInt16LE(channels + 2 * channel) < leastDelta) return false;
  }
  return true;
}

function isIma(block: Buffer, channels: number): boolean {
  for (let channel = 0; channel < channels; channel++)
    if ((block[4 * channel + 2] ?? 255) > mostStep || block[4 * channel + 3] !== 0) return false;
  return true;
}

function extraOf(tag: number, samples: number): Buffer {
  const words = tag === tags.ima ? [samples] : [samples, coefficients.length, ...coefficients.flat()];
  const bytes = Buffer.alloc(words.length * 2);
  for (const [index, word] of words.entries()) bytes.writeInt16LE(word, index * 2);
  return bytes;
}

function wayOf(tag: number, block: number, channels: number): Way {
  const head = tag === tags.ima ? 4 : 7;
  const begun = tag === tags.ima ? 1 : 2;
  const samples = ((block - head * channels) * 2) / channels + begun;
  return { tag, bits: 4, channels, block, bytesPerSample: block / samples, extra: extraOf(tag, samples), excess: 0 };
}

/** ADPCM of IMA and of Microsoft, whose blocks begin in their own ways; `lengths` are those of the chunks, of which each holds whole blocks. */
export function adpcmWays(bytes: Buffer, lengths: readonly number[]): Way[] {
  const { value: usual } = commonest(lengths);
  for (const block of blockSizes) {
    if (usual % block !== 0 || usual === 0) continue;
    const blocks: Buffer[] = [];
    for (let at = 0; at + block <= bytes.length; at += block) blocks.push(bytes.subarray(at, at + block));
    if (blocks.length < fewest) continue;
    for (const channels of [2, 1]) {
      const isMost = (test: (block: Buffer, channels: number) => boolean) =>
        blocks.filter((one) => test(one, channels)).length >= blocks.length * mostOf;
      if (isMost(isIma)) return [wayOf(tags.ima, block, channels)];
      if (isMost(isMicrosoft)) return [wayOf(tags.adpcm, block, channels)];
    }
  }
  return [];
}
