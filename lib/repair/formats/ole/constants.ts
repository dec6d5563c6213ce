import { Buffer } from '../../host/bytes';
/** The first eight bytes of every compound file ([MS-CFB] 2.2). */
export const oleSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Special entries of the allocation table (2.1). */
export const special = { free: -1, end: -2, table: -3, list: -4 } as const;

/** Types of directory entries (2.6.1). */
export const entryTypes = { storage: 1, stream: 2, root: 5 } as const;

/** Streams below this size live in the short-sector stream (2.2). */
export const shortLimit = 4096;

/** Whether a file begins as a compound file, by the first four bytes: enough where its content says that it is a document. */
export const wrapsDocument = (bytes: Uint8Array): boolean =>
  oleSignature.subarray(0, 4).every((byte, at) => bytes[at] === byte);

/** Sectors of the allocation table that the header itself lists, from byte 76 on ([MS-CFB] 2.2). */
export const listedInHeader = 109;

/** Characters of a name in the directory (2.6.1). */
export const longestName = 31;
