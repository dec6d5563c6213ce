import { randomBytes } from '../../support/random';

/** Damage as media and transfers do it, by sectors and streams rather than by what a format is made of; nothing is tuned on it. */
export type Stray = { name: string; apply: (bytes: Buffer, random: () => number, other: Buffer) => Buffer };

/** Bytes of a sector, and of a cluster, of the media that files are kept on. */
const sector = 512;
const cluster = 4096;

const pick = (random: () => number, most: number) => Math.floor(random() * most);

/** Changes some pieces of `size` bytes at their own boundaries, `share` of them but at least one. */
function pieces(
  size: number,
  share: number,
  change: (piece: Buffer, random: () => number, index: number) => void,
): Stray['apply'] {
  return (bytes, random) => {
    const copy = Buffer.from(bytes);
    const all = Math.ceil(copy.length / size);
    const count = Math.max(1, Math.round(all * share));
    for (let done = 0; done < count; done++) {
      const at = pick(random, all) * size;
      change(copy.subarray(at, at + size), random, done);
    }
    return copy;
  };
}

const zero = (piece: Buffer) => void piece.fill(0);
const noise = (piece: Buffer, random: () => number) => void randomBytes(random, piece.length).copy(piece);

/** Exchanges two runs of clusters. */
const exchanged: Stray['apply'] = (bytes, random) => {
  const copy = Buffer.from(bytes);
  const all = Math.floor(copy.length / cluster);
  if (all < 4) return copy;
  const [first, second] = [pick(random, all), pick(random, all)].map((index) => index * cluster) as [number, number];
  const kept = Buffer.from(copy.subarray(first, first + cluster));
  copy.copyWithin(first, second, second + cluster);
  kept.copy(copy, second);
  return copy;
};

const http = 'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n\r\n';

export const strays: readonly Stray[] = [
  { name: 'a sector of zeros', apply: pieces(sector, 0, zero) },
  { name: 'a cluster of zeros', apply: pieces(cluster, 0, zero) },
  { name: 'a tenth of clusters zeros', apply: pieces(cluster, 0.1, zero) },
  { name: 'a cluster of noise', apply: pieces(cluster, 0, noise) },
  {
    name: 'clusters of another file',
    apply: (bytes, random, other) =>
      pieces(cluster, 0.05, (piece) => void other.copy(piece, 0, pick(random, Math.max(1, other.length - cluster))))(
        bytes,
        random,
        other,
      ),
  },
  { name: 'two clusters exchanged', apply: exchanged },
  {
    name: 'first cluster zeros',
    apply: (bytes) => Buffer.concat([Buffer.alloc(Math.min(cluster, bytes.length)), bytes.subarray(cluster)]),
  },
  { name: 'first 64 kB cut off', apply: (bytes) => bytes.subarray(Math.min(65_536, bytes.length >> 1)) },
  {
    name: 'last fifth zeros',
    apply: (bytes) =>
      Buffer.concat([bytes.subarray(0, Math.floor(bytes.length * 0.8)), Buffer.alloc(Math.ceil(bytes.length * 0.2))]),
  },
  {
    name: 'last cluster cut off',
    apply: (bytes) => bytes.subarray(0, Math.max(1, Math.floor((bytes.length - 1) / cluster) * cluster)),
  },
  {
    name: 'cut at a random place',
    apply: (bytes, random) => bytes.subarray(0, Math.max(100, Math.floor(bytes.length * (0.2 + random() * 0.75)))),
  },
  {
    name: 'a bit in 20,000 flipped',
    apply: (bytes, random) => {
      const copy = Buffer.from(bytes);
      const count = Math.max(1, Math.round((copy.length * 8) / 20_000));
      for (let done = 0; done < count; done++) {
        const at = pick(random, copy.length);
        copy[at] = (copy[at] ?? 0) ^ (1 << pick(random, 8));
      }
      return copy;
    },
  },
  {
    name: 'one bit flipped',
    apply: (bytes, random) => {
      const copy = Buffer.from(bytes);
      const at = pick(random, copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << pick(random, 8));
      return copy;
    },
  },
  {
    name: 'a packet of 1,460 bytes lost',
    apply: (bytes, random) => {
      const at = pick(random, Math.max(1, bytes.length - 1460));
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1460)]);
    },
  },
  {
    name: 'a packet of 1,460 bytes twice',
    apply: (bytes, random) => {
      const at = pick(random, Math.max(1, bytes.length - 1460));
      return Buffer.concat([bytes.subarray(0, at + 1460), bytes.subarray(at)]);
    },
  },
  { name: 'head of a transfer before it', apply: (bytes) => Buffer.concat([Buffer.from(http, 'latin1'), bytes]) },
  {
    name: 'rest of another file behind it',
    apply: (bytes, _, other) => Buffer.concat([bytes, other.subarray(other.length >> 1, (other.length >> 1) + 20_000)]),
  },
];
