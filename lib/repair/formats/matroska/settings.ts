import { readAacConfig } from '../../codecs/aac/frame';
import { frequencies } from '../../codecs/aac/tables';
import { readAvcSps } from '../../codecs/avc/sets';
import { readHevcSps } from '../../codecs/hevc/sets';
import { Buffer } from '../../host/bytes';
import { setsOf } from '../../video/mend';
import { eight, element, ids } from './elements';
import type { Track } from './tracks';

/** Samples a second and channels of sound. */
type Sound = { rate: number; channels: number };

/** Bytes behind the mark of Vorbis's first packet where its channels and its rate stand (Vorbis I, 4.2.2). */
const vorbis = { mark: Buffer.from('\u0001vorbis', 'latin1'), channels: 11, rate: 12, bytes: 16 };
/** Rate of Opus, and where its channels stand (RFC 7845, 5.1). */
const opus = { rate: 48000, channels: 9 };
/** Where STREAMINFO has the rate of FLAC in 20 bits, and its channels in the three bits behind them (RFC 9639, 8.2), behind its mark and head. */
const flac = { rate: 18, bytes: 21 };

/** What the setup of a codec says of its sound; null where it does not, or is broken. */
function soundOf({ codec, setup }: Pick<Track, 'codec' | 'setup'>): Sound | null {
  if (!setup) return null;
  if (codec === 'A_VORBIS') {
    const at = setup.indexOf(vorbis.mark);
    if (at < 0 || at + vorbis.bytes > setup.length) return null;
    return { rate: setup.readUInt32LE(at + vorbis.rate), channels: setup[at + vorbis.channels] ?? 0 };
  }
  if (codec === 'A_OPUS') return { rate: opus.rate, channels: setup[opus.channels] ?? 0 };
  if (codec === 'A_FLAC' && setup.length >= flac.bytes)
    return {
      rate: setup.readUIntBE(flac.rate, 3) >> 4,
      channels: (((setup[flac.rate + 2] ?? 0) >> 1) & 7) + 1,
    };
  const aac = codec === 'A_AAC' ? readAacConfig(setup) : null;
  return aac && { rate: frequencies[aac.frequency] ?? 0, channels: aac.channels };
}

/** Width and height in the first parameter set that can be read. */
function sizeOf({ codec, setup }: Pick<Track, 'codec' | 'setup'>): { width: number; height: number } | null {
  if (!setup) return null;
  if (codec === 'V_MPEG4/ISO/AVC')
    return (
      setsOf('avc', setup)
        .map(readAvcSps)
        .find((sps) => sps !== null) ?? null
    );
  if (codec === 'V_MPEGH/ISO/HEVC')
    return (
      setsOf('hevc', setup)
        .map(readHevcSps)
        .find((sps) => sps !== null) ?? null
    );
  return null;
}

/** The Video or Audio element of a track by what its setup says (RFC 9559, 5.1.4.1.28 and 29); null where it says nothing. */
export function settingsOf(track: Track): Buffer | null {
  const size = sizeOf(track);
  if (size)
    return element(ids.video, element(ids.pixelWidth, eight(size.width)), element(ids.pixelHeight, eight(size.height)));
  const sound = soundOf(track);
  if (!sound || sound.rate <= 0 || sound.channels <= 0) return null;
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(sound.rate);
  return element(ids.audio, element(ids.samplingFrequency, rate), element(ids.channels, Buffer.from([sound.channels])));
}
