import { Buffer } from '../../host/bytes';

/** What a picture begins with: SOI, and the first byte of the marker behind it (ISO/IEC 10918-1, B.1.1.3). */
export const startOfImage = Buffer.from([0xff, 0xd8, 0xff]);
/** What a picture ends with: EOI. */
export const endOfImage = Buffer.from([0xff, 0xd9]);
/** The marker of a progressive frame, SOF2 (ISO/IEC 10918-1, table B.1). */
export const progressive = 0xc2;
