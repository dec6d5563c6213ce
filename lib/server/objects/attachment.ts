import 'server-only';
import type { ObjectKey } from './port';

/** A file that goes to a visitor as an attachment: an object of the store, or made in memory. `name` is what they see; it may hold any character. */
export type Attachment = { name: string; contentType: string; cacheControl: string } & (
  | { object: ObjectKey }
  | { bytes: Uint8Array }
);
