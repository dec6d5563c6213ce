import type { VideoLayout } from '../video/layouts';

const words = (text: string) => text.split(' ');
const layout = (format: string, name: string, args: string, rest: Partial<VideoLayout> = {}): VideoLayout => ({
  name: `stray ${name}`,
  group: 'stray',
  format,
  args: words(args),
  ...rest,
});

/** Videos as other encoders and programs set them up than those that the engine was tuned on. */
export const strayLayouts: readonly VideoLayout[] = [
  layout(
    'mp4',
    'baseline, CAVLC, slices',
    '-c:v libx264 -profile:v baseline -slices 4 -g 60 -pix_fmt yuv420p -c:a aac -b:a 64k -ac 1 -ar 22050',
    { size: '352x288', rate: 24 },
  ),
  layout(
    'mp4',
    'slow preset, long groups',
    '-c:v libx264 -preset slow -g 250 -crf 28 -pix_fmt yuv420p -c:a aac -b:a 128k -ac 2 -movflags +faststart',
    { size: '426x240' },
  ),
  layout(
    'mp4',
    'interlaced',
    '-c:v libx264 -flags +ildct+ilme -x264opts tff=1 -g 15 -pix_fmt yuv420p -c:a aac -b:a 96k -ac 2',
    { size: '320x240' },
  ),
  layout('mov', 'all key frames, 10 bit', '-c:v libx264 -preset fast -g 1 -pix_fmt yuv422p10le -c:a pcm_s24le -ac 2', {
    size: '256x144',
  }),
  layout('mov', 'ALAC sound', '-c:v libx264 -preset veryfast -g 30 -pix_fmt yuv420p -c:a alac -ac 2'),
  layout(
    'mp4',
    'HEVC, main 10',
    '-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -x265-params log-level=error:keyint=40 -c:a aac -ac 2 -tag:v hvc1',
  ),
  layout('mp4', 'VP9 and Opus', '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 40 -c:a libopus -ac 2'),
  layout('mp4', 'no sound', '-an -c:v libx264 -preset superfast -g 40 -pix_fmt yuv420p', { size: '480x270' }),
  layout('m4v', 'Xvid with AAC', '-c:v mpeg4 -vtag mp4v -bf 2 -q:v 6 -g 30 -c:a aac -ac 2', { muxer: 'mp4' }),
  layout('mkv', 'VP8 and Vorbis', '-c:v libvpx -deadline realtime -cpu-used 8 -g 40 -c:a libvorbis -ac 2'),
  layout(
    'mkv',
    'H.264 and FLAC, cues in front',
    '-c:v libx264 -preset veryfast -g 40 -pix_fmt yuv420p -c:a flac -ac 2 -reserve_index_space 4096',
  ),
  layout(
    'mkv',
    'clusters of a second',
    '-c:v libx264 -preset veryfast -bf 3 -g 48 -pix_fmt yuv420p -c:a libmp3lame -ac 2 -cluster_time_limit 1000',
  ),
  layout('avi', 'Xvid, packed', '-c:v mpeg4 -vtag XVID -bf 1 -q:v 5 -g 40 -c:a ac3 -ac 2'),
  layout('avi', 'H.264 and MP3', '-c:v libx264 -bf 0 -preset veryfast -g 40 -pix_fmt yuv420p -c:a libmp3lame -ac 2'),
  layout('flv', 'Sorenson and MP3', '-c:v flv -q:v 5 -g 30 -c:a libmp3lame -ar 44100 -ac 2'),
  layout('flv', 'H.264, no B-frames', '-c:v libx264 -bf 0 -preset ultrafast -g 60 -pix_fmt yuv420p -c:a aac -ac 1'),
  layout('mts', 'MPEG-2 and MP2', '-c:v mpeg2video -q:v 5 -g 15 -c:a mp2 -ac 2', { muxer: 'mpegts' }),
  layout(
    'm2ts',
    'HEVC and AAC',
    '-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params log-level=error:keyint=30 -c:a aac -ac 2',
    { muxer: 'mpegts' },
  ),
  layout(
    'mxf',
    'MPEG-2 4:2:2, two sounds',
    '-map 0 -map 1 -map 2 -c:v mpeg2video -pix_fmt yuv422p -q:v 4 -g 12 -c:a pcm_s24le -ac 1',
    { sounds: 2 },
  ),
  layout('mxf', 'H.264 intra', '-c:v libx264 -g 1 -preset veryfast -pix_fmt yuv420p -c:a pcm_s16le -ac 1'),
];
