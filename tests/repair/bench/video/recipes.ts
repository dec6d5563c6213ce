import { generalRecipes, type Recipe, textModeRecipes } from '../../support/damage';
import { randomBytes } from '../../support/random';

/** The boxes of a file's top level: type, offset and size in bytes. */
function topBoxes(bytes: Buffer): { type: string; at: number; size: number; body: number }[] {
  const boxes: { type: string; at: number; size: number; body: number }[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const wide = bytes.readUInt32BE(at) === 1;
    const size = wide ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length || !/^[a-z]{4}$/.test(type)) break;
    boxes.push({ type, at, size, body: at + (wide ? 16 : 8) });
    at += size;
  }
  return boxes;
}

const topBox = (bytes: Buffer, type: string) => topBoxes(bytes).find((box) => box.type === type);

function patched(bytes: Buffer, at: number, patch: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  patch.copy(copy, at, 0, Math.min(patch.length, copy.length - at));
  return copy;
}

const removed = (bytes: Buffer, at: number, count: number) =>
  Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);
const inserted = (bytes: Buffer, at: number, more: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);

/** Does something with the moov box; null for files without one, or whose index is spread over fragments. */
function onIndex(
  change: (bytes: Buffer, at: number, size: number, random: () => number) => Buffer | null,
): Recipe['apply'] {
  return (bytes, random) => {
    const moov = topBox(bytes, 'moov');
    return moov && !topBox(bytes, 'moof') ? change(bytes, moov.at, moov.size, random) : null;
  };
}

/** Does something inside the media data: `place` gives an offset in it. */
function onData(change: (bytes: Buffer, place: () => number, random: () => number) => Buffer): Recipe['apply'] {
  return (bytes, random) => {
    const data = topBoxes(bytes).filter((box) => box.type === 'mdat');
    const longest = data.sort((left, right) => right.size - left.size)[0];
    if (!longest) return null;
    return change(bytes, () => Math.floor(longest.body + (longest.size - 600) * (0.1 + 0.8 * random())), random);
  };
}

/** Zeroes the content of every box of a type inside moov. */
function emptied(type: string): Recipe['apply'] {
  return onIndex((bytes, at, size) => {
    const copy = Buffer.from(bytes);
    let hits = 0;
    for (
      let hit = copy.indexOf(type, at, 'latin1');
      hit >= 0 && hit < at + size;
      hit = copy.indexOf(type, hit + 4, 'latin1')
    ) {
      const length = copy.readUInt32BE(hit - 4);
      if (hit - 4 + length > copy.length) continue;
      copy.fill(0, hit - 4, hit - 4 + length);
      hits++;
    }
    return hits > 0 ? copy : null;
  });
}

/** Changes every chunk offset in stco. */
function offsets(change: (offset: number, random: () => number) => number): Recipe['apply'] {
  return onIndex((bytes, at, size, random) => {
    const copy = Buffer.from(bytes);
    for (
      let hit = copy.indexOf('stco', at, 'latin1');
      hit >= 0 && hit < at + size;
      hit = copy.indexOf('stco', hit + 4, 'latin1')
    ) {
      const count = copy.readUInt32BE(hit + 8);
      for (let index = 0; index < count; index++) {
        const place = hit + 12 + index * 4;
        copy.writeUInt32BE(change(copy.readUInt32BE(place), random) >>> 0, place);
      }
    }
    return copy;
  });
}

/** Damage of the MP4 family: to index, box structure, media data and fragments. */
const isoRecipes: Recipe[] = [
  {
    name: 'recording stopped: no index, open mdat',
    apply: onIndex((bytes, at) => {
      const mdat = topBox(bytes, 'mdat');
      if (!mdat || mdat.at > at) return null;
      const copy = Buffer.from(bytes.subarray(0, at));
      // Writers fill in the size when they close the file.
      if (mdat.body === mdat.at + 8) copy.writeUInt32BE(0, mdat.at);
      return copy;
    }),
  },
  { name: 'index zeroed', apply: onIndex((bytes, at, size) => patched(bytes, at, Buffer.alloc(size))) },
  {
    name: 'index overwritten',
    apply: onIndex((bytes, at, size, random) => patched(bytes, at, randomBytes(random, size))),
  },
  {
    name: 'index and head of mdat gone',
    apply: onIndex((bytes, at, size) => {
      const mdat = topBox(bytes, 'mdat');
      return mdat && mdat.at < at
        ? bytes.subarray(mdat.body, at)
        : mdat
          ? bytes.subarray(Math.max(mdat.body, at + size))
          : null;
    }),
  },
  {
    name: 'mdat header zeroed',
    apply: onIndex((bytes) => {
      const mdat = topBox(bytes, 'mdat');
      return mdat ? patched(bytes, mdat.at, Buffer.alloc(mdat.body - mdat.at)) : null;
    }),
  },
  {
    name: 'ftyp lost',
    apply: (bytes) => (topBox(bytes, 'ftyp')?.at === 0 ? bytes.subarray(bytes.readUInt32BE(0)) : null),
  },
  {
    name: 'sizes inside index wrong',
    apply: onIndex((bytes, at, size, random) => {
      const copy = Buffer.from(bytes);
      for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl'])
        for (
          let hit = copy.indexOf(type, at, 'latin1');
          hit >= 0 && hit < at + size;
          hit = copy.indexOf(type, hit + 4, 'latin1')
        )
          copy.writeUInt32BE(Math.floor(random() * 100_000), hit - 4);
      return copy;
    }),
  },
  {
    name: 'half of index overwritten',
    apply: onIndex((bytes, at, size, random) => patched(bytes, at + (size >> 1), randomBytes(random, size >> 1))),
  },
  {
    name: '200 bytes of index overwritten',
    apply: onIndex((bytes, at, size, random) =>
      patched(bytes, at + Math.floor(random() * (size - 200)), randomBytes(random, 200)),
    ),
  },
  ...['stsz', 'stco', 'stsc', 'stts', 'stsd'].map((type) => ({ name: `${type} zeroed`, apply: emptied(type) })),
  { name: 'chunk offsets shifted', apply: offsets((offset) => offset + 4096) },
  { name: 'chunk offsets random', apply: offsets((_offset, random) => Math.floor(random() * 0xffffffff)) },
  { name: '3 bytes lost in data', apply: onData((bytes, place) => removed(bytes, place(), 3)) },
  { name: '500 bytes lost in data', apply: onData((bytes, place) => removed(bytes, place(), 500)) },
  {
    name: '50 bytes added in data',
    apply: onData((bytes, place, random) => inserted(bytes, place(), randomBytes(random, 50))),
  },
  {
    name: 'noise in data',
    apply: onData((bytes, place, random) =>
      [1, 2, 3].reduce((result) => patched(result, place(), randomBytes(random, 400)), bytes),
    ),
  },
  { name: 'zeros in data', apply: onData((bytes, place) => patched(bytes, place(), Buffer.alloc(500))) },
  {
    name: 'index gone, bytes lost in data',
    apply: (bytes, random) => {
      const moov = topBox(bytes, 'moov');
      const mdat = topBox(bytes, 'mdat');
      if (!moov || !mdat || topBox(bytes, 'moof')) return null;
      const place = Math.floor(mdat.body + mdat.size * (0.2 + 0.6 * random()));
      return removed(patched(bytes, moov.at, Buffer.alloc(moov.size)), place, 300);
    },
  },
  {
    name: 'a moof damaged',
    apply: (bytes, random) => {
      const moofs = topBoxes(bytes).filter((box) => box.type === 'moof');
      const one = moofs[Math.floor(random() * moofs.length)];
      return one ? patched(bytes, one.at + 8 + Math.floor(random() * 40), randomBytes(random, 60)) : null;
    },
  },
  {
    name: 'a fragment lost in part',
    apply: (bytes, random) => {
      const moofs = topBoxes(bytes).filter((box) => box.type === 'moof');
      const one = moofs[Math.floor(random() * moofs.length)];
      return one ? removed(bytes, one.at + 20, one.size + 200) : null;
    },
  },
  {
    name: 'moov of fragments zeroed',
    apply: (bytes) => {
      const moov = topBox(bytes, 'moov');
      return moov && topBox(bytes, 'moof') ? patched(bytes, moov.at, Buffer.alloc(moov.size)) : null;
    },
  },
];

function everyPacket(step: number, change: (packet: Buffer, random: () => number) => void): Recipe['apply'] {
  return (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let at = 0; at + step <= copy.length; at += step) change(copy.subarray(at + step - 188, at + step), random);
    return copy;
  };
}

/** Damage of single containers among the others. */
const special: Record<string, Recipe[]> = {
  avi: [
    { name: 'index of AVI lost', apply: (bytes) => bytes.subarray(0, bytes.lastIndexOf('idx1', undefined, 'latin1')) },
    {
      name: 'header list of AVI zeroed',
      apply: (bytes) => patched(bytes, 12, Buffer.alloc(bytes.indexOf('movi', 0, 'latin1') - 20)),
    },
  ],
  mkv: [
    { name: 'head of Matroska zeroed', apply: (bytes) => patched(bytes, 0, Buffer.alloc(40)) },
    {
      name: 'half of Matroska’s tracks zeroed',
      apply: (bytes) => patched(bytes, bytes.indexOf(Buffer.from('1654ae6b', 'hex')), Buffer.alloc(40)),
    },
  ],
  flv: [
    {
      name: 'times of FLV zeroed',
      apply: (bytes) => {
        const copy = Buffer.from(bytes);
        for (let at = 13; at + 11 < copy.length; at += 15 + copy.readUIntBE(at + 1, 3)) copy.fill(0, at + 4, at + 8);
        return copy;
      },
    },
  ],
  mts: [
    {
      name: '30 % of sync bytes lost',
      apply: everyPacket(188, (packet, random) => random() < 0.3 && packet.fill(0, 0, 1)),
    },
    {
      name: 'tables of the stream lost',
      apply: everyPacket(188, (packet) => (packet.readUInt16BE(1) & 0x1fff) % 0x1000 === 0 && packet.fill(0)),
    },
  ],
  m2ts: [
    {
      name: '30 % of sync bytes lost',
      apply: everyPacket(192, (packet, random) => random() < 0.3 && packet.fill(0, 0, 1)),
    },
  ],
  mxf: [{ name: 'header of MXF lost', apply: (bytes) => patched(bytes, 0, Buffer.alloc(1024)) }],
};

/** Damage of any video: cut, overwritten at the head, junk before, sent in text mode. */
const anyVideo: Recipe[] = [
  ...[0.9, 0.7, 0.5, 0.3].map((share) => ({
    name: `truncated to ${share * 100} %`,
    apply: (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share)),
  })),
  ...generalRecipes.filter(({ name }) => /^(head of|junk of)/.test(name)),
  { name: 'head of 4096 bytes random', apply: (bytes, random) => patched(bytes, 0, randomBytes(random, 4096)) },
  ...textModeRecipes.filter(({ name }) => name === 'LF became CRLF'),
];

const isoFormats = /^(mp4|mov|m4v|3gp|insv)$/;

/** The kinds of damage that fit a video format. */
export function videoRecipes(format: string): Recipe[] {
  if (isoFormats.test(format)) return [...anyVideo, ...isoRecipes];
  const inside = generalRecipes.filter(({ name }) => /^(20 bytes|block of|gap of)/.test(name));
  return [...anyVideo, ...inside, ...(special[format] ?? [])];
}
