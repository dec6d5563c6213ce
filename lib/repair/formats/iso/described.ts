import { readAacConfig } from '../../codecs/aac/frame';
import { frequencies } from '../../codecs/aac/tables';
import { readAvcSps } from '../../codecs/avc/sets';
import { descriptor, parameterSets } from '../../codecs/configuration';
import { hevcTypeOf, nalType } from '../../codecs/hevc/naltypes';
import { readHevcSps } from '../../codecs/hevc/sets';
import { box } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import { soundEntry, visualEntry } from './demux/entries';

/** A configuration box in [from, to) whose size can be; null when there is none. */
function configuration(bytes: Buffer, type: string, from: number, to: number): Buffer | null {
  for (
    let at = bytes.indexOf(type, from + 4, 'latin1');
    at >= 4 && at < to;
    at = bytes.indexOf(type, at + 4, 'latin1')
  ) {
    const size = bytes.readUInt32BE(at - 4);
    if (size >= 15 && size <= 4096 && at - 4 + size <= to) return bytes.subarray(at + 4, at - 4 + size);
  }
  return null;
}

/**
 * The sample description of a track (ISO/IEC 14496-12, 8.5.2) made anew from the decoder's configuration inside it, which lies in
 * [from, to) and may outlive what stands before it; null when there is none that can be read.
 */
export function describedAnew(bytes: Buffer, from: number, to: number): Buffer | null {
  const avc = configuration(bytes, 'avcC', from, to);
  if (avc?.[0] === 1) {
    const made = visualEntry('avc1', 0, 0, box('avcC', avc));
    const [sps] = parameterSets(made);
    const told = sps ? readAvcSps(sps) : null;
    if (told) return visualEntry('avc1', told.width, told.height, box('avcC', avc));
  }
  const hevc = configuration(bytes, 'hvcC', from, to);
  if (hevc?.[0] === 1) {
    const made = visualEntry('hvc1', 0, 0, box('hvcC', hevc));
    const sps = parameterSets(made).find((set) => hevcTypeOf(set) === nalType.sps);
    const told = sps ? readHevcSps(sps) : null;
    if (told) return visualEntry('hvc1', told.width, told.height, box('hvcC', hevc));
  }
  const sound = configuration(bytes, 'esds', from, to);
  if (!sound) return null;
  const made = soundEntry('mp4a', 2, 48000, box('esds', sound));
  const config = readAacConfig(descriptor(made, 5) ?? Buffer.alloc(0));
  return config
    ? soundEntry('mp4a', config.channels, frequencies[config.frequency] ?? 48000, box('esds', sound))
    : null;
}
