import type { Buffer } from '../host/bytes';
/** Packet length of an MPEG transport stream (ISO/IEC 13818-1): 188, 192 with time codes, or 0 when it is none. Tolerates lost sync bytes. */
export function isTransportStream(bytes: Buffer): number {
  const span = Math.min(bytes.length, 192 * 400);
  for (const packet of [188, 192]) {
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
