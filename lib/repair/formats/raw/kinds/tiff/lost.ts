import type { Buffer } from '../../../../host/bytes';
import { bytesOf, joinedParts, type Part, sector } from '../parts';
import { wipedParts } from '../wiped';
import { chanceParts } from './chance';
import type { Rows } from './rows';
import { foreignBlocks } from './sony';

/** How much rougher than usual a sector is, in the rows above and below and along its row, where it is no picture. */
const muchRougher = 8;
/** The part of the whole range of values from which on neighbours that differ by as much are no picture: no lens draws so sharp. */
const ofRange = 8;
/** Sectors by which is told what is usual. */
const sampled = 500;
/** The share of a sector's values that no sensor of so many bits gives, from which on it is foreign; where half of all sectors hold more like that, bits say nothing. */
const impossible = 0.1;
const mostImpossible = 0.01;

/** The parts of rows whose values are not the sensor's: those wiped, and those that something else was written over. */
export function lostParts(data: Buffer, rows: Rows): Part[] {
  return joinedParts([
    ...wipedParts(data),
    ...(rows.isBlocks ? foreignBlocks(data) : [...new Sectors(data, rows).foreign(), ...chanceParts(data, rows)]),
  ]);
}

/** The share of rows whose values are not the sensor's. */
export const lostShare = (data: Buffer, rows: Rows): number =>
  bytesOf(lostParts(data, rows)) / Math.max(1, data.length);

/** Sectors of rows, told from each other by how rough they are. */
class Sectors {
  readonly #data: Buffer;
  readonly #rows: Rows;
  readonly #count: number;
  /** From which roughness on a sector is no picture, and whether values of too many bits tell anything. */
  readonly #least: number;
  readonly #hasBits: boolean;

  constructor(data: Buffer, rows: Rows) {
    this.#data = data;
    this.#rows = rows;
    this.#count = Math.floor(data.length / sector);
    const each = Math.max(1, Math.floor(this.#count / sampled));
    const steps: number[] = [];
    const above: number[] = [];
    for (let index = 0; index < this.#count; index += each) {
      steps.push(this.#roughness(index));
      above.push(this.#impossible(index));
    }
    above.sort((left, right) => left - right);
    steps.sort((left, right) => left - right);
    this.#least = Math.max((steps[steps.length >> 1] ?? 0) * muchRougher, rows.range / ofRange);
    this.#hasBits = rows.apart === 2 && (above[above.length >> 1] ?? 0) < mostImpossible;
  }

  /**
   * Sectors that are no picture: values that no sensor gives, or far rougher than those above and below, which a fine pattern is not; and
   * rough ones that go on from these in the file.
   */
  foreign(): Part[] {
    const parts: Part[] = [];
    for (let index = 0; index < this.#count; index++) {
      if (!this.#isForeign(index)) continue;
      let [from, to] = [index, index + 1];
      while (from > 0 && this.#isRough(from - 1)) from--;
      while (to < this.#count && this.#isRough(to)) to++;
      parts.push({ start: from * sector, end: to * sector });
      index = to;
    }
    return parts;
  }

  #isForeign(index: number): boolean {
    if (this.#hasBits && this.#impossible(index) >= impossible) return true;
    if (!this.#isRough(index)) return false;
    const own = this.#beside(index * sector);
    const rows = 2 * this.#rows.row;
    return [index * sector - rows, index * sector + rows].every(
      (place) => place >= 0 && place + sector <= this.#data.length && this.#beside(place) * muchRougher < own * ofPlain,
    );
  }

  #isRough(index: number): boolean {
    return this.#roughness(index) >= this.#least;
  }

  /** The share of values that take more bits than the sensor has. */
  #impossible(index: number): number {
    const { apart, beyond, value } = this.#rows;
    let count = 0;
    for (let at = index * sector; at + apart <= (index + 1) * sector; at += apart)
      if (value(this.#data, at) >= beyond) count++;
    return (count * apart) / sector;
  }

  /** The least of the mean steps from a sector to the rows of the same filters above and below, and to its own pixels of the same filter. */
  #roughness(index: number): number {
    const rows = 2 * this.#rows.row;
    const start = index * sector;
    const beside = this.#beside(start);
    if (beside < this.#rows.range / ofRange) return beside;
    return Math.min(beside, this.#between(start, start - rows), this.#between(start, start + rows));
  }

  #beside(start: number): number {
    return this.#between(start, start + 2 * this.#rows.apart);
  }

  /** The mean step between the values of two stretches, a sector long; of what is not there nothing is told. */
  #between(start: number, other: number): number {
    const { apart, value } = this.#rows;
    if (other < 0 || other + sector > this.#data.length) return Number.POSITIVE_INFINITY;
    let [sum, count] = [0, 0];
    // Packed values begin with every so many bytes of a row.
    for (let at = (apart - (start % apart)) % apart; at + apart <= sector; at += apart) {
      sum += Math.abs(value(this.#data, start + at) - value(this.#data, other + at));
      count++;
    }
    return sum / Math.max(1, count);
  }
}

/** How far the sectors above and below are from being as rough, in the same times that tell what is rough. */
const ofPlain = 4;
