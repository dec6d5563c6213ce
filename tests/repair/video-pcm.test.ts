import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guessPcm } from '../../lib/repair/formats/iso/demux/guess-pcm';
import { pcmBlock } from '../../lib/repair/formats/iso/track';
import { OpenFile } from '../../lib/repair/host/files';
import { Source } from '../../lib/repair/video/source';

/** What is told of PCM of 48,000 values a second in chunks beside pictures of 25 a second, as `write` puts each value. */
async function told(width: number, channels: number, write: (bytes: Buffer, at: number, value: number) => void) {
  const perChunk = 1920;
  const chunks = 12;
  const bytes = Buffer.alloc(chunks * perChunk * channels * width);
  for (let frame = 0; frame < chunks * perChunk; frame++)
    for (let channel = 0; channel < channels; channel++) {
      const wave = Math.sin(frame * 0.031 * (channel + 1)) * 0.6 + Math.sin(frame * 0.0047) * 0.3;
      write(bytes, (frame * channels + channel) * width, Math.round(wave * (2 ** (width * 8 - 1) - 1)));
    }
  const folder = await mkdtemp(join(tmpdir(), 'repair-'));
  try {
    await writeFile(join(folder, 'input'), bytes);
    const file = await OpenFile.open(join(folder, 'input'), 'read');
    const size = perChunk * channels * width;
    const spans = Array.from({ length: chunks }, (_, index) => ({ from: index * size, to: (index + 1) * size }));
    const template = guessPcm(new Source(file), spans, chunks);
    await file.close();
    return template && [template.codec, template.block, template.timescale, pcmBlock(template.stsd)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('PCM that nothing describes', () => {
  it('is told in 24 bits, of either order', async () => {
    expect(await told(3, 2, (bytes, at, value) => void bytes.writeIntLE(value, at, 3))).toEqual(['in24', 6, 48_000, 6]);
    expect(await told(3, 1, (bytes, at, value) => void bytes.writeIntBE(value, at, 3))).toEqual(['in24', 3, 48_000, 3]);
  });

  it('is told in 16 bits, of either order', async () => {
    expect(await told(2, 2, (bytes, at, value) => void bytes.writeInt16LE(value, at))).toEqual(['sowt', 4, 48_000, 4]);
    expect(await told(2, 1, (bytes, at, value) => void bytes.writeInt16BE(value, at))).toEqual(['twos', 2, 48_000, 2]);
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
