import { describe, expect, it } from 'vitest';
import { rateByPcm, tellPcm } from '../../lib/repair/formats/avi/pcm';
import { nothingFound } from '../../lib/repair/formats/iso/demux/demux';
import { madeTemplate } from '../../lib/repair/formats/iso/demux/entries';
import { guessPcm } from '../../lib/repair/formats/iso/demux/guess-pcm';
import { fillerSound } from '../../lib/repair/formats/iso/demux/sounds';
import type { Wish } from '../../lib/repair/formats/iso/demux/wishes';
import { cutLast } from '../../lib/repair/formats/iso/demux/zeroed';
import { pcmBlock } from '../../lib/repair/formats/iso/track';
import { fromFile } from './support/from-file';

type Write = (bytes: Buffer, at: number, value: number) => void;

const [perChunk, chunks] = [1920, 12];

/** What is told of PCM of 48,000 values a second in chunks beside pictures of 25 a second, as `write` puts each value, with `behind` at the end of the last. */
async function told(width: number, channels: number, write: Write, behind: Buffer = Buffer.alloc(0)) {
  const bytes = Buffer.alloc(chunks * perChunk * channels * width);
  for (let frame = 0; frame < chunks * perChunk; frame++)
    for (let channel = 0; channel < channels; channel++) {
      const wave = Math.sin(frame * 0.031 * (channel + 1)) * 0.6 + Math.sin(frame * 0.0047) * 0.3;
      write(bytes, (frame * channels + channel) * width, Math.round(wave * (2 ** (width * 8 - 1) - 1)));
    }
  const size = perChunk * channels * width;
  const spans = Array.from({ length: chunks }, (_, index) => ({ from: index * size, to: (index + 1) * size }));
  spans.push({ from: spans.pop()?.from ?? 0, to: bytes.length + behind.length });
  const file = Buffer.concat([bytes, behind]);
  const template = await fromFile(file, (source) => guessPcm(source, spans, { frames: chunks, offsets: [] }));
  return template && [template.codec, template.block, template.timescale, pcmBlock(template.stsd)];
}

/** So many bytes of chance. */
function noiseOf(count: number): Buffer {
  let seed = 7;
  return Buffer.from(
    Array.from({ length: count }, () => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
      return (seed >> 12) & 0xff;
    }),
  );
}

describe('PCM that nothing describes', () => {
  it('is told in 24 bits, of either order', async () => {
    expect(await told(3, 2, (bytes, at, value) => void bytes.writeIntLE(value, at, 3))).toEqual(['in24', 6, 48_000, 6]);
    expect(await told(3, 1, (bytes, at, value) => void bytes.writeIntBE(value, at, 3))).toEqual(['in24', 3, 48_000, 3]);
  });

  it('is told in four channels', async () => {
    expect(await told(3, 4, (bytes, at, value) => void bytes.writeIntLE(value, at, 3))).toEqual([
      'in24',
      12,
      48_000,
      12,
    ]);
    expect(await told(2, 4, (bytes, at, value) => void bytes.writeInt16BE(value, at))).toEqual(['twos', 8, 48_000, 8]);
  });

  it('is told in 16 bits, of either order', async () => {
    expect(await told(2, 2, (bytes, at, value) => void bytes.writeInt16LE(value, at))).toEqual(['sowt', 4, 48_000, 4]);
    expect(await told(2, 1, (bytes, at, value) => void bytes.writeInt16BE(value, at))).toEqual(['twos', 2, 48_000, 2]);
  });

  it('is told by all chunks but the last, behind which the picture of a recording that was cut lies', async () => {
    const write: Write = (bytes, at, value) => void bytes.writeInt16LE(value, at);
    expect(await told(2, 2, write, noiseOf(3000))).toEqual(['sowt', 4, 48_000, 4]);
  });

  it('is not told where no way of reading makes a wave of it', async () => {
    let seed = 7;
    const noise = (bytes: Buffer, at: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
      bytes.writeUInt16LE((seed >> 8) & 0xffff, at);
    };
    expect(await told(2, 2, noise)).toBeNull();
  });
});

describe('sound of PCM at the end of a recording that was cut', () => {
  const lengthOf = async (behind: Buffer) => {
    const size = perChunk * 4;
    const bytes = Buffer.alloc(size * chunks);
    for (let at = 0; at < bytes.length; at += 2) bytes.writeInt16LE(Math.round(Math.sin(at * 0.01) * 9000), at);
    return fromFile(Buffer.concat([bytes, behind]), (source) => {
      const found = nothingFound();
      for (let index = 0; index < chunks; index++) {
        found.offsets.push(index * size);
        found.sizes.push(index === chunks - 1 ? source.size - index * size : size);
      }
      const template = { ...madeTemplate('soun', Buffer.alloc(0), 48_000, 1), block: 4 };
      const wanted = { ...({} as Wish['wanted']), found, reader: fillerSound };
      const cut = cutLast(source, [{ template, wanted, orderRange: () => 0, twins: 1 }]);
      return { size: (found.sizes.at(-1) ?? 0) / size, cut: cut.map(({ from, to }) => to - from) };
    });
  };

  it('ends before the picture that was cut', async () => {
    expect(await lengthOf(noiseOf(6000))).toEqual({ size: 1, cut: [6000] });
  });

  it('goes on where more of it follows', async () => {
    const more = Buffer.alloc(7680);
    for (let at = 0; at < more.length; at += 2) more.writeInt16LE(Math.round(Math.sin(at * 0.02) * 15_000), at);
    expect(await lengthOf(more)).toEqual({ size: 2, cut: [] });
  });
});

describe('PCM of AVI that nothing describes', () => {
  type Value = (frame: number, channel: number) => number;
  /** Four seconds in chunks of 4,096 bytes, as `value` gives each sample of 16 bits. */
  const fourSeconds = (rate: number, channels: number, value: Value) => {
    const bytes = Buffer.alloc(4 * rate * channels * 2);
    for (let at = 0; at < bytes.length; at += 2)
      bytes.writeInt16LE(Math.round(value(Math.floor(at / 2 / channels), (at / 2) % channels)), at);
    const lengths = Array.from({ length: Math.floor(bytes.length / 4096) }, () => 4096);
    return { bytes: bytes.subarray(0, 40 * 4096), lengths, total: bytes.length };
  };
  const toldInAvi = (rate: number, channels: number, value: Value) => {
    const { bytes, lengths, total } = fourSeconds(rate, channels, value);
    return tellPcm(bytes, lengths, total, 4);
  };

  it('tells the clock of pictures that have none, by the most usual rates of both that are equally long', () => {
    const wave = (frame: number, channel: number) => Math.sin(frame * (channel === 0 ? 0.05 : 0.02)) * 9000;
    const told = (rate: number, channels: number, frames: number) => {
      const { bytes, lengths, total } = fourSeconds(rate, channels, wave);
      return rateByPcm(bytes, lengths, total, frames);
    };
    expect(told(44_100, 2, 60)).toBe(15);
    expect(told(48_000, 2, 120)).toBe(30);
    expect(told(44_100, 1, 96)).toBe(24);
    expect(told(48_000, 2, 80)).toBe(20);
    expect(told(44_100, 2, 13)).toBeNull();
  });

  it('is told in two channels where both hold the same, and not in half as many bits where it is noise', () => {
    let seed = 7;
    let last = 0;
    const noise = (_: number, channel: number) => {
      if (channel === 0) seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
      last = channel === 0 ? ((seed >> 8) % 5000) - 2500 : last;
      return last;
    };
    expect(toldInAvi(48_000, 2, noise)).toMatchObject({ rate: 48_000, channels: 2, bits: 16 });
  });

  it('is told in one channel', () => {
    const wave = (frame: number) => Math.sin(frame * 0.05) * 9000;
    expect(toldInAvi(44_100, 1, wave)).toMatchObject({ rate: 44_100, channels: 1, bits: 16 });
  });
});
