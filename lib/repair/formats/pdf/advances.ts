import { Buffer } from '../../host/bytes';
import type { CodeMap } from './codemaps';
import { PdfLexer, stringBytes } from './lexer';
import { nameOf, numberOf, type PdfValue } from './values';

/** A string of character codes in hexadecimal digits, with the name and size of its font. */
export type Piece = { font: string; size: number; digits: string };
/** Strings that follow each other on a line, and how wide their glyphs are together by where the text behind them stands, in units of text space (9.4.4). */
export type Advance = { pieces: readonly Piece[]; room: number };

/** Advances that are kept of a font: more tell no more of its widths. */
const mostKept = 3000;
/** Operands that are remembered: more than any operator of text takes (annex A). */
const mostOperands = 8;

/** Takes the advances in page content, by the name of the font, into a table. */
export function readAdvances(content: string, into: Map<string, Advance[]>): void {
  const lexer = new PdfLexer(Buffer.from(content, 'latin1'));
  const reader = new AdvanceReader(into);
  let operands: PdfValue[] = [];
  while (lexer.position < lexer.end) {
    const before = lexer.position;
    const { value, keyword } = lexer.value();
    if (keyword === '' || (lexer.position <= before && keyword === null)) break;
    if (keyword === null) operands = [...operands.slice(1 - mostOperands), value];
    else {
      reader.operator(keyword, operands);
      operands = [];
    }
  }
}

/** Strings on a line that are looked at together. */
const mostPieces = 30;

/** Follows the state of text through content. */
class AdvanceReader {
  readonly #into: Map<string, Advance[]>;
  #font = '';
  #size = 0;
  #spacing = { letters: 0, words: 0 };
  /** What was shown since the last move. */
  #pieces: Piece[] = [];
  /** By how much what moves glyphs is more than they are wide, in units of text space (9.4.3, 9.3.2, 9.3.3). */
  #moved = 0;

  constructor(into: Map<string, Advance[]>) {
    this.#into = into;
  }

  operator(word: string, operands: readonly PdfValue[]): void {
    const last = numberOf(operands.at(-1)) ?? 0;
    if (word === 'Tf') [this.#font, this.#size] = [nameOf(operands.at(-2)) ?? '', last];
    else if (word === 'Tc') this.#spacing.letters = last;
    else if (word === 'Tw') this.#spacing.words = last;
    else if (word === 'Tj' || word === 'TJ') this.#show(operands.at(-1));
    else if (word === 'Td' || word === 'TD') this.#move(numberOf(operands.at(-2)) ?? 0, last);
    else if (/^(?:Tm|T\*|'|"|BT|ET)$/.test(word)) this.#begin();
  }

  #begin(): void {
    [this.#pieces, this.#moved] = [[], 0];
  }

  #show(value: PdfValue | undefined): void {
    const items = value?.kind === 'array' ? value.items : value ? [value] : [];
    const bytes = Buffer.concat(items.flatMap((item) => (item.kind === 'string' ? [stringBytes(item.raw)] : [])));
    const kerned = items.reduce((sum, item) => sum - (numberOf(item) ?? 0), 0);
    const spaces = bytes.reduce((count, byte) => count + (byte === 0x20 ? 1 : 0), 0);
    this.#moved += (kerned * this.#size) / 1000 + this.#spacing.letters * bytes.length + this.#spacing.words * spaces;
    if (bytes.length > 0) this.#pieces.push({ font: this.#font, size: this.#size, digits: bytes.toString('hex') });
  }

  #move(across: number, down: number): void {
    const [pieces, room] = [this.#pieces, across - this.#moved];
    this.#begin();
    if (down !== 0 || !(room > 0) || pieces.length > mostPieces) return;
    for (const name of new Set(pieces.map(({ font }) => font))) {
      const known = this.#into.get(name) ?? [];
      if (known.length < mostKept) known.push({ pieces, room });
      this.#into.set(name, known);
    }
  }
}

/** How often all advances are gone through, and how much of what is missing or too much is given to the glyphs of each. */
const fitting = { rounds: 12, share: 0.5 };
/** By how much the room of a string may differ from its glyphs, once they are brought to the same scale, to be that of the string alone. */
const alike = { least: 0.75, most: 1.3 };

/**
 * Widths of glyphs by how far the text behind them stands: those at hand are brought to the scale of most strings, and then each string's
 * difference is shared by its glyphs, time and again (Kaczmarz, 1937).
 */
export function fitWidths({ width }: CodeMap, advances: readonly Advance[], widths: Map<number, number>): void {
  const lines = advances.flatMap(({ pieces, room }) => {
    const [piece, other] = pieces;
    if (!piece || other || !(piece.size > 0)) return [];
    return [{ room: (room * 1000) / piece.size, codes: codesOf(piece.digits, width * 2) }];
  });
  const sum = (codes: readonly number[]) => codes.reduce((total, code) => total + (widths.get(code) ?? 0), 0);
  const ratios = lines.map(({ codes, room }) => room / Math.max(1, sum(codes))).sort((left, right) => left - right);
  const scale = ratios[ratios.length >> 1];
  if (scale === undefined || !(scale > 0)) return;
  for (const [code, value] of widths) widths.set(code, value * scale);
  const own = lines.filter(({ codes, room }) => {
    const ratio = room / Math.max(1, sum(codes));
    return ratio > alike.least && ratio < alike.most;
  });
  for (let round = 0; round < fitting.rounds; round++) {
    for (const { codes, room } of own) {
      const step = ((room - sum(codes)) * fitting.share) / codes.length;
      for (const code of codes) widths.set(code, Math.max(0, (widths.get(code) ?? 0) + step));
    }
  }
}

function codesOf(digits: string, each: number): number[] {
  return Array.from({ length: Math.floor(digits.length / each) }, (_, index) =>
    Number.parseInt(digits.slice(index * each, (index + 1) * each), 16),
  );
}
