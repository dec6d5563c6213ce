import { decodedAs } from '../../readers/media';

/** Decodes a file by ffmpeg, and counts its frames and pieces of sound. */
export const measureTransport = decodedAs('mts');
