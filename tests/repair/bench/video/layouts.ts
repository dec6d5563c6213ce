/** Changes after the muxer that none of its options makes. */
export type Finish = 'wide' | 'insta360';

/** How one original is made: inputs by size, rate and seconds, `args` for ffmpeg behind them, and a change afterwards. */
export type VideoLayout = {
  name: string;
  group: string;
  format: string;
  args: string[];
  muxer?: string;
  size?: string;
  rate?: number;
  seconds?: number;
  /** Sound inputs; 1 when left out. */
  sounds?: number;
  /** Adds a voice in AMR as the last input. */
  amr?: boolean;
  finish?: Finish;
};

const words = (text: string) => text.split(' ');
const avc = '-c:v libx264 -preset veryfast -pix_fmt yuv420p';
const hevc = '-c:v libx265 -preset veryfast -pix_fmt yuv420p -x265-params log-level=error';
const aac = '-c:a aac -b:a 96k';

const iso: Omit<VideoLayout, 'group'>[] = [
  { name: 'default encoder, B-frames, index last', format: 'mp4', args: words(`${avc} ${aac} -ac 2`) },
  {
    name: 'index first, 44.1 kHz',
    format: 'mp4',
    args: words(`${avc} -g 50 ${aac} -ar 44100 -ac 2 -movflags +faststart`),
  },
  {
    name: 'action camera: chunks of half a second, no B-frames',
    format: 'mp4',
    rate: 30,
    args: words(`${avc} -bf 0 -g 15 ${aac} -ac 2 -chunk_duration 500000`),
  },
  {
    name: 'phone: rotated, chunks of a second, mono',
    format: 'mov',
    rate: 30,
    args: words(`${avc} -bf 0 -g 30 ${aac} -ac 1 -ar 44100 -metadata:s:v rotate=90 -chunk_duration 1000000`),
  },
  {
    name: 'system camera: PCM and time code',
    format: 'mov',
    args: words(`${avc} -bf 2 -g 12 -c:a pcm_s16le -ac 2 -timecode 01:00:00:00 -chunk_duration 480000`),
  },
  { name: 'big-endian PCM, packet by packet', format: 'mov', args: words(`${avc} -bf 0 -g 15 -c:a pcm_s16be -ac 2`) },
  {
    name: 'parameter sets in the stream',
    format: 'mp4',
    args: words(`${avc} -bf 0 -g 12 ${aac} -ac 2 -bsf:v dump_extra=freq=keyframe -tag:v avc3`),
  },
  { name: 'HEVC with B-frames', format: 'mp4', args: words(`${hevc} -g 50 ${aac} -ac 2 -tag:v hvc1`) },
  {
    name: 'HEVC of a phone',
    format: 'mov',
    rate: 30,
    args: words(
      `${hevc}:bframes=0 -g 30 ${aac} -ac 2 -tag:v hvc1 -metadata:s:v rotate=180 -chunk_duration 1000000 -movflags +faststart`,
    ),
  },
  {
    name: 'two sound tracks',
    format: 'mp4',
    sounds: 2,
    args: words(`-map 0 -map 1 -map 2 ${avc} ${aac} -ac:a:0 2 -ac:a:1 1`),
  },
  {
    name: 'variable frame rate, late sound',
    format: 'mp4',
    rate: 30,
    args: [
      ...words(`-vf select=not(eq(mod(n\\,5)\\,3)) -vsync vfr ${avc} ${aac} -ac 2 -af adelay=120`),
      '-output_ts_offset',
      '0.2',
    ],
  },
  { name: 'mdat of 64 bits', format: 'mp4', args: words(`${avc} -bf 0 -g 25 ${aac} -ac 2`), finish: 'wide' },
  {
    name: 'camera of 360 degrees',
    format: 'insv',
    muxer: 'mp4',
    rate: 30,
    args: words(`${avc} -bf 0 -g 30 ${aac} -ac 2`),
    finish: 'insta360',
  },
  {
    name: 'MPEG-4 Part 2 with MP3',
    format: 'm4v',
    muxer: 'mp4',
    args: words('-c:v mpeg4 -q:v 4 -g 12 -c:a libmp3lame -b:a 96k'),
  },
  { name: 'Opus', format: 'mp4', args: words(`${avc} -bf 0 -g 25 -c:a libopus -b:a 64k -ac 2`) },
  {
    name: 'H.263 with AMR',
    format: '3gp',
    size: '176x144',
    rate: 15,
    sounds: 0,
    amr: true,
    args: words('-c:v h263 -q:v 5 -g 15 -c:a copy'),
  },
  {
    name: 'MPEG-4 Part 2 with AMR',
    format: '3gp',
    size: '176x144',
    rate: 15,
    sounds: 0,
    amr: true,
    args: words('-c:v mpeg4 -q:v 4 -g 15 -c:a copy -chunk_duration 1000000'),
  },
  {
    name: 'Motion JPEG with PCM',
    format: 'mov',
    args: words('-c:v mjpeg -q:v 6 -pix_fmt yuvj420p -c:a pcm_s16le -ac 1'),
  },
  {
    name: 'fragments by key frame',
    format: 'mp4',
    args: words(`${avc} -g 25 ${aac} -ac 2 -movflags frag_keyframe+empty_moov+default_base_moof`),
  },
  {
    name: 'fragments with offsets',
    format: 'mp4',
    args: words(`${avc} -bf 0 -g 12 ${aac} -ac 2 -movflags frag_keyframe+empty_moov`),
  },
];

const others: Omit<VideoLayout, 'group'>[] = [
  { name: 'Matroska, H.264 and AAC', format: 'mkv', args: words(`${avc} -g 50 ${aac} -ac 2`) },
  { name: 'Matroska, HEVC and Opus', format: 'mkv', args: words(`${hevc} -g 25 -c:a libopus -b:a 64k -ac 2`) },
  {
    name: 'AVI, MPEG-4 Part 2 and MP3',
    format: 'avi',
    args: words('-c:v mpeg4 -q:v 4 -g 12 -c:a libmp3lame -b:a 96k'),
  },
  {
    name: 'AVI, Motion JPEG and PCM',
    format: 'avi',
    args: words('-c:v mjpeg -q:v 6 -pix_fmt yuvj420p -c:a pcm_s16le -ac 1'),
  },
  { name: 'FLV, H.264 and AAC', format: 'flv', args: words(`${avc} -g 50 ${aac} -ac 2`) },
  { name: 'MTS, H.264 and AAC', format: 'mts', muxer: 'mpegts', args: words(`${avc} -g 25 ${aac} -ac 2`) },
  { name: 'M2TS, H.264 and AC-3', format: 'm2ts', args: words(`${avc} -g 25 -c:a ac3 -b:a 128k -ac 2`) },
  { name: 'MXF, MPEG-2 and PCM', format: 'mxf', args: words('-c:v mpeg2video -q:v 5 -g 12 -c:a pcm_s16le -ac 1') },
];

/** All layouts of the bench. */
export const videoLayouts: VideoLayout[] = [
  ...iso.map((layout) => ({ ...layout, group: 'MP4/MOV/M4V/3GP/INSV' })),
  ...others.map((layout) => ({ ...layout, group: 'MKV/AVI/FLV/TS/M2TS/MXF' })),
];
