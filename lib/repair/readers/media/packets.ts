import { mediaSource } from '../../host/media';

/** Packets per track as a second, independent reader (mediabunny) sees them, in the file's order; null when it cannot read the file. */
export async function countPackets(path: string, left: () => void): Promise<{ video: number; sound: number } | null> {
  // Photos and documents do without it.
  const { ALL_FORMATS, EncodedPacketSink, Input } = await import('mediabunny');
  const input = new Input({ formats: ALL_FORMATS, source: await mediaSource(path) });
  try {
    const seen = { video: 0, sound: 0 };
    for (const track of await input.getTracks()) {
      const sink = new EncodedPacketSink(track);
      let packet = await sink.getFirstPacket({ metadataOnly: true });
      let count = 0;
      while (packet) {
        count++;
        if (count % 256 === 0) left();
        packet = await sink.getNextPacket(packet, { metadataOnly: true });
      }
      if (track.isVideoTrack()) seen.video += count;
      else seen.sound += count;
    }
    return seen;
  } catch {
    left();
    return null;
  } finally {
    input.dispose();
  }
}
