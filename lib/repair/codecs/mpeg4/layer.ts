import { Buffer } from '../../host/bytes';
import { BitWriter } from '../bitwriter';

/**
 * What a video object layer says (ISO/IEC 14496-2, 6.2.3): ticks of its clock a second, size in pixels, whether planes lie between others, and
 * whether markers part them into packets.
 */
export type Layer = { resolution: number; width: number; height: number; isReordered: boolean; hasPackets: boolean };

/** video_object_type_indication of simple pictures, and of those with planes between others (table 6-10). */
const objectTypes = { simple: 1, advanced: 17 } as const;

/** Writes the headers of a stream of rectangular pictures in 4:2:0, in frames, with the quantisers of H.263, as most encoders have it. */
export function writeLayer({ resolution, width, height, isReordered, hasPackets }: Layer): Buffer {
  const bits = new BitWriter()
    .put(1, 0)
    .put(8, isReordered ? objectTypes.advanced : objectTypes.simple)
    .put(1, 0)
    // Square pixels; vol_control_parameters with 4:2:0 and low_delay.
    .put(4, 1)
    .put(1, 1)
    .put(2, 1)
    .flag(!isReordered)
    .put(1, 0)
    // A rectangle, and the clock without a fixed rate.
    .put(2, 0)
    .put(1, 1)
    .put(16, resolution)
    .put(1, 1)
    .put(1, 0)
    .put(1, 1)
    .put(13, width)
    .put(1, 1)
    .put(13, height)
    .put(1, 1);
  // Not interlaced, no overlapped motion compensation, no sprite, eight bits, no matrices; neither estimation, resync markers nor parts.
  bits.put(1, 0).put(1, 1).put(1, 0).put(1, 0).put(1, 0).put(1, 1).flag(!hasPackets).put(1, 0).put(1, 0);
  return Buffer.concat([Buffer.from([0, 0, 1, 0, 0, 0, 1, 0x20]), bits.filled()]);
}
