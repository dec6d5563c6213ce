import { Buffer } from '../../host/bytes';
import { isWhitespace } from './lexer';

/** The digits of base 85 (ISO 32000-1, 7.4.3): from an exclamation mark to a small u; four zeroes are one z; the end is a tilde. */
const digits = { first: 0x21, last: 0x75, zeroes: 0x7a, end: 0x7e, base: 85, group: 5 } as const;
/** What four bytes hold at most. */
const mostOfFour = 2 ** 32 - 1;

const isDigit = (code: number): boolean => code >= digits.first && code <= digits.last;

/** Hands on the codes of each group of a text in base 85, as they stand there, in one list that is used again: of four zeroes none, and of the last group at least two. */
function eachGroup(data: Uint8Array, take: (group: readonly number[]) => void): void {
  const group: number[] = [];
  for (let at = 0; at < data.length; at++) {
    const code = data[at] ?? 0;
    // A tilde that no text ends with is a wrong digit.
    if (code === digits.end && endsAt(data, at)) break;
    if (isWhitespace(code)) continue;
    if (code !== digits.zeroes || group.length > 0) group.push(code);
    if (group.length > 0 && group.length < digits.group) continue;
    take(group);
    group.length = 0;
  }
  if (group.length > 1) take(group);
}

function endsAt(data: Uint8Array, at: number): boolean {
  for (let next = at + 1; next < data.length; next++) {
    const code = data[next] ?? 0;
    if (!isWhitespace(code)) return code === '>'.charCodeAt(0);
  }
  return true;
}

/** The number that a group stands for; what is no digit counts as the first one, and what is missing at the end as the last. */
function numberOfGroup(group: readonly number[]): number {
  let value = 0;
  for (let at = 0; at < digits.group; at++) {
    const code = group[at];
    const digit = code === undefined ? digits.base - 1 : isDigit(code) ? code - digits.first : 0;
    value = value * digits.base + (group.length === 0 ? 0 : digit);
  }
  return value;
}

const isSound = (group: readonly number[]): boolean => group.every(isDigit) && numberOfGroup(group) <= mostOfFour;

/** Bytes of a group of so many digits. */
const bytesOf = (group: readonly number[]): number => (group.length === 0 ? 4 : group.length - 1);

function put(output: Uint8Array, at: number, group: readonly number[]): void {
  const value = numberOfGroup(group);
  for (let index = 0; index < bytesOf(group); index++)
    output[at + index] = Math.floor(value / 256 ** (3 - index)) & 255;
}

/** Undoes base 85, so that all behind a wrong digit keeps its place; `sound` is false where there is one, or a group that is more than four bytes hold. */
export function decodeBase85(data: Uint8Array): { data: Buffer; sound: boolean } {
  let size = 0;
  let sound = true;
  eachGroup(data, (group) => {
    size += bytesOf(group);
    sound &&= isSound(group);
  });
  const output = Buffer.alloc(size);
  let at = 0;
  eachGroup(data, (group) => {
    put(output, at, group);
    at += bytesOf(group);
  });
  return { data: output, sound };
}

/** Where the first group begins, or nearly so, that is none of base 85; -1 where all are. It stops there, and is for many trials. */
export function brokenGroup(data: Uint8Array): number {
  let value = 0;
  let count = 0;
  for (let at = 0; at < data.length; at++) {
    const code = data[at] ?? 0;
    if (code >= digits.first && code <= digits.last) {
      value = value * digits.base + code - digits.first;
      if (++count < digits.group) continue;
      if (value > mostOfFour) return at;
      value = 0;
      count = 0;
    } else if (code === digits.end && endsAt(data, at)) return -1;
    else if (!isWhitespace(code) && (code !== digits.zeroes || count > 0)) return at;
  }
  return -1;
}

/** Bits of the bytes of a group, which is how many of its digits' bits may be turned. */
const groupBits = 32;

/**
 * Wrong bits in the digits of base 85, each of which garbles up to four bytes of what they stand for. Bits are numbered as those of the
 * bytes, from byte `from` on: the 32 up to the first of a group turn those of its digits that lead to digits, so that all bytes that a
 * bit changes lie behind it. Each group is kept, so that data of more than a megabyte or so is not for it.
 */
export class Base85Bits {
  readonly #groups: number[][];
  readonly #turns: { digit: number; bit: number }[][];
  /** Groups that are none: the wrong bit is one of theirs. */
  readonly #wrong: ReadonlySet<number>;
  /** Whether bits of those groups alone are turned. */
  onlyWrong: boolean;

  constructor(
    data: Uint8Array,
    readonly from: number,
  ) {
    this.#groups = [];
    eachGroup(data, (group) => void this.#groups.push([...group]));
    this.#turns = this.#groups.map(turnsOf);
    this.#wrong = new Set(this.#groups.flatMap((group, index) => (isSound(group) ? [] : [index])));
    this.onlyWrong = this.#wrong.size > 0;
  }

  /** Turns the bit of a digit, or turns it back, in `bytes`, which begin at byte `from`; false where no digit has such a bit. */
  turn(bytes: Uint8Array, bit: number): boolean {
    const place = bit + this.from * 8 + groupBits - 1;
    const index = Math.floor(place / groupBits);
    const [group, turn] = [this.#groups[index], this.#turns[index]?.[place % groupBits]];
    if (!group || !turn || (this.onlyWrong && !this.#wrong.has(index))) return false;
    group[turn.digit] = (group[turn.digit] ?? 0) ^ (1 << turn.bit);
    const four = new Uint8Array(4);
    put(four, 0, group);
    const at = index * 4 - this.from;
    for (let byte = 0; byte < bytesOf(group); byte++)
      if (at + byte >= 0 && at + byte < bytes.length) bytes[at + byte] = four[byte] ?? 0;
    return true;
  }
}

/** The bits of a group's digits that may be wrong: turned, each makes digits of all of them, and a number that four bytes hold. */
function turnsOf(group: number[]): { digit: number; bit: number }[] {
  const turns: { digit: number; bit: number }[] = [];
  for (let digit = 0; digit < group.length; digit++)
    for (let bit = 0; bit < 8 && turns.length < groupBits; bit++) {
      const turned = group.with(digit, (group[digit] ?? 0) ^ (1 << bit));
      if (isSound(turned)) turns.push({ digit, bit });
    }
  return turns;
}
