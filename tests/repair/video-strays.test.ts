import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAllDamaged, proofOf } from '../../lib/repair/verdict';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { changed, videos } from './support/videos';

const read = (name: string) => readFileSync(join(process.cwd(), 'tests/repair/fixtures', `video-${name}`));
/** One second of H.264 at 30 frames a second with sound, as ffmpeg muxes it: every frame stands alone in the MXF file. */
const [avi, mxf] = [read('avc.avi'), read('avc.mxf')];

withChildren();

describe('H.264 in containers that lost what describes it', () => {
  it('plays at the rate that its own timing gives, with its sound, in MXF', async () => {
    const { report } = await repairBytes(
      changed(mxf, (bytes) => void bytes.fill(0, 0, 4096)),
      'video.mxf',
    );
    expect(report.notes.join()).toContain('30 frames a second');
    expect(report.steps.at(-1)?.detail).toContain('30 frames and 30 pieces of sound, 0:01 long');
    expect(report.verdict).toBe('repaired');
  });

  it('plays at that rate in AVI', async () => {
    const list = avi.indexOf('movi', 0, 'latin1') - 8;
    const { report } = await repairBytes(
      changed(avi, (bytes) => void bytes.fill(0, 12, list)),
      'video.avi',
    );
    expect(report.notes.join()).toContain('30 frames a second');
    expect(report.verdict).toBe('repaired');
  });
});

describe('clusters of another file', () => {
  it('are no index, though one stands in them', async () => {
    const movi = avi.indexOf('movi', 0, 'latin1');
    const frame = avi.indexOf('00dc', movi + 4000, 'latin1');
    const { report, output } = await repairBytes(
      changed(avi, (bytes) => {
        bytes.write('idx1', frame + 40, 'latin1');
        bytes.fill(0, frame - 12, frame + 8);
        return undefined;
      }),
      'video.avi',
    );
    expect(report.verdict).toBe('partly');
    expect(output).not.toBeNull();
    // The index puts the frame whose head was overwritten back; twelve bytes before it are gone.
    expect(report.kept).toContainEqual({ unit: 'frames', count: 30 });
  });

  it('leave no header that leads to no track', async () => {
    // The first cluster, with the partition and the beginning of its metadata, stands where others were, which are gone: what stands in front
    // stands in its own place as well.
    const { report } = await repairBytes(
      changed(mxf, (bytes) => {
        const first = Buffer.from(bytes.subarray(0, 4096));
        bytes.copy(bytes, 0, 90_112, 94_208);
        first.copy(bytes, 81_920);
        return undefined;
      }),
      'video.mxf',
    );
    expect(report.verdict).toBe('partly');
    expect(report.lost.length).toBeGreaterThan(0);
    expect(report.steps.at(-1)?.detail).toMatch(/^Decoded from beginning to end: 29 frames and 29 pieces of sound/);
  });
});

describe('what a decoder finds nothing in', () => {
  const nothing = {
    frames: 0,
    packets: 0,
    damagedFrames: 0,
    refused: 0,
    damagedSound: 0,
    damagedAt: [],
    seconds: 0,
    complete: true,
    complaints: 0,
    isBlind: false,
    isUnopened: false,
  };

  it('is not handed out, unless it was never touched', () => {
    const empty = { ...nothing, isEmpty: true };
    expect(proofOf('partly', [], empty, true)).toBe('noFrames');
    expect(proofOf('repaired', [], empty, false)).toBe('noFrames');
    expect(proofOf('healthy', [], empty, false)).toBe('fine');
  });

  it('is told from tracks that the decoder does not know', () => {
    expect(proofOf('repaired', [], { ...nothing, isEmpty: false }, false)).toBe('fine');
  });

  it('is told from a few frames, each of which is damaged, without sound', () => {
    const few = { ...nothing, isEmpty: false, frames: 4, damagedFrames: 4 };
    expect(isAllDamaged(few)).toBe(true);
    expect(isAllDamaged({ ...few, damagedFrames: 3 })).toBe(false);
    expect(isAllDamaged({ ...few, packets: 5, damagedSound: 1 })).toBe(false);
    expect(isAllDamaged({ ...few, complete: false })).toBe(false);
  });
});

describe('a sector of a transport stream that was zeroed', () => {
  it('is named as lost, and no packet is made of it', async () => {
    // The rest of one packet, two others, and the head of the next.
    const at = 40 * 188 + 60;
    const bytes = changed(videos.ts, (copy) => void copy.fill(0, at, at + 512));
    const { report, output } = await repairBytes(bytes, 'video.mts');
    expect(report.verdict).toBe('partly');
    expect(report.lost.find(({ unit }) => unit === 'bytes')?.count).toBe(3 * 188);
    expect(output?.length).toBe(videos.ts.length - 3 * 188);
  });

  it('leaves a packet that lost its mark alone as it was', async () => {
    const bytes = changed(videos.ts, (copy) => void copy.writeUInt8(0, 40 * 188));
    const { report, output } = await repairBytes(bytes, 'video.mts');
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(videos.ts)).toBe(true);
  });
});
