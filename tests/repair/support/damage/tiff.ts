import { randomBytes } from '../random';
import { overwrite, type Recipe } from './common';

type View = {
  u16: (at: number) => number;
  u32: (at: number) => number;
  put: (target: Buffer, value: number, at: number, size: number) => void;
};

function view(bytes: Buffer): View {
  const little = bytes[0] === 0x49;
  return {
    u16: (at) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
    u32: (at) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)),
    put: (target, value, at, size) => {
      if (size === 2) little ? target.writeUInt16LE(value, at) : target.writeUInt16BE(value, at);
      else little ? target.writeUInt32LE(value, at) : target.writeUInt32BE(value, at);
    },
  };
}

/** Changes the value of a field of the first directory (TIFF 6.0, section 2); null where the file has no such field. */
function field(
  tags: readonly number[],
  change: (old: number, place: { at: number; size: number; count: number }, target: Buffer, to: View) => void,
): Recipe['apply'] {
  return (bytes) => {
    const to = view(bytes);
    const start = to.u32(4);
    const result = Buffer.from(bytes);
    let hits = 0;
    for (let index = 0; index < to.u16(start); index++) {
      const at = start + 2 + index * 12;
      if (!tags.includes(to.u16(at))) continue;
      const size = to.u16(at + 2) === 3 ? 2 : 4;
      const count = to.u32(at + 4);
      const place = count * size <= 4 ? at + 8 : to.u32(at + 8);
      change(size === 2 ? to.u16(place) : to.u32(place), { at: place, size, count }, result, to);
      hits++;
    }
    return hits > 0 ? result : null;
  };
}

const setTo = (tags: readonly number[], value: (old: number) => number): Recipe['apply'] =>
  field(tags, (old, { at, size }, target, to) => to.put(target, value(old), at, size));

/** Damage of TIFF files. */
export const tiffRecipes: Recipe[] = [
  { name: 'byte order wiped', apply: (bytes) => overwrite(bytes, 0, Buffer.alloc(4)) },
  {
    name: 'byte order swapped',
    apply: (bytes) => overwrite(bytes, 0, Buffer.from(bytes[0] === 0x49 ? 'MM' : 'II', 'latin1')),
  },
  { name: 'directory offset wrong', apply: (bytes) => overwrite(bytes, 4, Buffer.from([7, 7, 7, 7])) },
  {
    name: 'directory wiped',
    apply: (bytes) => {
      const { u16, u32 } = view(bytes);
      return overwrite(bytes, u32(4), Buffer.alloc(2 + u16(u32(4)) * 12 + 4));
    },
  },
  {
    name: 'directory half overwritten',
    apply: (bytes, random) => {
      const { u16, u32 } = view(bytes);
      return overwrite(bytes, u32(4) + 2 + Math.floor(random() * 6) * 12, randomBytes(random, u16(u32(4)) * 6));
    },
  },
  { name: 'compression wrong', apply: setTo([259], (old) => (old === 1 ? 5 : 1)) },
  { name: 'photometric wrong', apply: setTo([262], () => 77) },
  { name: 'bits wrong', apply: setTo([258], (old) => (old === 8 ? 16 : 8)) },
  { name: 'samples wrong', apply: setTo([277], (old) => (old === 3 ? 1 : 3)) },
  { name: 'rows per strip wrong', apply: setTo([278], (old) => old + 5) },
  { name: 'width wrong', apply: setTo([256], (old) => old + 13) },
  { name: 'height wrong', apply: setTo([257], (old) => old * 3) },
  {
    name: 'places of data wrong',
    apply: field([273, 324], (_, { at, size, count }, target, to) => {
      for (let index = 0; index < count; index++) to.put(target, 77, at + index * size, size);
    }),
  },
  {
    name: 'lengths of data wrong',
    apply: field([279, 325], (_, { at, size, count }, target) => target.fill(0, at, at + count * size)),
  },
];
