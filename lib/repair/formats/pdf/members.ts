import { Buffer } from '../../host/bytes';
import type { Advance, Piece } from './advances';
import { standardWidths } from './standardwidths';

/** Strings from which on their reach tells a font, their letters, and by how much a letter may differ on average, in thousandths of the font size. */
const telling = { least: 5, letters: 3, apart: 25 };

/** Plain strings of a font, and how wide they are in all. */
type Line = { bytes: readonly Buffer[]; room: number };

/**
 * The standard fonts whose glyphs are as wide as the places of what follows tell, by the names of lost fonts: first by strings in one font,
 * then by lines of which all other fonts are known.
 */
export function membersOf(advances: ReadonlyMap<string, readonly Advance[]>): Map<string, string> {
  const members = new Map<string, string>();
  for (const isMixed of [false, true]) {
    for (const [name, all] of advances) {
      if (members.has(name)) continue;
      const member = memberAs(all.flatMap((one) => lineOf(name, one, members, isMixed)));
      if (member) members.set(name, member);
    }
  }
  return members;
}

/** What a line tells of one font: its strings there, and the room that those in other fonts leave; nothing where one of them is not known. */
function lineOf(
  name: string,
  { pieces, room }: Advance,
  members: ReadonlyMap<string, string>,
  isMixed: boolean,
): Line[] {
  const others = pieces.filter(({ font }) => font !== name);
  const size = pieces.find(({ font }) => font === name)?.size;
  if (!size || others.length > 0 !== isMixed) return [];
  const widths = others.map((piece) => widthOf(piece, members.get(piece.font)));
  if (widths.includes(null)) return [];
  const taken = widths.reduce<number>((sum, width) => sum + (width ?? 0), 0);
  const bytes = pieces.filter(({ font }) => font === name).map(({ digits }) => Buffer.from(digits, 'hex'));
  return bytes.every((one) => isPlain(one)) ? [{ bytes, room: ((room - taken) * 1000) / size }] : [];
}

const isPlain = (bytes: Buffer): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f);

/** How wide a string is in a standard font, in units of text space; null where that is not known. */
function widthOf({ digits, size }: Piece, member: string | undefined): number | null {
  const bytes = Buffer.from(digits, 'hex');
  const widths = member && isPlain(bytes) ? standardWidths[member] : undefined;
  return widths ? (bytes.reduce((sum, byte) => sum + (widths[byte - 0x20] ?? 0), 0) * size) / 1000 : null;
}

/** The standard font that strings are as wide in; null where none is, or too few strings tell. */
function memberAs(lines: readonly Line[]): string | null {
  const letters = lines.reduce((sum, { bytes }) => sum + Buffer.concat(bytes).length, 0);
  if (lines.length < telling.least || letters < telling.least * telling.letters) return null;
  const [best] = Object.entries(standardWidths)
    .map(([name, widths]) => {
      const apart = lines.map(({ bytes, room }) =>
        Math.abs(room - Buffer.concat(bytes).reduce((sum, byte) => sum + (widths[byte - 0x20] ?? 0), 0)),
      );
      return { name, apart: apart.reduce((sum, one) => sum + one, 0) / letters };
    })
    .sort((left, right) => left.apart - right.apart);
  return best && best.apart < telling.apart ? best.name : null;
}
