import { expect, it } from 'vitest';
import type { Frame } from '../../lib/repair/codecs/jpeg/frame';
import { layoutFor } from '../../lib/repair/codecs/jpeg/layout';
import { copyBlocks, ownBlock, planesFor } from '../../lib/repair/formats/jpeg/planes';
import { BandScans } from '../../lib/repair/formats/jpeg/progressive';
import type { Scan } from '../../lib/repair/formats/jpeg/scans';
import { Deadline } from '../../lib/repair/report';

const side = 2048;
const frame = {
  width: side,
  height: side,
  components: [{ id: 1, horizontal: 1, vertical: 1, quantisation: 0 }],
} as unknown as Frame;

it('copies blocks in rows that are longer than the picture is wide', () => {
  const plane = { across: 4, down: 3, ownAcross: 3, ownDown: 3 };
  const source = Int16Array.from({ length: 4 * 3 * 64 }, (_, index) => index + 1);
  const target = new Int16Array(source.length);
  copyBlocks(plane, source, target, 2, 7);
  const copied = [2, 3, 4, 5, 6].flatMap((block) => {
    const at = ownBlock({ ...plane, coefficients: source }, block);
    return [...source.subarray(at, at + 64)];
  });
  expect([...target].filter((value) => value !== 0).sort((left, right) => left - right)).toEqual(copied);
});

it('reads a pass of a large progressive photo with a restart behind each block', { timeout: 60_000 }, () => {
  const blocks = (side / 8) ** 2;
  const bytes = Buffer.alloc(blocks * 3);
  for (let block = 0; block < blocks; block++) bytes.set([0x7f, 0xff, 0xd0 + (block & 7)], block * 3);
  const layout = layoutFor(frame);
  const planes = planesFor(layout, side, side);
  const deadline = new Deadline(600_000, () => performance.now());
  const bands = new BandScans(bytes, frame, planes, [new Uint16Array(64).fill(1)], deadline);
  const scan: Scan = {
    components: [{ id: 1, dc: 0, ac: 0 }],
    ...{ from: 1, to: 63, high: 1, low: 0, huffman: new Map(), interval: 1, start: 0, end: bytes.length },
  };
  expect(bands.read(scan).blocks).toBe(blocks);
});
