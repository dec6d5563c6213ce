/** Windows-1252 from 80 to 9f hex (WHATWG Encoding, windows-1252); what it leaves open stays a control character. */
const upper = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const firstUpper = 0x80;

const bytes = new Map(Array.from(upper, (letter, index) => [letter.charCodeAt(0), firstUpper + index]));

/** The byte that a program took for a letter, as Latin-1 or Windows-1252; null for a letter of neither. */
export const byteOf = (code: number): number | null => (code < 0x100 ? code : (bytes.get(code) ?? null));
