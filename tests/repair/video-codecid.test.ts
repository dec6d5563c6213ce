import { expect, it } from 'vitest';
import { repairBytes } from './support/run';
import { changed, unsummed, videos } from './support/videos';

/** The identifier of a codec with a zero behind it, for which the language before it gives up its last letter. */
function endedByZero(bytes: Buffer): Buffer {
  const at = bytes.indexOf('V_MPEG4/ISO/AVC', 0, 'latin1');
  const language = bytes.lastIndexOf(Buffer.from('22b59c83', 'hex'), at);
  const between = bytes.subarray(language + 7, at - 2);
  const texts = [Buffer.from('22b59c82756e', 'hex'), between, Buffer.from('\x86\x90V_MPEG4/ISO/AVC\0', 'latin1')];
  return Buffer.concat([bytes.subarray(0, language), ...texts, bytes.subarray(at + 15)]);
}

it('reads pictures of Matroska whose codec is named with a zero at its end, as GStreamer writes it', async () => {
  const sound = endedByZero(unsummed(videos.mkv));
  expect(sound.length).toBe(videos.mkv.length);
  expect((await repairBytes(sound, 'a.mkv')).report.verdict).toBe('healthy');
  const { report, output } = await repairBytes(
    changed(sound, (copy) => void copy.writeUInt8((copy[2000] ?? 0) ^ 4, 2000)),
    'a.mkv',
  );
  expect(report.verdict).toBe('repaired');
  expect(output?.equals(sound)).toBe(true);
});
