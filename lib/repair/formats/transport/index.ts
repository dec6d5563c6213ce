import { isTransportStream } from '../../detect/transport';
import { withPiecesBack } from '../../families/exchanged';
import { type VideoFormat, video } from '../../families/video';
import { Buffer } from '../../host/bytes';
import { beginsAs } from '../foreign';
import { type Layout, layouts } from '../table';
import { examineTransport, type TransportParts } from './examine';
import { findMoved } from './exchanged';
import { measureTransport } from './measure';
import { rebuildTransport, verifyTransport } from './rebuild';

/** Bytes of a packet with a time code before it (BDAV). */
const timedPacket = 192;

/** MPEG-2 transport streams, with packets of 188 bytes, of cameras and discs 192, and of broadcasts 204. */
export const transport: VideoFormat<TransportParts> = {
  ids: ['mts', 'm2ts'],
  family: video,
  recognise: (head, claimed) => {
    // Their rhythm is weaker proof than the first bytes of another format.
    if (Object.keys(layouts).some((layout) => beginsAs(layout as Layout, head))) return null;
    const packet = isTransportStream(Buffer.from(head.buffer, head.byteOffset, head.length));
    if (packet === 0) return null;
    return claimed === 'm2ts' || (packet === timedPacket && claimed !== 'mts') ? 'm2ts' : 'mts';
  },
  examine: withPiecesBack(examineTransport, findMoved),
  rebuild: rebuildTransport,
  verify: verifyTransport,
  measure: measureTransport,
};
