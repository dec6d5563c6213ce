import { readAacConfig } from '../../codecs/aac/frame';
import { readAlacConfig } from '../../codecs/alac';
import { descriptor, parameterSets } from '../../codecs/configuration';
import { unitReaderFor } from '../../codecs/following';
import type { UnitReader } from '../../codecs/units';
import type { Effort } from '../../report';
import { type FaultOf, faultBefore } from '../../video/exchanged';
import type { PlacedUnit } from '../../video/mend';
import { h263ReaderFor, planeReaderFor } from '../../video/pictures';
import { unitsBehindCodes } from '../../video/startcodes';
import type { JudgedCodec, JudgedSound } from '../judges';
import { alacSetup } from './demux/packed';
import { isH263, isJpeg, isMpeg4, isProres } from './probes';
import type { Track } from './track';

/** The codec of a track whose frames are judged that no reader of slices knows; null for others. */
export function judgedCodec(track: Track): JudgedCodec | null {
  if (track.codec === 'vp08') return 'vp8';
  if (track.codec === 'vp09') return 'vp9';
  if (isProres(track.codec)) return 'prores';
  // Pictures in fields (mjpa, mjpb) have marks of their own inside.
  return isJpeg(track) && !/^mjp[ab]$/.test(track.codec) ? 'jpeg' : null;
}

/** The sound of a track whose packets are judged; null for others. */
export function judgedSound({ codec, stsd }: Track): JudgedSound | null {
  if (codec === 'fLaC') return { kind: 'flac' };
  if (codec === 'ac-3') return { kind: 'ac3' };
  if (codec === 'alac') {
    const config = readAlacConfig(alacSetup(stsd));
    return config && { kind: 'alac', config };
  }
  const setup = codec === 'mp4a' ? descriptor(stsd, 5) : null;
  const config = setup && readAacConfig(setup);
  return config && { kind: 'aac', config };
}

/** The reader of the slices of a track behind lengths of four bytes; null for others, and where its parameter sets cannot be read. */
export function slicesOf({ codec, stsd, lengthBytes }: Track, effort: Effort): UnitReader | null {
  const kind = /^avc[1-4]$/.test(codec) ? 'avc' : /^(hvc1|hev1)$/.test(codec) ? 'hevc' : null;
  return kind && lengthBytes === 4 ? unitReaderFor(kind, parameterSets(stsd), effort) : null;
}

/**
 * Tells where pictures of MPEG-4 or H.263 cannot be read to their last bit, by the description of their track, or by that among `units`; null for other
 * codecs, and where nothing describes them.
 */
export function faultInPictures(
  track: Pick<Track, 'codec' | 'stsd'>,
  units: Iterable<PlacedUnit>,
  effort: Effort,
): FaultOf | null {
  const isCoded = isMpeg4(track);
  const plain = isH263(track) ? h263ReaderFor('h263', effort) : null;
  const reader = isCoded ? planeReaderFor(descriptor(track.stsd, 5), units, effort) : plain;
  if (!reader) return null;
  return (bytes) => {
    const own = isCoded ? unitsBehindCodes(bytes, (at) => at) : [{ bytes, place: (at: number) => at }];
    let seen = false;
    for (const unit of own) {
      if (!reader.isSlice(unit.bytes)) continue;
      seen = true;
      const broken = reader.brokenAt(unit.bytes);
      if (broken >= 0) return faultBefore(unit.place(0), unit.place(broken));
    }
    return seen ? null : { from: 0, to: Math.min(bytes.length, 4) };
  };
}
