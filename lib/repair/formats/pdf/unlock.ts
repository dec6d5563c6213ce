import { byName } from '../../core/named';
import { Buffer } from '../../host/bytes';
import { decryptAes, encryptAes, type HashName, hashOf } from '../../host/ciphers';
import { stringBytes } from './lexer';
import type { PdfModel } from './model';
import { entriesOf, nameOf, numberOf, type PdfDictionary, type PdfObject } from './values';

/** Fills up passwords (ISO 32000-1, algorithm 2), of which the empty one consists. */
const filling = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
/** Makes keys for AES differ (algorithm 1). */
const salt = Buffer.from('sAlT', 'latin1');
/** Bytes of a block of AES. */
const block = 16;
const nothing = Buffer.alloc(0);
/** How often the key is hashed again from revision 3 on (algorithm 2), and how many keys prove the password (algorithm 5). */
const rounds = { key: 50, proof: 20 };
/** Rounds of the hash of revision 6 at least, and by how much its last byte must lie below their count (ISO 32000-2, algorithm 2.B). */
const hardened = { rounds: 64, below: 32 };
/** Bytes of the key of a file with AES of 256 bits, and of the string that proves its password: a hash, and two salts of 8 bytes (7.6.4.3.3). */
const longKey = 32;
const saltBytes = 8;
const proofBytes = longKey + 2 * saltBytes;

/** How streams are encrypted (ISO 32000-2, tables 20 and 25): AES with a key of 256 bits takes the key of the file, all else one for each object. */
type Method = 'none' | 'rc4' | 'aes' | 'aes256';

/** Reads streams of a document that opens without a password: only to see whether they are whole, as what is handed out stays encrypted. */
export type Unlocked = (object: PdfObject) => Buffer | null;

/** RC4 (ISO 32000-1, 7.6.2), which OpenSSL leaves to its legacy provider. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => {
    const kept = state[one] as number;
    state[one] = state[other] as number;
    state[other] = kept;
  };
  for (let at = 0, other = 0; at < 256; at++) {
    other = (other + (state[at] as number) + (key[at % key.length] as number)) & 255;
    swap(at, other);
  }
  const result = Buffer.alloc(data.length);
  for (let index = 0, at = 0, other = 0; index < data.length; index++) {
    at = (at + 1) & 255;
    other = (other + (state[at] as number)) & 255;
    swap(at, other);
    result[index] =
      (data[index] as number) ^ (state[((state[at] as number) + (state[other] as number)) & 255] as number);
  }
  return result;
}

/** What the dictionary of an encryption says (table 21). */
type Lock = {
  version: number;
  revision: number;
  keyBytes: number;
  permissions: number;
  owner: Buffer;
  user: Buffer;
  userKey: Buffer;
  coversMetadata: boolean;
};

function lockOf(dictionary: PdfDictionary): Lock | null {
  const text = (key: string) => {
    const value = dictionary.get(key);
    return value?.kind === 'string' ? stringBytes(value.raw) : nothing;
  };
  const number = (key: string) => numberOf(dictionary.get(key));
  const [version, revision, permissions] = [number('V'), number('R'), number('P')];
  if (nameOf(dictionary.get('Filter')) !== 'Standard' || version === null || revision === null || permissions === null)
    return null;
  const metadata = dictionary.get('EncryptMetadata');
  const bits = version === 4 ? 128 : (number('Length') ?? 40);
  return {
    version,
    revision,
    keyBytes: revision === 2 ? 5 : Math.min(16, Math.max(5, bits >> 3)),
    permissions,
    owner: text('O').subarray(0, 32),
    user: text('U'),
    userKey: text('UE'),
    coversMetadata: !(metadata?.kind === 'boolean' && !metadata.value),
  };
}

/** The key of the file for the empty password (algorithm 2), where it is the password (algorithms 4 to 6). */
function keyByMd5(lock: Lock, identifier: Buffer): Buffer | null {
  const { revision, keyBytes, owner, user, permissions, coversMetadata } = lock;
  const rights = Buffer.alloc(4);
  rights.writeInt32LE(permissions | 0);
  const open = revision >= 4 && !coversMetadata ? Buffer.alloc(4, 0xff) : nothing;
  let key = hashOf('md5', filling, owner, rights, identifier, open).subarray(0, keyBytes);
  if (revision === 2) return rc4(key, filling).equals(user.subarray(0, 32)) ? key : null;
  for (let turn = 0; turn < rounds.key; turn++) key = hashOf('md5', key).subarray(0, keyBytes);
  let proof = rc4(key, hashOf('md5', filling, identifier));
  for (let turn = 1; turn < rounds.proof; turn++)
    proof = rc4(
      key.map((byte) => byte ^ turn),
      proof,
    );
  return proof.equals(user.subarray(0, proof.length)) ? key : null;
}

const hashes: readonly HashName[] = ['sha256', 'sha384', 'sha512'];

/** Hash of the empty password (ISO 32000-2, algorithm 2.B), of revision 5 that of SHA-256 alone. */
function hardenedHash(revision: number, salted: Buffer): Buffer {
  let key = hashOf('sha256', salted);
  if (revision === 5) return key;
  for (let turn = 0, last = 0; turn < hardened.rounds || last > turn - hardened.below; turn++) {
    const again = Buffer.concat(Array.from({ length: hardened.rounds }, () => key));
    const locked = encryptAes(key.subarray(0, block), key.subarray(block, 2 * block), again);
    // 256 leaves 1 when divided by 3, so the digits of a number to that base can be added up.
    const rest = locked.subarray(0, block).reduce((sum, byte) => sum + byte, 0) % 3;
    key = hashOf(hashes[rest] as HashName, locked);
    last = locked.at(-1) ?? 0;
  }
  return key.subarray(0, longKey);
}

/** The key of the file for the empty password (ISO 32000-2, algorithm 2.A), where it is the password. */
function keyBySha2({ revision, user, userKey }: Lock): Buffer | null {
  if (user.length < proofBytes || userKey.length < longKey) return null;
  const isPassword = hardenedHash(revision, user.subarray(longKey, longKey + saltBytes)).equals(
    user.subarray(0, longKey),
  );
  if (!isPassword) return null;
  return decryptAes(
    hardenedHash(revision, user.subarray(longKey + saltBytes, proofBytes)),
    Buffer.alloc(block),
    userKey.subarray(0, longKey),
  );
}

/** The method of streams (7.6.5); null for one that is not known. */
function methodOf(dictionary: PdfDictionary, version: number): Method | null {
  if (version === 1 || version === 2) return 'rc4';
  if (version !== 4 && version !== 5) return null;
  const name = nameOf(dictionary.get('StmF')) ?? 'Identity';
  if (name === 'Identity') return 'none';
  const method = nameOf(entriesOf(entriesOf(dictionary.get('CF')).get(name)).get('CFM'));
  const methods: Readonly<Record<string, Method>> = byName({ None: 'none', V2: 'rc4', AESV2: 'aes', AESV3: 'aes256' });
  return methods[method ?? ''] ?? null;
}

/** A stream of AES: its first block is where the chain starts, and filling tells its end. */
function openAes(key: Buffer, data: Buffer): Buffer {
  const whole = data.length - (data.length % block);
  if (whole < 2 * block) return nothing;
  const plain = decryptAes(key, data.subarray(0, block), data.subarray(block, whole));
  const filled = plain.at(-1) ?? 0;
  return filled >= 1 && filled <= block ? plain.subarray(0, plain.length - filled) : plain;
}

/** Whether a stream is not encrypted: tables (7.5.8.2), what says so itself (7.4.10), and metadata where the document leaves them open. */
function isOpen({ value }: PdfObject, { coversMetadata }: Lock): boolean {
  const dictionary = entriesOf(value);
  const filter = dictionary.get('Filter');
  const first = nameOf(filter?.kind === 'array' ? filter.items[0] : filter);
  const type = nameOf(dictionary.get('Type'));
  return type === 'XRef' || first === 'Crypt' || (type === 'Metadata' && !coversMetadata);
}

/** A reader of the streams of an encrypted document; null where it asks for a password, or is locked in a way that is not known. */
export function unlock(model: PdfModel): Unlocked | null {
  const trailers = [...model.trailers].reverse();
  const newest = (key: string) => model.resolve(trailers.find((trailer) => trailer.has(key))?.get(key));
  const dictionary = entriesOf(newest('Encrypt'));
  const lock = lockOf(dictionary);
  const method = lock && methodOf(dictionary, lock.version);
  if (!lock || !method) return null;
  const identifiers = newest('ID');
  const first = identifiers?.kind === 'array' ? identifiers.items[0] : undefined;
  const identifier = first?.kind === 'string' ? stringBytes(first.raw) : nothing;
  const key = lock.version === 5 ? keyBySha2(lock) : keyByMd5(lock, identifier);
  if (!key) return null;
  return (object) => {
    const { stream, number, generation } = object;
    if (!stream || method === 'none' || isOpen(object, lock)) return stream;
    if (method === 'aes256') return openAes(key, stream);
    const place = Buffer.from([number, number >> 8, number >> 16, generation, generation >> 8]);
    const own = hashOf('md5', key, place, method === 'aes' ? salt : nothing).subarray(
      0,
      Math.min(block, key.length + 5),
    );
    return method === 'aes' ? openAes(own, stream) : rc4(own, stream);
  };
}
