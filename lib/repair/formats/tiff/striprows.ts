/** Rows of a strip in bytes: their length, that of a pixel, whether they hold differences (TIFF 6.0, section 14), and the byte order of 16-bit samples. */
export type RowKind = { row: number; pixel: number; predictor: boolean; wide: 'little' | 'big' | null };

const remembered = 24;
/** The most that one sample counts, in levels. */
const mostGap = 64;
/** Rows that must be known to say what is typical, and what is taken for it before, in levels. */
const leastRecent = 4;
const firstTypical = 12;
/** How rough a row may be, by what is typical and in levels on top; and before that is known. */
const limits = { times: 2.2, levels: 3, unknown: 30 };
/** Share of that which rows behind a rough one must stay above, and of a difference which another place must come below. */
const stillRough = 0.6;
const clearlyLess = 0.6;
/** Differences from sample to sample that part a row into what continues the one above and what does not. */
const splitting = { times: 1.8, levels: 3 };

/** Judges bytes of a strip by how well each row continues the one above. */
export class StripRows {
  readonly row: number;
  readonly pixel: number;
  readonly #data: Uint8Array;
  readonly #kind: RowKind;
  readonly #recent: number[] = [];
  #settled = 0;
  /** The last whole row that is known, as samples, and which one it is. */
  #above: { line: number; samples: Uint8Array } | null = null;

  constructor(data: Uint8Array, kind: RowKind) {
    this.#data = data;
    this.#kind = kind;
    this.row = kind.row;
    this.pixel = kind.pixel;
  }

  #samples(data: Uint8Array, start: number): Uint8Array {
    return rowSamples(this.#kind, data, start);
  }

  get #typical(): number {
    if (this.#recent.length < leastRecent) return firstTypical;
    return [...this.#recent].sort((left, right) => left - right)[this.#recent.length >> 1] ?? firstTypical;
  }

  /** Takes bytes `from` to `to` as right, so that what follows is judged by them. */
  settle(from: number, to: number): void {
    const { row } = this;
    for (let line = Math.ceil(Math.max(from - row + 1, this.#settled) / row); (line + 1) * row <= to; line++) {
      const samples = this.#samples(this.#data, line * row);
      if (this.#above?.line === line - 1) {
        this.#recent.push(difference(samples, this.#above.samples));
        if (this.#recent.length > remembered) this.#recent.shift();
      }
      this.#above = { line, samples };
      this.#settled = (line + 1) * row;
    }
  }

  /** Up to where the bytes from `from` to `to` continue the rows above; `to` when nothing is wrong with them. */
  goodUntil(from: number, to: number): number {
    const { row } = this;
    let above = this.#above;
    const typical = this.#typical;
    const recent = [...this.#recent];
    const limit = () =>
      recent.length < leastRecent
        ? limits.unknown
        : Math.max(typical, recent[recent.length >> 1] ?? 0) * limits.times + limits.levels;
    for (let line = Math.floor(from / row); (line + 1) * row <= to; line++) {
      if (line * row < from - row) continue;
      const samples = this.#samples(this.#data, line * row);
      if (above && above.line === line - 1) {
        const rough = difference(samples, above.samples);
        // An edge in the picture shows in one row; what is wrong stays wrong in the next ones too.
        if (rough > limit() && this.#staysRough(line, to, limit()))
          return Math.max(from, this.#split(line, samples, above.samples));
        if (rough <= limit()) recent.push(rough);
      }
      above = { line, samples };
    }
    return to;
  }

  /** From where on the whole rows up to `to` continue each other, looked at backwards and not beyond `from`; `to` when not even the last do. */
  goodFrom(from: number, to: number): number {
    const { row } = this;
    const limit = this.#typical * 2.2 + 3;
    let line = Math.floor(to / row) - 1;
    let below = this.#samples(this.#data, line * row);
    let begin = to;
    for (line--; line * row >= from; line--) {
      const samples = this.#samples(this.#data, line * row);
      if (difference(samples, below) > limit) break;
      begin = line * row;
      below = samples;
    }
    return begin;
  }

  #staysRough(line: number, to: number, limit: number): boolean {
    const { row } = this;
    let above = this.#samples(this.#data, line * row);
    let [rough, count] = [0, 0];
    for (let next = line + 1; next <= line + 3 && (next + 1) * row <= to; next++, count++) {
      const samples = this.#samples(this.#data, next * row);
      if (difference(samples, above) > limit * stillRough) rough++;
      above = samples;
    }
    return rough * 2 >= count;
  }

  /** The byte of a row at which it stops to continue the row above. */
  #split(line: number, samples: Uint8Array, above: Uint8Array): number {
    const middle = this.#typical * splitting.times + splitting.levels;
    let [sum, least, place] = [0, 0, 0];
    for (let at = 0; at < samples.length; at++) {
      sum += Math.min(mostGap, Math.abs((samples[at] ?? 0) - (above[at] ?? 0))) - middle;
      if (sum < least) [least, place] = [sum, at + 1];
    }
    return line * this.row + place * (this.#kind.wide ? 2 : 1);
  }

  /** Mean difference of the whole rows between two places from the rows above them. */
  roughness(from: number, to: number): number {
    const { row } = this;
    let above: Uint8Array | null = null;
    let [sum, count] = [0, 0];
    for (let line = Math.max(0, Math.floor(from / row) - 1); (line + 1) * row <= to; line++) {
      const samples = this.#samples(this.#data, line * row);
      if (above) {
        sum += difference(samples, above);
        count++;
      }
      above = samples;
    }
    return count > 0 ? sum / count : 0;
  }

  /** Where a piece of later bytes begins, judged by its first rows; -1 when it fits nowhere. `most` is the end of the strip. */
  fit(piece: Uint8Array, most: number): number {
    const { row } = this;
    const above = this.#above;
    if (!above || piece.length < row * 2) return -1;
    const size = this.#kind.wide ? 2 : 1;
    let best = { start: -1, rough: Number.POSITIVE_INFINITY };
    // Where in the piece the first whole row begins.
    for (let start = 0; start < row; start += size) {
      if (start + row > piece.length) break;
      const rough = difference(this.#samples(piece, start), above.samples);
      if (rough < best.rough) best = { start, rough };
    }
    if (best.start < 0 || best.rough > this.#typical * 4 + 12) return -1;
    const expected = this.expected ?? this.#settled + row * 2;
    const line = Math.max(above.line + 1, Math.round((expected + best.start) / row));
    const place = line * row - best.start;
    return place >= 0 && place < most ? place : -1;
  }

  /** The likeliest place of the next piece, in bytes, where the caller knows it. */
  expected: number | null = null;
}

/**
 * Gives rows that are not known what a plain reading of the strip holds there, where that hangs together with the rest of it: behind a wrong
 * bit much is right again, though nothing else proves it.
 */
export function adoptRows(kind: RowKind, data: Uint8Array, known: Uint8Array, plain: Uint8Array): void {
  const { row } = kind;
  const rows = Math.floor(Math.min(data.length, known.length, plain.length) / row);
  const isSure = Array.from({ length: rows }, (_, line) => !known.subarray(line * row, (line + 1) * row).includes(0));
  // The plain reading has to begin with what is known for certain, and with enough of it to tell what is usual.
  const anchor = isSure.findIndex((sure, line) => sure && isSame(data, plain, line * row, row));
  if (rows < 8 || anchor < 0 || anchor > rows / 4 || isSure.filter(Boolean).length < 3) return;
  const isGood = coherentRows(kind, plain, rows, anchor);
  for (let line = 0; line < rows; line++) {
    const [from, to] = [line * row, (line + 1) * row];
    if (!isGood[line] || isSure[line]) continue;
    data.set(plain.subarray(from, to), from);
    known.fill(1, from, to);
  }
}

function isSame(first: Uint8Array, second: Uint8Array, from: number, length: number): boolean {
  for (let at = from; at < from + length; at++) if (first[at] !== second[at]) return false;
  return true;
}

/** Shifts to either side that are tried, in pixels, to see whether a row only fits elsewhere. */
const mostAside = 24;

/** Which rows continue the last good one above: alike, or with an edge of the picture between, but neither moved aside nor of another tint. */
function coherentRows(kind: RowKind, plain: Uint8Array, rows: number, anchor: number): boolean[] {
  const lines = Array.from({ length: rows }, (_, line) => rowSamples(kind, plain, line * kind.row));
  const gaps = lines.map((line, index) => difference(line, lines[index - 1] ?? line));
  const typical = [...gaps].sort((left, right) => left - right)[rows >> 1] ?? 0;
  const limit = typical * 2.2 + 3;
  const colours = kind.pixel / (kind.wide ? 2 : 1);
  const good = new Array<boolean>(rows).fill(false);
  let last = -1;
  for (const [line, samples] of lines.entries()) {
    if (line < anchor) continue;
    const above = lines[last];
    if (above) {
      const gap = difference(samples, above);
      const alike = gap <= limit + Math.min(6, line - last - 1) * typical * 0.5;
      const lasts = (gaps[line + 1] ?? 0) <= limit && (gaps[line + 2] ?? 0) <= limit;
      if (!alike && !(line - last <= 3 && lasts && isInPlace(samples, above, gap, colours))) continue;
    }
    good[line] = true;
    last = line;
  }
  return good;
}

/** Whether a row that differs from the one above fits it no better moved aside, nor with the mean of each colour matched. */
function isInPlace(samples: Uint8Array, above: Uint8Array, gap: number, colours: number): boolean {
  let matched = 0;
  for (let colour = 0; colour < colours; colour++) {
    let [sum, count] = [0, 0];
    for (let at = colour; at < samples.length; at += colours, count++) sum += (samples[at] ?? 0) - (above[at] ?? 0);
    const mean = sum / Math.max(1, count);
    for (let at = colour; at < samples.length; at += colours)
      matched += Math.min(mostGap, Math.abs((samples[at] ?? 0) - (above[at] ?? 0) - mean));
  }
  if (matched / samples.length < gap * clearlyLess) return false;
  for (let aside = 1; aside <= mostAside; aside++) {
    const by = aside * colours;
    if (by * 2 > samples.length) break;
    if (difference(samples.subarray(by), above.subarray(0, above.length - by)) < gap * clearlyLess) return false;
    if (difference(samples.subarray(0, samples.length - by), above.subarray(by)) < gap * clearlyLess) return false;
  }
  return true;
}

/** Mean difference of two rows of samples, in which a few wide ones count for little. */
export function difference(first: Uint8Array, second: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < first.length; at++) {
    const gap = (first[at] ?? 0) - (second[at] ?? 0);
    const size = gap < 0 ? -gap : gap;
    sum += Math.min(size, mostGap);
  }
  return first.length > 0 ? sum / first.length : 0;
}

/** High bytes of the samples of the row that begins at `start` of `data`. */
export function rowSamples({ row, pixel, predictor, wide }: RowKind, data: Uint8Array, start: number): Uint8Array {
  const size = wide ? 2 : 1;
  const [high, low] = wide === 'little' ? [1, 0] : [0, 1];
  const count = row / size;
  const step = pixel / size;
  const samples = new Uint8Array(count);
  if (!wide) {
    samples.set(data.subarray(start, start + count));
    if (predictor) for (let at = step; at < count; at++) samples[at] = (samples[at] ?? 0) + (samples[at - step] ?? 0);
    return samples;
  }
  if (!predictor) {
    for (let at = 0; at < count; at++) samples[at] = data[start + at * size + high] ?? 0;
    return samples;
  }
  const values = new Uint16Array(count);
  for (let at = 0; at < count; at++) {
    const place = start + at * size;
    const value = ((data[place + high] ?? 0) << 8) | (data[place + low] ?? 0);
    values[at] = value + (at >= step ? (values[at - step] ?? 0) : 0);
    samples[at] = (values[at] ?? 0) >> 8;
  }
  return samples;
}
