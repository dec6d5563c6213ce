import { mendPackedRows } from '../../core/deflate/mendrows';
import type { Alignment, RowModel, Stretch } from '../../core/deflate/model';
import { zlibHeaderLength } from '../../core/deflate/whole';
import { Buffer } from '../../host/bytes';
import type { Deadline, Effort } from '../../report';
import type { MendedStrip } from './lzwmend';
import { difference, type RowKind, rowSamples } from './striprows';

/** Of the bytes of a row every seventh is looked at, and a third of these are many. */
const byteStep = 7;
const shareLost = 3;

const remembered = 24;
const edgeFactor = 2.6;
const rowsToFit = 5;
/** Units of effort from the beginning of a strip on in which places for rows are looked for. */
const aligning = 1200;

/** How many times as rough as is allowed rows are not read on: on average, and the first two by a glance, with levels on top. */
const hopeless = { rows: 2.5, glance: { times: 2, levels: 4 } };

/** Rows of a strip as a Deflate stream should give them: each much like the one above it. */
class FlateRows implements RowModel {
  readonly starts: Int32Array;
  readonly ahead: number;
  readonly #kind: RowKind;
  /** The first pixels of a row. */
  readonly #glance: RowKind;
  readonly #recent: number[] = [];
  readonly #effort: Effort;
  readonly #rough: Float32Array;
  #above: Uint8Array | null = null;

  /** What is typical of the strip before enough of its rows are known. */
  readonly #usual: number;

  constructor(kind: RowKind, wanted: number, effort: Effort, usual: number) {
    this.#effort = effort.share(aligning);
    const rows = Math.floor(wanted / kind.row);
    this.#kind = kind;
    this.#usual = usual;
    this.#glance = { ...kind, row: Math.min(kind.row, kind.pixel * 64) };
    this.ahead = kind.row;
    this.starts = Int32Array.from({ length: rows + 1 }, (_, line) => line * kind.row);
    this.#rough = new Float32Array(rows + 1);
  }

  get typical(): number {
    if (this.#recent.length < 3) return this.#usual;
    return medianOf(this.#recent) ?? this.#usual;
  }

  #limit(): number {
    return this.typical * edgeFactor + 4;
  }

  #gap(bytes: Uint8Array, row: number): number {
    const { row: size } = this.#kind;
    return difference(rowSamples(this.#kind, bytes, row * size), rowSamples(this.#kind, bytes, (row - 1) * size));
  }

  /** Whether a byte of a row is a copy of a lost one. */
  #lost(known: Uint8Array, row: number): boolean {
    const at = this.starts[row] ?? 0;
    return known.subarray(at, at + this.#kind.row).includes(0);
  }

  sound(bytes: Uint8Array, known: Uint8Array, row: number): boolean {
    if (row === 0) return true;
    // A lost difference spoils all that follows in its row, which says nothing about the stream.
    if (this.#lost(known, row) || this.#lost(known, row - 1)) return true;
    return this.#gap(bytes, row) <= this.#limit();
  }

  settle(bytes: Uint8Array, known: Uint8Array, row: number): void {
    const at = this.starts[row] ?? 0;
    if (this.#lost(known, row)) return;
    if (row > 0 && !this.#lost(known, row - 1)) {
      const rough = this.#gap(bytes, row);
      this.#rough[row] = rough;
      this.#recent.push(rough);
      if (this.#recent.length > remembered) this.#recent.shift();
    }
    this.#above = rowSamples(this.#kind, bytes, at);
  }

  roughness(bytes: Uint8Array, from: number, to: number, most: number): number {
    let worst = 0;
    for (let row = Math.max(1, from); row < to && worst <= most; row++) worst = Math.max(worst, this.#gap(bytes, row));
    return worst;
  }

  settledRoughness(row: number): number {
    return this.#rough[row] ?? 0;
  }

  align(stretch: Stretch, row: number, wanted: number, reach: number): Alignment | null {
    const { row: size, pixel } = this.#kind;
    if (this.#effort.isSpent) return null;
    const span = Math.min(reach, size * 1.2);
    const rows = this.starts.length - 1;
    let best: { shift: number; row: number; rough: number } | null = null;
    for (let shift = Math.ceil(wanted - span); shift <= wanted + span; shift++) {
      if ((shift & 127) === 0 && this.#effort.isSpent) break;
      for (let first = row; first < Math.min(rows, row + (reach === 0 ? 12 : 2)); first++) {
        const rough = this.#fit(stretch, first, shift, best?.rough ?? this.#limit());
        // Of places that fit alike the likeliest one; a pixel to the side shows little.
        const far = rough * (1 + Math.min(0.2, Math.abs(shift - wanted) / pixel / 400)) + (first - row) * 0.3;
        if (far < (best?.rough ?? this.#limit())) best = { shift, row: first, rough: far };
      }
    }
    return best ? { shift: best.shift, row: best.row } : null;
  }

  /** How much the rows from `first` on differ from each other, and from the one above that is known, when they stand `shift` bytes too far behind. */
  #fit({ bytes, known, offset, length }: Stretch, first: number, shift: number, most: number): number {
    const { row: size, predictor } = this.#kind;
    let before: Uint8Array | null = predictor ? null : this.#above;
    let [sum, count] = [0, 0];
    this.#effort.spend('rowPlace');
    const start = (this.starts[first] ?? 0) + shift - offset;
    // The beginnings of two rows rule most places out at little cost.
    if (predictor && start >= 0 && start + size * 2 <= length - offset && !mostlyLost(known, start, size)) {
      this.#effort.spend('comparedByte', this.#glance.row * 2);
      const gap = difference(rowSamples(this.#glance, bytes, start), rowSamples(this.#glance, bytes, start + size));
      if (gap > most * hopeless.glance.times + hopeless.glance.levels) return Number.POSITIVE_INFINITY;
    }
    for (let line = first; line < first + rowsToFit; line++) {
      const at = (this.starts[Math.min(line, this.starts.length - 1)] ?? 0) + shift - offset;
      if (at < 0 || at + size > length - offset) break;
      if (mostlyLost(known, at, size)) continue;
      const samples = rowSamples(this.#kind, bytes, at);
      this.#effort.spend('comparedByte', size);
      if (before) {
        sum += difference(samples, before);
        count++;
        if (sum / count > most * hopeless.rows) return Number.POSITIVE_INFINITY;
      }
      before = samples;
    }
    return count >= 2 ? sum / count : Number.POSITIVE_INFINITY;
  }
}

const medianOf = (values: readonly number[]): number | undefined =>
  [...values].sort((left, right) => left - right)[values.length >> 1];

/** Difference of two rows in levels that is usual in photos, and the most that damage may make of it. */
const usualGaps = { least: 10, most: 24, rows: 8 };

/** How much rows of a strip usually differ from the one above, by what it unpacks to without a thought: rows that moved together go together. */
function usualGap(kind: RowKind, plain: Uint8Array): number {
  const rows = Math.floor(plain.length / kind.row);
  if (rows < usualGaps.rows) return usualGaps.least;
  const lines = Array.from({ length: rows }, (_, line) => rowSamples(kind, plain, line * kind.row));
  const gaps = lines.slice(1).map((line, index) => difference(line, lines[index] ?? line));
  return Math.min(usualGaps.most, Math.max(usualGaps.least, medianOf(gaps) ?? 0));
}

/** Whether more than a third of the bytes of a row are copies of lost ones. */
function mostlyLost(known: Uint8Array, at: number, size: number): boolean {
  let lost = 0;
  for (let byte = at; byte < at + size; byte += byteStep) if (known[byte] === 0) lost++;
  return lost * byteStep * shareLost > size;
}

/**
 * Reads a damaged Deflate strip (TIFF Technical Note 2) of `wanted` bytes on behind the damage, each row judged by the one above. Null where
 * hardly anything comes out.
 */
export function mendFlate(
  source: Buffer,
  wanted: number,
  kind: RowKind,
  deadline: Deadline,
  plain: Uint8Array = new Uint8Array(0),
): MendedStrip | null {
  const rows = Math.floor(wanted / kind.row);
  if (rows < 4) return null;
  const start = zlibHeaderLength(source);
  const { data, known, flips, gaps } = mendPackedRows(
    source.subarray(start > 0 ? start : 2),
    0,
    new FlateRows(kind, wanted, deadline.effort, usualGap(kind, plain)),
    {
      deadline,
      patience: 700,
      longest: 1500,
      suspect: () => true,
    },
  );
  return {
    data: Buffer.from(data.buffer, data.byteOffset, data.length),
    known,
    flips: gaps.length === 0 ? flips.length : 0,
  };
}
