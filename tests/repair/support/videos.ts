import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), 'tests/repair/fixtures');
const read = (name: string) => readFileSync(join(folder, `video-${name}`));

/** The fixture of a video by the rest of its name. */
export const fixtureOf = (name: string): Buffer => read(name);

/** Small originals, 1.2 seconds each: test picture and sine, written once by ffmpeg's encoders and frozen. */
export const videos = {
  mp4: read('avc.mp4'),
  fragmented: read('fragmented.mp4'),
  mov: read('hevc.mov'),
  mkv: read('avc.mkv'),
  flv: read('avc.flv'),
  avi: read('mjpeg.avi'),
  mxf: read('mpeg2.mxf'),
  ts: read('transport.bin'),
};

/** H.264 without CABAC, and without a word of its encoder about itself, as many cameras write it: its slices tell its setup once that is lost, but for the start of the quantiser. */
export const cameraRecording = read('camera.mov');
/** H.264 of several slices in each picture, of which nothing tells the setup once that is lost but a working video. */
export const slicedRecording = read('slices.mov');

/** The same as MP4 and MOV whose codecs need an own way to be found: pictures of AV1, sound of Apple Lossless and of Opus. */
export const codecVideos = { av1: read('av1.mp4'), alac: read('alac.mov'), opus: read('opus.mp4') };

/** A recording whose index lists the first samples, and fragments the others. */
export const mixedRecording = read('mixed.mp4');

/** Each box of a code with its content zeroed; its head stays. */
export function emptied(bytes: Buffer, code: string): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(code, 4, 'latin1'); at >= 0; at = copy.indexOf(code, at + 4, 'latin1'))
    copy.fill(0, at + 4, at - 4 + copy.readUInt32BE(at - 4));
  return copy;
}

/** The transport stream in packets of 192 bytes, with arrival times in front. */
export function timed(stream: Buffer): Buffer {
  const packets: Buffer[] = [];
  for (let at = 0; at < stream.length; at += 188) {
    const time = Buffer.alloc(4);
    time.writeUInt32BE(at * 10);
    packets.push(time, stream.subarray(at, at + 188));
  }
  return Buffer.concat(packets);
}

/** A changed copy: `change` edits in place or gives back other bytes. */
export function changed(bytes: Buffer, change: (copy: Buffer) => Buffer | undefined): Buffer {
  const copy = Buffer.from(bytes);
  return change(copy) ?? copy;
}

/** Sets 32 bits before the box's code, which is its size (big-endian), for every box of that code. */
export function resize(bytes: Buffer, code: string, size: number): undefined {
  for (let at = bytes.indexOf(code, 4, 'latin1'); at >= 0; at = bytes.indexOf(code, at + 4, 'latin1'))
    bytes.writeUInt32BE(size, at - 4);
  return undefined;
}

/** Changes every chunk offset of every stco. */
export function eachOffset(bytes: Buffer, change: (offset: number) => number): undefined {
  for (let at = bytes.indexOf('stco', 0, 'latin1'); at >= 0; at = bytes.indexOf('stco', at + 4, 'latin1')) {
    const count = bytes.readUInt32BE(at + 8);
    for (let index = 0; index < count; index++) {
      const place = at + 12 + index * 4;
      bytes.writeUInt32BE(change(bytes.readUInt32BE(place)), place);
    }
  }
  return undefined;
}

/** The file with its moov box first, as cameras for the web write it, offsets adjusted. */
export function moovFirst(bytes: Buffer): Buffer {
  const at = bytes.indexOf('moov', 0, 'latin1') - 4;
  const moov = Buffer.from(bytes.subarray(at, at + bytes.readUInt32BE(at)));
  eachOffset(moov, (offset) => offset + moov.length);
  const first = bytes.readUInt32BE(0);
  return Buffer.concat([bytes.subarray(0, first), moov, bytes.subarray(first, at), bytes.subarray(at + moov.length)]);
}

/** The file without its index: the box's content is overwritten. */
export function withoutIndex(bytes: Buffer): Buffer {
  return changed(bytes, (copy) => {
    const at = copy.indexOf('moov', 0, 'latin1') - 4;
    copy.fill(0x55, at, at + copy.readUInt32BE(at));
    return undefined;
  });
}

/** One of each way that videos are laid out, under the name of its format. */
export const videoFiles: readonly { format: string; bytes: Buffer }[] = [
  { format: 'mp4', bytes: videos.mp4 },
  { format: 'm4v', bytes: moovFirst(videos.mp4) },
  { format: '3gp', bytes: videos.fragmented },
  { format: 'mov', bytes: videos.mov },
  { format: 'mov', bytes: cameraRecording },
  { format: 'mkv', bytes: videos.mkv },
  { format: 'flv', bytes: videos.flv },
  { format: 'avi', bytes: videos.avi },
  { format: 'mxf', bytes: videos.mxf },
  { format: 'mts', bytes: videos.ts },
  { format: 'm2ts', bytes: timed(videos.ts) },
];

/** Matroska without the check sums of its Info and Tracks, by which a wrong byte of them is set right: fillers stand in their place. */
export const unsummed = (bytes: Buffer): Buffer =>
  changed(bytes, (copy) => {
    for (const id of ['1549a966', '1654ae6b']) {
      const at = copy.lastIndexOf(Buffer.from(id, 'hex'), copy.indexOf(Buffer.from('1f43b675e7', 'hex')));
      const body = at + 4 + Math.clz32(copy[at + 4] ?? 0) - 23;
      if (copy[body] === 0xbf) copy.writeUInt8(0xec, body);
    }
    return undefined;
  });
