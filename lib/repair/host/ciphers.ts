import type { Buffer } from 'node:buffer';
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

/** Hashes that documents are locked with: MD5 (RFC 1321) and those of SHA-2 (FIPS 180-4). */
export type HashName = 'md5' | 'sha256' | 'sha384' | 'sha512';

export function hashOf(name: HashName, ...parts: Uint8Array[]): Buffer {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const modeFor = (key: Uint8Array) => `aes-${key.length * 8}-cbc`;

/** AES in chains of blocks (FIPS 197; SP 800-38A, 6.2), without filling: `data` is whole blocks of 16 bytes, keys have 16 or 32 bytes. */
export function encryptAes(key: Uint8Array, start: Uint8Array, data: Uint8Array): Buffer {
  return createCipheriv(modeFor(key), key, start).setAutoPadding(false).update(data);
}

/** The way back from `encryptAes`. */
export function decryptAes(key: Uint8Array, start: Uint8Array, data: Uint8Array): Buffer {
  return createDecipheriv(modeFor(key), key, start).setAutoPadding(false).update(data);
}
