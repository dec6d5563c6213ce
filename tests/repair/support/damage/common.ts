import { randomBytes, randomFrom } from '../random';

/** One kind of damage. `apply` returns null where the kind does not fit the file. */
export type Recipe = { name: string; apply: (bytes: Buffer, random: () => number) => Buffer | null };

export function overwrite(bytes: Buffer, at: number, patch: Buffer): Buffer {
  const result = Buffer.from(bytes);
  patch.copy(result, Math.max(0, at), 0, Math.min(patch.length, result.length - Math.max(0, at)));
  return result;
}

export function cut(bytes: Buffer, at: number, count: number): Buffer {
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);
}

function replaceAll(bytes: Buffer, find: Buffer, patch: Buffer): Buffer | null {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(find); at >= 0; at = bytes.indexOf(find, from)) {
    pieces.push(bytes.subarray(from, at), patch);
    from = at + find.length;
  }
  return from === 0 ? null : Buffer.concat([...pieces, bytes.subarray(from)]);
}

const somewhere = (bytes: Buffer, random: () => number, from = 0.2, to = 0.9) =>
  Math.floor(bytes.length * (from + random() * (to - from)));

/** Damage that any file can suffer: cut short, overwritten, with bytes lost or added, sent in text mode. */
export const generalRecipes: Recipe[] = [
  ...[0.95, 0.8, 0.6, 0.4].map((share) => ({
    name: `truncated to ${share * 100} %`,
    apply: (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share)),
  })),
  { name: 'head of 16 bytes zeroed', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(16)) },
  { name: 'head of 64 bytes random', apply: (bytes, random) => overwrite(bytes, 0, randomBytes(random, 64)) },
  { name: 'head of 512 bytes zeroed', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(512)) },
  { name: 'junk of 300 bytes before', apply: (bytes, random) => Buffer.concat([randomBytes(random, 300), bytes]) },
  { name: 'tail of 100 bytes zeroed', apply: (bytes) => overwrite(bytes, bytes.length - 100, Buffer.alloc(100)) },
  { name: '20 bytes flipped', apply: flip(20) },
  { name: '3 bytes flipped', apply: flip(3) },
  {
    name: 'block of 512 bytes random',
    apply: (bytes, random) => overwrite(bytes, somewhere(bytes, random), randomBytes(random, 512)),
  },
  {
    name: 'block of 512 bytes zeroed',
    apply: (bytes, random) => overwrite(bytes, somewhere(bytes, random), Buffer.alloc(512)),
  },
  { name: 'gap of 100 bytes', apply: (bytes, random) => cut(bytes, somewhere(bytes, random), 100) },
];

/** Line ends changed as by a transfer in text mode. */
export const textModeRecipes: Recipe[] = [
  { name: 'LF became CRLF', apply: (bytes) => replaceAll(bytes, Buffer.from('\n'), Buffer.from('\r\n')) },
  { name: 'CRLF became LF', apply: (bytes) => replaceAll(bytes, Buffer.from('\r\n'), Buffer.from('\n')) },
];

function flip(count: number): Recipe['apply'] {
  return (bytes, random) => {
    const result = Buffer.from(bytes);
    for (let index = 0; index < count; index++) {
      const at = somewhere(bytes, random, 0.02, 0.99);
      result[at] = (result[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    }
    return result;
  };
}

/** Overwrites every `find` with `patch` of the same length, from the `skip`th on. */
export function wipe(find: string, skip = 0, most = Number.POSITIVE_INFINITY): Recipe['apply'] {
  return (bytes) => {
    const result = Buffer.from(bytes);
    const needle = Buffer.from(find, 'latin1');
    let seen = 0;
    for (let at = result.indexOf(needle); at >= 0; at = result.indexOf(needle, at + needle.length)) {
      if (seen++ >= skip && seen - skip <= most) result.fill(0, at, at + needle.length);
    }
    return seen > skip ? result : null;
  };
}

/** Applies a recipe with the random numbers of `seed`. */
export function damaged(bytes: Buffer, recipe: Recipe, seed: number): Buffer | null {
  const result = recipe.apply(bytes, randomFrom(seed));
  return result && !result.equals(bytes) ? result : null;
}
