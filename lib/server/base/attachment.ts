import 'server-only';

/** A file that goes to a visitor as an attachment: on the disk, or made in memory. `name` is what they see; it may hold any character. */
export type Attachment = { name: string; contentType: string; cacheControl: string } & (
  | { path: string }
  | { bytes: Uint8Array }
);
