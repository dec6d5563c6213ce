import type { Buffer } from '../host/bytes';

/** Bytes of packets: alone, with a time code before each (BDAV), and with the check bytes of a broadcast behind each (ETSI EN 300 421, 4.4.2). */
export const packetSteps = [188, 192, 204];

/** Packet length of an MPEG transport stream (ISO/IEC 13818-1), one of `packetSteps`, or 0 when it is none. Tolerates lost sync bytes. */
export function isTransportStream(bytes: Buffer): number {
  const span = Math.min(bytes.length, 192 * 400);
  for (const packet of packetSteps) {
    const packets = Math.floor(span / packet);
    if (packets < 5) continue;
    for (let phase = 0; phase < packet; phase++) {
      let hits = 0;
      for (let at = phase; at < span; at += packet) if (bytes[at] === 0x47) hits++;
      if (hits >= packets * 0.6) return packet;
    }
  }
  return 0;
}
