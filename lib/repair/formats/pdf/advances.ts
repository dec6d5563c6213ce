import type { CodeMap } from './codemaps';

/** A string of character codes in hexadecimal digits, and how far the text behind it stands from its beginning, in thousandths of the font size. */
export type Advance = { digits: string; room: number };

/** A choice of font with its size (ISO 32000-1, 9.3.1), or a string and the move to the next one on the same line (9.4.2, 9.4.3). */
const shown = /\/([^\s/<>[\](){}%]+)\s+([\d.]+)\s+Tf\b|<([\dA-Fa-f]+)>\s*Tj\s+([\d.]+)\s+0\s+Td\b/g;

/** Advances that are kept of a font: more tell no more of its widths. */
const mostKept = 3000;

/** Takes the advances in page content, by the name of the font, into a table. */
export function readAdvances(content: string, into: Map<string, Advance[]>): void {
  let [font, size] = ['', 0];
  for (const [, name, chosen, digits, move] of content.matchAll(shown)) {
    if (name !== undefined) [font, size] = [name, Number(chosen)];
    else if (digits !== undefined && size > 0) {
      const known = into.get(font) ?? [];
      if (known.length < mostKept) known.push({ digits, room: (Number(move) * 1000) / size });
      into.set(font, known);
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
  const lines = advances.map(({ digits, room }) => ({ room, codes: codesOf(digits, width * 2) }));
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
