import type { TiffField } from '../../report/facts/photo';
import { bytesOf, type Field, isInEntry, scheme, sizesOf, space, type TiffBytes, tag } from './directory';

/** An entry of a directory as it stands, and where. */
export type Entry = Field & { place: number };

/** SHORT (TIFF 6.0, section 2). */
const short = 3;
/** Strips or tiles of which at least so many have to agree on where the others are. */
const leastPlaces = 3;
const leastAgreed = 0.6;
const mostPlaces = 20_000;
/** Bits of a sample that are looked for. */
const depths = [1, 2, 4, 8, 16, 32] as const;
/** Colours of a pixel, and samples of one at most (TIFF 6.0, section 6 and 18). */
const threeColours = 3;
const mostSamples = 8;

/** The numbers of a page that only all of them together tell. */
class Numbers {
  readonly tiff: TiffBytes;
  readonly entries: readonly Entry[];

  constructor(tiff: TiffBytes, entries: readonly Entry[]) {
    this.tiff = tiff;
    this.entries = entries;
  }

  find(number: number): Entry | undefined {
    return this.entries.find((entry) => entry.tag === number);
  }

  one(number: number, fallback: number): number {
    return this.tiff.values(this.find(number), 1)[0] ?? fallback;
  }

  list(number: number): number[] {
    return this.tiff.values(this.find(number), mostPlaces);
  }

  get samples(): number {
    return this.one(tag.samples, 1);
  }

  /** The bits of each sample, all alike. */
  get depth(): number {
    const depths = this.list(tag.depth).slice(0, mostSamples);
    return depths.every((depth) => depth === depths[0]) ? (depths[0] ?? 1) : 0;
  }

  /** Writes one value of a field in its own type; whether it fits into that. */
  write(field: Field, index: number, value: number): boolean {
    const size = bytesOf({ type: field.type, count: 1 });
    const at = field.at + index * size;
    if (size < 1 || value >= 256 ** Math.min(size, 6) || at + size > this.tiff.bytes.length) return false;
    this.tiff.bytes.fill(0, at, at + size);
    const bytes = Math.min(size, 6);
    if (this.tiff.little) this.tiff.bytes.writeUIntLE(value, at, bytes);
    else this.tiff.bytes.writeUIntBE(value, at + size - bytes, bytes);
    return true;
  }
}

/**
 * Sets right, in a copy of the file, what in a directory only its other fields tell: places of strips and tiles that stand one behind the
 * other, lists that are cut short, sizes of plain pictures by the bytes of their strips, and kinds of colours that have no data of theirs
 * (TIFF 6.0, section 3 to 8 and 21). Returns which fields those were. What comes out is believed only where it opens and is whole.
 */
export function setByOthers(tiff: TiffBytes, entries: readonly Entry[]): TiffField[] {
  const page = new Numbers(tiff, entries);
  const found = new Set<TiffField>();
  const typed = mendedType(page);
  if (typed) found.add(typed);
  const [offsets, counts] = [
    page.find(tag.stripOffsets) ?? page.find(tag.tileOffsets),
    page.find(tag.stripCounts) ?? page.find(tag.tileCounts),
  ];
  if (Math.max(offsets?.count ?? 0, counts?.count ?? 0) > mostPlaces) return [...found];
  if (offsets && counts) {
    if (arePlanesMended(page, offsets)) found.add('samples');
    if (isListMended(page, offsets, counts)) found.add('places');
    if (arePlacesMended(page, offsets, counts) || isBlockMended(page, offsets, counts)) found.add('places');
  }
  if (areCountsMended(page)) found.add('places');
  const size = mendedSize(page);
  if (size) found.add(size);
  if (isSpaceMended(page)) found.add('photometric');
  return [...found];
}

/** How many values fields of SHORT have that say something of each sample or colour (TIFF 6.0, section 5, 8 and 19). */
const shorts: readonly { number: number; counts: (page: Numbers) => readonly number[] }[] = [
  { number: tag.depth, counts: ({ samples }) => [samples, 1] },
  { number: tag.palette, counts: ({ depth }) => [threeColours * 2 ** Math.min(depth, 16)] },
  { number: tag.sampleFormat, counts: ({ samples }) => [samples, 1] },
];

/** Gives fields of each sample or colour their type and number of values; the first that did not have them. */
function mendedType(page: Numbers): TiffField | null {
  for (const { number, counts } of shorts) {
    const entry = page.find(number);
    const [most = 0, least = most] = counts(page);
    if (!entry || most < 1 || (entry.type === short && [most, least].includes(entry.count))) continue;
    if (!setShorts(page, entry, entry.count === least ? least : most)) return null;
    return number === tag.depth ? 'depth' : number === tag.palette ? 'colours' : 'samples';
  }
  return null;
}

function setShorts({ tiff }: Numbers, entry: Entry, count: number): boolean {
  const field = { type: short, count };
  const own = entry.place + 4 + sizesOf(tiff.isBig).place;
  const at = isInEntry(field, tiff.isBig) ? own : tiff.place(own);
  const values = tiff.values({ ...field, tag: entry.tag, at });
  if (values.length !== count || at < sizesOf(tiff.isBig).head) return false;
  if (entry.tag === tag.depth && values.some((value) => value !== values[0] || !depths.some((one) => one === value)))
    return false;
  write16(tiff, entry.place + 2, short);
  writeCount(tiff, entry, count);
  Object.assign(entry, { ...field, at });
  return true;
}

/** PlanarConfiguration: samples side by side, or each in strips of its own (TIFF 6.0, section 8). */
const stored = { together: 1, apart: 2 } as const;

/** How many strips or tiles a page has by its size, those of one sample where samples are apart; null where that is not told. */
function placesOfOne(page: Numbers): number | null {
  const [width, height] = [page.one(tag.width, 0), page.one(tag.height, 0)];
  const [across, down] = [page.one(tag.tileWidth, 0), page.one(tag.tileHeight, 0)];
  if (page.find(tag.tileOffsets))
    return across > 0 && down > 0 ? Math.ceil(width / across) * Math.ceil(height / down) : null;
  const rows = page.one(tag.rowsPerStrip, height);
  return rows > 0 ? Math.ceil(height / Math.min(rows, height)) : null;
}

/** How many strips or tiles a page has; null where that is not told. */
function wantedPlaces(page: Numbers): number | null {
  const one = placesOfOne(page);
  return one === null ? null : one * (page.one(tag.planar, stored.together) === stored.apart ? page.samples : 1);
}

/** Whether samples are stored apart, where the number of strips or tiles says another way than the one that is told, or that is none. */
function arePlanesMended(page: Numbers, offsets: Entry): boolean {
  const [entry, one] = [page.find(tag.planar), placesOfOne(page)];
  const told = page.one(tag.planar, stored.together);
  if (!entry || one === null || offsets.count < 1 || (page.samples < 2 && told === stored.apart)) return false;
  const right = offsets.count === one ? stored.together : offsets.count === one * page.samples ? stored.apart : null;
  return right !== null && right !== told && page.write(entry, 0, right);
}

/** Of two lists of which one is as long as the picture needs, the other one goes on behind its end where its values do. */
function isListMended(page: Numbers, offsets: Entry, counts: Entry): boolean {
  const wanted = wantedPlaces(page);
  if (wanted === null || offsets.count === counts.count || wanted < leastPlaces || wanted > mostPlaces) return false;
  const short = offsets.count === wanted ? counts : offsets;
  const other = short === offsets ? counts : offsets;
  if (other.count !== wanted || isInEntry(short, page.tiff.isBig)) return false;
  const longer = { ...short, count: wanted };
  const values = page.tiff.values(longer, wanted);
  const [places, lengths] = short === offsets ? [values, page.list(counts.tag)] : [page.list(offsets.tag), values];
  if (values.length !== wanted || !places.every((at, index) => index === 0 || at === end(places, lengths, index - 1)))
    return false;
  writeCount(page.tiff, short, wanted);
  Object.assign(short, { count: wanted });
  return true;
}

const end = (places: readonly number[], lengths: readonly number[], index: number) =>
  (places[index] ?? 0) + (lengths[index] ?? 0);

/** Boundaries that strips begin at: any byte, or even ones, as the standard asks of all places (TIFF 6.0, section 2). */
const boundaries = [1, 2] as const;

/** Where strips of these lengths lie if each begins behind the one before: most of the places, taken from the first, and how many of them agree. */
function rowOfPlaces(places: readonly number[], lengths: readonly number[], boundary: number) {
  const before: number[] = [];
  let sum = 0;
  for (const length of lengths) {
    before.push(sum);
    sum += Math.ceil(length / boundary) * boundary;
  }
  const anchors = new Map<number, number>();
  for (const [index, at] of places.entries()) {
    const anchor = at - (before[index] ?? 0);
    anchors.set(anchor, (anchors.get(anchor) ?? 0) + 1);
  }
  const [[anchor, agreed] = [0, 0]] = [...anchors].sort(([, left], [, right]) => right - left);
  return { all: before.map((bytes) => anchor + bytes), agreed };
}

/**
 * Single places that do not go on where the others do: most stand one behind the other, so that each tells where all are. Those that do not
 * are set right where they cannot be as they are told: in another one's data, in the directory or beyond the end.
 */
function arePlacesMended(page: Numbers, offsets: Entry, counts: Entry): boolean {
  const [places, lengths] = [page.list(offsets.tag), page.list(counts.tag)];
  if (places.length < leastPlaces || places.length !== lengths.length) return false;
  const rows = boundaries.map((boundary) => rowOfPlaces(places, lengths, boundary));
  const [{ all, agreed } = { all: [], agreed: 0 }] = rows.sort((left, right) => right.agreed - left.agreed);
  if (agreed === places.length || agreed < Math.max(leastPlaces - 1, places.length * leastAgreed)) return false;
  const { tiff } = page;
  const [first, last] = [all[0] ?? 0, end(all, lengths, all.length - 1)];
  if (first < sizesOf(tiff.isBig).head || last > tiff.bytes.length || isClaimed(page, first, last)) return false;
  for (const [index, at] of places.entries()) {
    const [right, to] = [all[index] ?? 0, end(places, lengths, index)];
    if (at === right) continue;
    const isElsewhere = at >= sizesOf(tiff.isBig).head && to <= tiff.bytes.length && (to <= first || at >= last);
    if ((isElsewhere && !isClaimed(page, at, to)) || !page.write(offsets, index, right)) return false;
  }
  return true;
}

/** Stretches of the file that hold its head, this directory and what it leads to, and the next one. */
function claims({ tiff, entries }: Numbers): { at: number; end: number }[] {
  const { head, entry, count, place } = sizesOf(tiff.isBig);
  const first = (entries[0]?.place ?? 0) - count;
  const last = first + count + entries.length * entry;
  const next = tiff.place(last);
  return [
    { at: 0, end: head },
    { at: first, end: last + place },
    ...(next > 0 && next < tiff.bytes.length ? [{ at: next, end: next + count }] : []),
    ...entries.filter((one) => !isInEntry(one, tiff.isBig)).map((one) => ({ at: one.at, end: one.at + bytesOf(one) })),
  ];
}

/** Whether something else lies in a stretch of the file. */
const isClaimed = (page: Numbers, from: number, to: number): boolean =>
  claims(page).some((one) => one.at < to && one.end > from);

/** Bytes that fill data up in front of what follows it. */
const mostFilling = 3;

/** Whether data ends where something else begins, or the file ends. */
const endsAt = (page: Numbers, to: number): boolean =>
  [...claims(page).map(({ at }) => at), page.tiff.bytes.length].some((at) => at >= to && at - to <= mostFilling);

/** The places of data that lies in one block and in something else, which begins behind something and ends before something elsewhere alone. */
function isBlockMended(page: Numbers, offsets: Entry, counts: Entry): boolean {
  const [places, lengths] = [page.list(offsets.tag), page.list(counts.tag)];
  const isRow = places.every((at, index) => index === 0 || at === end(places, lengths, index - 1));
  if (places.length === 0 || places.length !== lengths.length || !isRow) return false;
  const bytes = lengths.reduce((sum, length) => sum + length, 0);
  const stretches = claims(page);
  const ends = new Set([...stretches.map(({ at }) => at), page.tiff.bytes.length]);
  const from = places[0] ?? 0;
  if (ends.has(from + bytes) || stretches.some((one) => one.end === from)) return false;
  // What reaches beyond the end may be a file that lost some of its bytes.
  if (from + bytes > page.tiff.bytes.length || !isClaimed(page, from, from + bytes)) return false;
  const starts = new Set(stretches.map((one) => one.end));
  const [right, other] = [...starts].filter((at) => ends.has(at + bytes) && !isClaimed(page, at, at + bytes));
  if (right === undefined || other !== undefined) return false;
  return places.every((at, index) => page.write(offsets, index, at - from + right));
}

/** What a page is made of, and how many bytes each of its plain strips has. */
type Shape = { width: number; height: number; samples: number; depth: number; rows: number };

/** The shape of a page of plain strips as it is told, and whether samples are stored apart; null for others. */
function plainShape(page: Numbers): { told: Shape; planes: boolean } | null {
  if (page.one(tag.compression, 1) !== scheme.none || page.find(tag.tileOffsets)) return null;
  const height = page.one(tag.height, 0);
  const told: Shape = {
    ...{ width: page.one(tag.width, 0), height, samples: page.samples, depth: page.depth },
    rows: page.one(tag.rowsPerStrip, height),
  };
  const isKnown = told.samples >= 1 && told.samples <= mostSamples && told.depth >= 1;
  return isKnown ? { told, planes: page.one(tag.planar, 1) === 2 && told.samples > 1 } : null;
}

const rowOf = ({ width, samples, depth }: Shape, planes: boolean) =>
  Math.ceil((width * (planes ? 1 : samples) * depth) / 8);

/** Whether strips of these lengths hold exactly the rows of this shape. */
function fits(shape: Shape, planes: boolean, lengths: readonly number[]): boolean {
  if (!Number.isSafeInteger(shape.height) || !Number.isSafeInteger(shape.width) || shape.width < 1) return false;
  const sizes = sizesOfStrips(shape, planes);
  return sizes.length === lengths.length && sizes.every((size, index) => size === lengths[index]);
}

/**
 * Sets the one of width, height, bits and rows of a strip right by which the bytes of all plain strips do not fit; which that was. Null where all
 * fits, none does it alone, or more than one would.
 */
function mendedSize(page: Numbers): TiffField | null {
  const lengths = page.list(tag.stripCounts);
  const plain = plainShape(page);
  if (!plain || lengths.length === 0) return null;
  const { told, planes } = plain;
  if (fits(told, planes, lengths) || !areSure(page, lengths)) return null;
  const others = changesOf(told, planes, lengths).filter(({ shape }) => fits(shape, planes, lengths));
  const [only, second] = others;
  if (!only || second) return null;
  const entry = page.find(only.number);
  return entry && page.write(entry, 0, only.value) ? only.field : null;
}

/** What the strips of this shape hold, in bytes. */
function sizesOfStrips(shape: Shape, planes: boolean): number[] {
  const { height, samples } = shape;
  const rows = Math.min(shape.rows, height);
  const each = rows > 0 ? Math.ceil(height / rows) * (planes ? samples : 1) : 0;
  if (each < 1 || each > mostPlaces) return [];
  const perPlane = Math.ceil(height / rows);
  const row = rowOf(shape, planes);
  return Array.from({ length: each }, (_, index) => Math.min(rows, height - (index % perPlane) * rows) * row);
}

/** Lengths of plain strips, where the size of the picture leads from each to the next one and from the last to what follows. */
function areCountsMended(page: Numbers): boolean {
  const entry = page.find(tag.stripCounts);
  const plain = plainShape(page);
  if (!entry || !plain) return false;
  const [told, right] = [page.list(tag.stripCounts), sizesOfStrips(plain.told, plain.planes)];
  const isOther = right.length === told.length && right.some((size, index) => size !== told[index]);
  if (!isOther || !areSure(page, right)) return false;
  return right.every((size, index) => page.write(entry, index, size));
}

/** Whether strips have the lengths that they are told to have: each ends where the next begins, and the last where something else does. */
function areSure(page: Numbers, lengths: readonly number[]): boolean {
  const places = page.list(tag.stripOffsets);
  const isRow = places.every((at, index) => index === 0 || at === end(places, lengths, index - 1));
  return places.length === lengths.length && isRow && endsAt(page, end(places, lengths, places.length - 1));
}

type Change = { field: TiffField; number: number; value: number; shape: Shape };

/** Shapes that differ in one number from what is told, of which that number is what strips of these lengths ask for. */
function changesOf(told: Shape, planes: boolean, lengths: readonly number[]): Change[] {
  const { width, height, samples, depth, rows } = told;
  const each = Math.max(1, lengths.length / (planes ? samples : 1));
  const own = lengths.slice(0, each);
  const [total, row] = [own.reduce((sum, length) => sum + length, 0), rowOf(told, planes)];
  const bits = (planes ? 1 : samples) * depth;
  const changes: Change[] = [];
  if (row > 0 && total % row === 0 && total / row !== height)
    changes.push({
      ...{ field: 'height', number: tag.height, value: total / row },
      shape: { ...told, height: total / row },
    });
  // Rows are filled up to whole bytes: where that leaves several widths, none of them is told.
  const wide = height > 0 && total % height === 0 ? ((total / height) * 8) / bits : 0;
  if (Number.isInteger(wide) && bits % 8 === 0 && wide !== width)
    changes.push({ field: 'width', number: tag.width, value: wide, shape: { ...told, width: wide } });
  if (samples === 1)
    for (const other of depths)
      if (other !== depth)
        changes.push({ field: 'depth', number: tag.depth, value: other, shape: { ...told, depth: other } });
  const perStrip = row > 0 ? (own[0] ?? 0) / row : 0;
  const whole = own.length === 1 ? height : perStrip;
  if (Number.isInteger(whole) && whole !== rows && (own.length > 1 || rows === 0))
    changes.push({
      ...{ field: 'rowsPerStrip', number: tag.rowsPerStrip, value: whole },
      shape: { ...told, rows: whole },
    });
  // One strip with as many rows as are told leaves the height as it is.
  const isTall = own.length === 1 && rows === height;
  const isLow = own.length === 1 && rows * row === total;
  return changes.filter(({ field }) => !(isTall && field === 'height') && !(isLow && field !== 'height'));
}

/** Colours by brightness and differences, of which as many are stored as pixels though nothing says so (TIFF 6.0, section 21: two by two share theirs): they are red, green and blue. */
function isSpaceMended(page: Numbers): boolean {
  const entry = page.find(tag.photometric);
  const packing = page.one(tag.compression, 1);
  if (!entry || page.one(tag.photometric, 0) !== space.yCbCr || page.samples !== threeColours) return false;
  if (packing === scheme.jpeg || packing === scheme.oldJpeg || page.find(tag.subsampling)) return false;
  return page.write(entry, 0, space.rgb);
}

/** Writes a number of two bytes in the byte order of the file. */
export function write16({ bytes, little }: TiffBytes, at: number, value: number): void {
  if (little) bytes.writeUInt16LE(value, at);
  else bytes.writeUInt16BE(value, at);
}

/** Writes how many values a field has, which is less than 2 to the power of 32. */
export function writeCount({ bytes, little, isBig }: TiffBytes, { place }: Entry, count: number): void {
  const at = place + 4;
  bytes.fill(0, at, at + sizesOf(isBig).place);
  if (little) bytes.writeUInt32LE(count, at);
  else bytes.writeUInt32BE(count, isBig ? at + 4 : at);
}
