import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { layoutFor } from '../../lib/repair/codecs/jpeg/layout';
import { McuReader, planScan } from '../../lib/repair/codecs/jpeg/reader';
import { standardHuffman } from '../../lib/repair/codecs/jpeg/tables';
import { readChain, startOf, withByteAt } from '../../lib/repair/formats/jpeg/chain';
import { composeScan } from '../../lib/repair/formats/jpeg/compose';
import { headSegments, scanSegment, writtenAnew } from '../../lib/repair/formats/jpeg/encode';
import { readJpegParts } from '../../lib/repair/formats/jpeg/markers';
import { Salvage } from '../../lib/repair/formats/jpeg/salvage';
import { readHuffman } from '../../lib/repair/formats/jpeg/segments';
import { spansOf } from '../../lib/repair/formats/jpeg/spans';
import { spliceScan } from '../../lib/repair/formats/jpeg/splice';
import { restartsOf, splitStretches } from '../../lib/repair/formats/jpeg/stretches';
import { Deadline, Effort } from '../../lib/repair/report';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

const [width, height] = [320, 240];
const raw = { width, height, channels: 3 } as const;
const picture = sharp(scene(width, height, 5), { raw });
const deadline = new Deadline(20_000, () => performance.now());
const endOfImage = Buffer.from([0xff, 0xd9]);

/** A picture as the engine sees it. */
async function opened(optimiseCoding: boolean) {
  const bytes = await picture.clone().jpeg({ quality: 88, optimiseCoding }).toBuffer();
  const parts = readJpegParts(bytes);
  const { frame } = parts;
  if (!frame) throw new Error('no frame');
  const layout = layoutFor(frame);
  const plan = planScan(layout, parts.huffman, new Effort(1e6));
  const stretches = splitStretches(bytes, parts.scanStart, parts.scanEnd, 0);
  const data = stretches[0]?.data ?? Buffer.alloc(0);
  return { bytes, parts, frame, layout, plan, stretches, data };
}

describe('MCUs in the data of a JPEG', () => {
  it('are read to the last bit, and past the end as ones', async () => {
    const { plan, layout, data } = await opened(true);
    const reader = new McuReader(data, plan);
    for (let mcu = 0; mcu < layout.total; mcu++) expect(reader.mcu(), `MCU ${mcu}`).toBe(true);
    expect(reader.finished()).toBe(true);
    reader.seek(data.length * 8 + 40, []);
    expect(reader.mcu()).toBe(false);
  });

  it('are counted anew only behind a byte that was put in', async () => {
    const { plan, layout, data } = await opened(true);
    const most = layout.total + 100;
    for (const share of [0.2, 0.5, 0.8]) {
      const at = Math.floor(data.length * share);
      const damaged = Buffer.concat([data.subarray(0, at), data.subarray(at + 1)]);
      const mended = Buffer.concat([damaged.subarray(0, at), data.subarray(at, at + 1), damaged.subarray(at)]);
      const chain = withByteAt(readChain(damaged, plan, most, deadline), at * 8, mended, plan, most, deadline);
      const whole = readChain(mended, plan, most, deadline);
      expect(chain.count, `at ${at}`).toBe(whole.count);
      expect([...chain.bits.subarray(0, chain.count)]).toEqual([...whole.bits.subarray(0, whole.count)]);
    }
    expect(startOf(readChain(data, plan, most, deadline), 10)).toMatchObject({ count: 10, complete: false });
  });

  it.each([true, false])('are copied as they are coded, and show the same picture: own tables %s', async (own) => {
    const { parts, frame, layout, plan, stretches } = await opened(own);
    const tables = frame.components.map(
      ({ quantisation }) => parts.quantisation.get(quantisation) ?? new Uint16Array(64),
    );
    const facts = { layout, plan, tables, interval: 0, hasEnd: true, deadline, strict: true };
    const salvage = new Salvage(facts, stretches);
    const chains = stretches.map(({ data }) => readChain(data, plan, layout.total + 10, deadline));
    salvage.run(spansOf(stretches, 0, layout.total, true, chains), chains);
    // A row and a half is lost.
    salvage.canvas.clear(layout.across * 3 + 4, layout.across * 4 + 12);
    const spliced = spliceScan(salvage.canvas, salvage.stretches, plan, parts.huffman, deadline);
    const composed = composeScan(salvage.canvas, salvage.stretches, plan, deadline);
    const { quantisation, huffman } = parts;
    const head = headSegments(parts, { quantisation, frame, huffman, interval: 0 });
    const copied = Buffer.concat([head, scanSegment(frame.components), spliced ?? Buffer.alloc(0), endOfImage]);
    const [first, second] = await Promise.all(
      [copied, writtenAnew(parts, quantisation, frame, composed)].map((jpeg) =>
        sharp(jpeg, { failOn: 'warning' }).raw().toBuffer(),
      ),
    );
    let different = 0;
    for (const [at, value] of (first ?? Buffer.alloc(0)).entries()) if (value !== second?.[at]) different++;
    // Only detail of what is filled in may be left out.
    expect(different / (width * height * 3)).toBeLessThan(0.1);
    if (!own) expect(different).toBe(0);
  });

  it('are not read with a table that gives a symbol two codes', () => {
    const [spec] = standardHuffman[1] ?? [];
    const body = Buffer.from([0x10, ...(spec?.counts ?? []), ...(spec?.symbols ?? [])]);
    expect(readHuffman(body, new Map())).toBe(true);
    body.fill(0, body.length - 90);
    const tables = new Map();
    expect(readHuffman(body, tables)).toBe(false);
    expect(tables.size).toBe(0);
  });
});

describe('JPEG strips of a TIFF', () => {
  // The decoder's library makes strips of 256 rows.
  const tall = 600;
  const whole = () =>
    sharp(scene(width, tall, 5), { raw: { ...raw, height: tall } })
      .tiff({ compression: 'jpeg', quality: 90 })
      .toBuffer();
  /** Where the value of a field stands. */
  const fieldAt = (bytes: Buffer, tag: number) => {
    const start = bytes.readUInt32LE(4);
    for (let at = start + 2; at < start + 2 + bytes.readUInt16LE(start) * 12; at += 12)
      if (bytes.readUInt16LE(at) === tag) return at + 8;
    throw new Error(`no field ${tag}`);
  };

  it('tell how many rows they have', async () => {
    const bytes = await whole();
    const at = fieldAt(bytes, 278);
    const rows = bytes.readUInt16LE(at);
    expect(rows).toBeLessThan(tall);
    bytes.writeUInt16LE(rows - 5, at);
    const { report } = await repairBytes(bytes, 'photo.tif');
    expect(report.verdict).toBe('repaired');
  });

  it('are not called whole when their data ends early', async () => {
    const bytes = await whole();
    expect((await repairBytes(bytes, 'photo.tif')).report.verdict).toBe('healthy');
    bytes.fill(0x5a, 4000, 4100);
    expect((await repairBytes(bytes, 'photo.tif')).report.verdict).toBe('partly');
  });
});

describe('restart markers', () => {
  it('are looked at no further than there may be any in a picture of that size', () => {
    const marks = Buffer.concat(
      Array.from({ length: 20_000 }, (_, index) => Buffer.from([0xa5, 0xff, 0xd0 + (index % 8)])),
    );
    const count = (restarts: number) => splitStretches(marks, 0, marks.length, restarts).length;
    expect(count(restartsOf(true, 10))).toBe(4137);
    expect(count(restartsOf(true, null))).toBe(20_000);
    expect(count(restartsOf(false, 10))).toBe(1);
  });
});
