import { describe, expect, it } from 'vitest';
import { ids } from '../../lib/repair/formats/matroska/elements';
import { withChildren } from './support/children';
import { all, inside, type Node, parse, write } from './support/elements';
import { repairBytes } from './support/run';
import { fixtureOf } from './support/videos';

withChildren();

const planeCode = Buffer.from([0, 0, 1, 0xb6]);
/** The head of a group of planes (ISO/IEC 14496-2, 6.2.4), which begins as a picture of MPEG-2 does. */
const group = Buffer.from([0, 0, 1, 0xb3, 0, 0x10, 0x07]);

/** The planes of an MP4, those that stand alone behind the head of a group, as some encoders write them. */
function planes(): Buffer[] {
  const bytes = fixtureOf('mpeg4.mp4');
  const data = bytes.subarray(0, bytes.lastIndexOf('moov') - 4);
  const found: Buffer[] = [];
  for (let at = data.indexOf(planeCode); at >= 0; ) {
    const next = data.indexOf(planeCode, at + 4);
    const plane = data.subarray(at, next < 0 ? data.length : next);
    found.push((plane[4] ?? 0) >> 6 === 0 ? Buffer.concat([group, plane]) : plane);
    at = next;
  }
  return found;
}

/** Matroska with these pictures, whose tracks are described nowhere. */
function undescribed(frames: readonly Buffer[]): Buffer {
  const root = parse(fixtureOf('avc.mkv'));
  const blocks = all(root, ids.simpleBlock).filter(({ content }) => Buffer.isBuffer(content) && content[0] === 0x81);
  for (const [index, block] of blocks.entries())
    block.content = Buffer.concat([
      (block.content as Buffer).subarray(0, 4),
      frames[index % frames.length] ?? Buffer.alloc(0),
    ]);
  const isLeft = ({ id }: Node) => ![ids.tracks, ids.cues, ids.seekHead, ids.crc].includes(id as never);
  for (const node of [root[1] as Node, ...all(root, ids.cluster)]) node.content = inside(node).filter(isLeft);
  return write(root);
}

describe('MPEG-4 in Matroska whose description is gone', () => {
  it('is told from its pictures, and taken for no MPEG-2', async () => {
    const { report, output } = await repairBytes(undescribed(planes()), 'clip.mkv');
    expect(report.verdict, report.summary).not.toBe('unrepairable');
    expect(output?.includes('V_MPEG2')).toBe(false);
    expect(output?.includes('V_MPEG4/ISO/ASP')).toBe(true);
    expect(report.kept.find(({ unit }) => unit === 'frames')?.count).toBeGreaterThan(20);
  });
});
