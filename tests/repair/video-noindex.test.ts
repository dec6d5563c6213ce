import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepairReport } from '../../lib/repair';
import { readAac } from '../../lib/repair/codecs/aac/frame';
import { readAvcPps, readAvcSps } from '../../lib/repair/codecs/avc/sets';
import { readX264Options, x264Sets } from '../../lib/repair/codecs/avc/x264';
import { readAmr, readMp3 } from '../../lib/repair/codecs/sound';
import { displayOrder } from '../../lib/repair/formats/iso/demux/order';
import { shareAmong } from '../../lib/repair/formats/iso/demux/split';
import { repairBytes } from './support/run';
import { changed, eachOffset, emptied, videos, withoutIndex } from './support/videos';

const amount = (report: RepairReport, unit: string) => report.kept.find((one) => one.unit === unit)?.count ?? 0;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'noindex-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function sampleOf(bytes: Buffer): Promise<{ samplePath: string }> {
  const samplePath = join(folder, `sample-${bytes.length}`);
  await writeFile(samplePath, bytes);
  return { samplePath };
}

/** All boxes of a code zeroed, header and content. */
function without(bytes: Buffer, code: string): Buffer {
  return changed(bytes, (copy) => {
    for (let at = copy.indexOf(code, 4, 'latin1'); at >= 0; at = copy.indexOf(code, at + 4, 'latin1'))
      copy.fill(0, at - 4, at - 4 + copy.readUInt32BE(at - 4));
    return undefined;
  });
}

const crlf = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');

/** Content of the first box of a code in a file. */
function contentOf(bytes: Buffer | null, code: string): string {
  const at = bytes?.indexOf(code, 4, 'latin1') ?? -1;
  return bytes && at >= 0 ? bytes.toString('hex', at + 4, at - 4 + bytes.readUInt32BE(at - 4)) : '';
}

describe('MP4 without its index', () => {
  it.each([
    ['mp4', videos.mp4],
    ['mov', videos.mov],
  ] as const)('finds picture and sound of an %s with a sample', async (format, bytes) => {
    const { report, output } = await repairBytes(withoutIndex(bytes), `a.${format}`, await sampleOf(bytes));
    expect(report.verdict).toBe('repaired');
    expect(amount(report, 'frames')).toBe(30);
    expect(amount(report, 'sound packets')).toBe(27);
    expect((await repairBytes(output ?? Buffer.alloc(0), `a.${format}`)).report.verdict).toBe('healthy');
  });

  it('finds what a stopped recording holds, up to its last whole frame', async () => {
    const half = videos.mp4.subarray(0, videos.mp4.indexOf('moov', 0, 'latin1') * 0.5);
    const { report } = await repairBytes(half, 'a.mp4', await sampleOf(videos.mp4));
    expect(amount(report, 'frames')).toBe(13);
    // What told its part is not asked for again.
    expect(report).toMatchObject({ verdict: 'partly' });
    expect(report.wantsSample).toBeUndefined();
    expect((await repairBytes(half, 'a.mp4')).report).toMatchObject({ verdict: 'partly', wantsSample: true });
  });

  it('finds sound behind pictures that tell no end', async () => {
    const original = readFileSync(join(process.cwd(), 'tests/repair/fixtures/video-h263.3gp'));
    const { report, output } = await repairBytes(withoutIndex(original), 'a.3gp');
    expect(report.verdict).toBe('repaired');
    expect(amount(report, 'frames')).toBe(30);
    expect(amount(report, 'sound packets')).toBe(27);
    expect(contentOf(output, 'esds').includes('1388')).toBe(true);
    const body = original.indexOf('mdat', 0, 'latin1') + 4;
    const length = original.readUInt32BE(body - 8) - 8;
    expect(output?.includes(original.subarray(body, body + length))).toBe(true);
  });

  it('tells size and clock of MPEG-4 by its pictures', async () => {
    const original = readFileSync(join(process.cwd(), 'tests/repair/fixtures/video-mpeg4.mp4'));
    const { report, output } = await repairBytes(withoutIndex(original), 'a.mp4');
    expect(report.verdict).toBe('repaired');
    expect(report.steps.map(({ detail }) => detail)).toContain(
      'How the pictures are decoded, 176 by 144, was told by reading them until they fitted.',
    );
    expect(amount(report, 'frames')).toBe(30);
    expect(amount(report, 'sound packets')).toBe(27);
    const body = original.indexOf('mdat', 0, 'latin1') + 4;
    const length = original.readUInt32BE(body - 8) - 8;
    expect(output?.includes(original.subarray(body, body + length))).toBe(true);
    const undescribed = await repairBytes(emptied(original, 'stsd'), 'a.mp4');
    expect(undescribed.report.verdict).toBe('repaired');
    expect(amount(undescribed.report, 'frames')).toBe(30);
  });

  it.each(['stsz', 'stsc', 'stco'])('needs no sample when only %s is gone', async (code) => {
    const { report } = await repairBytes(without(videos.mp4, code), 'a.mp4');
    expect(report.verdict).toBe('repaired');
    expect(amount(report, 'frames')).toBe(30);
    expect(amount(report, 'sound packets')).toBe(27);
  });

  it('lays sound into the gaps when all chunk offsets are wrong', async () => {
    let step = 7;
    const damaged = changed(videos.mp4, (copy) =>
      eachOffset(copy, () => {
        step = (step * 48271) % 0x7fffffff;
        return step;
      }),
    );
    const { report } = await repairBytes(damaged, 'a.mp4');
    expect(report.verdict).toBe('repaired');
    expect(amount(report, 'sound packets')).toBe(27);
  });

  it('takes rotation from the sample', async () => {
    const turned = changed(videos.mp4, (copy) => {
      const at = copy.indexOf('tkhd', 0, 'latin1');
      copy.writeInt32BE(0, at + 44);
      copy.writeInt32BE(0x10000, at + 48);
      copy.writeInt32BE(-0x10000, at + 56);
      copy.writeInt32BE(0, at + 60);
      return undefined;
    });
    const { output } = await repairBytes(withoutIndex(turned), 'a.mp4', await sampleOf(turned));
    expect(contentOf(output, 'tkhd').slice(80, 152)).toBe(contentOf(turned, 'tkhd').slice(80, 152));
  });
});

describe('fragments', () => {
  it('keeps what a cut fragment still holds', async () => {
    const { report, output } = await repairBytes(videos.fragmented.subarray(0, 9000), 'a.mp4');
    expect(report.verdict).toBe('partly');
    expect(amount(report, 'frames')).toBe(20);
    expect((await repairBytes(output ?? Buffer.alloc(0), 'a.mp4')).report.verdict).toBe('healthy');
  });

  it('keeps all frames when the description of the tracks comes from a sample', async () => {
    const { report } = await repairBytes(without(videos.fragmented, 'moov'), 'a.mp4', await sampleOf(videos.mp4));
    expect(amount(report, 'frames')).toBe(30);
  });
});

describe('a transfer in text mode', () => {
  it.each(Object.entries(videos))('is undone: %s', async (kind, bytes) => {
    const name = { mov: 'a.mov', mkv: 'a.mkv', flv: 'a.flv', avi: 'a.avi', mxf: 'a.mxf', ts: 'a.ts' }[kind] ?? 'a.mp4';
    const { report, output } = await repairBytes(crlf(bytes), name);
    expect(report.verdict).toBe('repaired');
    expect(report.found.map((finding) => finding.kind)).toEqual(['textmode']);
    expect(output?.equals(bytes)).toBe(true);
  });

  it.each(Object.entries(videos))(
    'as text of UTF-8 is undone, with line ends changed or not: %s',
    async (kind, bytes) => {
      const name =
        { mov: 'a.mov', mkv: 'a.mkv', flv: 'a.flv', avi: 'a.avi', mxf: 'a.mxf', ts: 'a.ts' }[kind] ?? 'a.mp4';
      for (const sent of [bytes, crlf(bytes)]) {
        const { report, output } = await repairBytes(Buffer.from(sent.toString('latin1'), 'utf8'), name);
        expect(report.found.map((finding) => finding.kind)).toEqual(['textmode']);
        expect(report.found[0]?.detail).toMatch(sent === bytes ? /which wrote every byte/ : /10 and wrote every byte/);
        expect(report.verdict).toBe('repaired');
        expect(output?.equals(bytes)).toBe(true);
      }
    },
  );
});

describe('readers of raw media data', () => {
  it('writes the parameter sets that x264 writes', () => {
    const text =
      'options: cabac=1 ref=1 8x8dct=1 chroma_qp_offset=0 ' +
      'constrained_intra=0 bframes=3 b_pyramid=2 weightb=1 weightp=1 keyint=250 interlaced=0 rc=crf mbtree=1 crf=23.0';
    const options = readX264Options(text);
    if (!options) throw new Error('No options were read.');
    const { sps, pps } = x264Sets(options, 320, 180);
    expect(pps.toString('hex')).toBe('68ef8fcb');
    // The beginning of a set that the encoder wrote, behind its level.
    expect(sps.toString('hex', 4, 12)).toBe('acd941419f9e01e3');
    expect(readAvcSps(sps)).toMatchObject({
      ...{ width: 320, height: 180 },
      ...{ log2_max_frame_num: 4, pic_order_cnt_type: 0, log2_max_pic_order_cnt_lsb: 6 },
    });
    expect(readAvcPps(pps)).toEqual({ id: 0, sps: 0 });
    expect(readX264Options('no such text')).toBeNull();
  });

  it('reads AAC to its end, and nothing else as AAC', () => {
    const silence = Buffer.from('2110049020', 'hex');
    expect(readAac(Buffer.concat([silence, Buffer.alloc(40, 0xff)]), { frequency: 3, channels: 1 })).toBeNull();
    let accepted = 0;
    for (let seed = 1; seed < 400; seed++) {
      const noise = Buffer.from(
        Array.from({ length: 600 }, (_, index) => (Math.imul(index * 31 + seed, 2654435761) >>> 13) & 255),
      );
      if (readAac(noise, { frequency: 3, channels: 2 })) accepted++;
    }
    expect(accepted).toBe(0);
  });

  it('reads heads of MP3 and AMR frames', () => {
    expect(readMp3(Buffer.from('fffb7064', 'hex'))).toMatchObject({ length: 313, rate: 44100, samples: 1152 });
    expect(readAmr(Buffer.from([0x3c]), false)?.length).toBe(32);
    expect(readAmr(Buffer.from([0x55]), false)).toBeNull();
  });

  it('puts pictures in order by their counts, over a wrap of the low bits', () => {
    const found = {
      offsets: [0, 1, 2, 3],
      sizes: [1, 1, 1, 1],
      keys: [1, 0, 0, 0],
      orders: [12, 2, 14, 0],
      resets: [0, 0, 0, 0],
      references: [1, 1, 0, 0],
    };
    const order = displayOrder(found, 16);
    expect(order?.delay).toBe(1);
    expect([...(order?.shifts ?? [])]).toEqual([1, 3, 0, 0]);
  });

  it('shares runs among tracks that look the same', () => {
    const found = {
      offsets: [0, 10, 100, 110],
      sizes: [10, 10, 10, 10],
      keys: [1, 1, 1, 1],
      orders: [],
      resets: [],
      references: [],
    };
    expect(shareAmong(found, 2).map(({ offsets }) => offsets)).toEqual([
      [0, 100],
      [10, 110],
    ]);
  });
});
