import { createRequire } from 'node:module';
import type { EncodedPacket, InputVideoTrack } from 'mediabunny';
import type { PictureJob } from '../repair/host/media/job';

/** A picture as planes of samples. */
type Picture = Record<'y' | 'u' | 'v', { bytes: Uint8Array }>;
/** ogv's decoder of AV1, which is dav1d in one thread: each packet is done when its call returns. */
type Av1Decoder = {
  frameBuffer: Picture | null;
  init(done: () => void): void;
  processFrame(data: ArrayBuffer, done: (isTaken: number) => void): void;
  /** Takes a picture back, whose memory the next one gets. */
  recycleFrame(picture: Picture): void;
};

/** AV1 of the main profile in 8 bits and in colour, which the decoder is built for (AV1 in ISO base media, 5). */
const decodable = /^av01\.0\.\d\d[MH]\.08(?:\.0(?:\.|$)|$)/;

const require = createRequire(import.meta.url);

/** Where the picture lies in what is decoded: all of it. */
function wholePicture(width: number, height: number): object {
  const chroma = { chromaWidth: (width + 1) >> 1, chromaHeight: (height + 1) >> 1 };
  const shown = { cropLeft: 0, cropTop: 0, cropWidth: width, cropHeight: height };
  return { width, height, ...chroma, ...shown, displayWidth: width, displayHeight: height };
}

async function decoderOf(track: InputVideoTrack): Promise<Av1Decoder> {
  const create = require('ogv/dist/ogv-decoder-video-av1-simd-wasm.js') as (options: object) => Promise<Av1Decoder>;
  const decoder = await create({
    videoFormat: wholePicture(track.codedWidth, track.codedHeight),
  });
  await new Promise<void>((resolve) => decoder.init(resolve));
  return decoder;
}

/** What the decoder makes of a packet, as a line. */
function lineOf(decoder: Av1Decoder, { data, timestamp, duration }: EncodedPacket): string {
  let isTaken = false;
  decoder.processFrame(data.slice().buffer, (taken) => {
    isTaken = taken !== 0;
  });
  const picture = decoder.frameBuffer;
  decoder.frameBuffer = null;
  if (!isTaken || !picture) return `refused ${timestamp} ${duration} 0\n`;
  const bytes = picture.y.bytes.length + picture.u.bytes.length + picture.v.bytes.length;
  decoder.recycleFrame(picture);
  return `taken ${timestamp} ${duration} ${bytes}\n`;
}

/**
 * Decodes the pictures of a file and hands over a line of each packet (`PictureJob`). Resolves with 0 at its end, and with 1 where it holds
 * none that this decoder is built for.
 */
export async function decodePictures(job: PictureJob, take: (lines: string) => void): Promise<number> {
  // Most jobs do without it, and this process and its threads start for each repair.
  const { EncodedPacketSink, FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } = await import('mediabunny');
  const input = new Input({ formats: [MP4, QTFF, MATROSKA, WEBM], source: new FilePathSource(job.path) });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (track?.codec !== job.pictures || !decodable.test((await track.getCodecParameterString()) ?? '')) return 1;
    const decoder = await decoderOf(track);
    for await (const packet of new EncodedPacketSink(track).packets()) take(lineOf(decoder, packet));
    return 0;
  } finally {
    input.dispose();
  }
}
