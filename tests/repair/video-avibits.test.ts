import { expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, fixtureOf } from './support/videos';

const avi = fixtureOf('avc.avi');

it('sets a wrong bit in a picture of H.264 in AVI right', async () => {
  expect((await repairBytes(avi, 'a.avi')).report.verdict).toBe('healthy');
  const picture = avi.indexOf('00dc', avi.indexOf('movi', 0, 'latin1'), 'latin1');
  const at = picture + 8 + Math.floor(avi.readUInt32LE(picture + 4) / 2);
  const { report, output } = await repairBytes(
    changed(avi, (copy) => void copy.writeUInt8((copy[at] ?? 0) ^ 8, at)),
    'a.avi',
  );
  expect(report.found).toMatchObject([{ kind: 'bits' }]);
  expect(report.verdict).toBe('repaired');
  expect(output?.equals(avi)).toBe(true);
});
