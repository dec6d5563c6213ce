import { type Directory, type TiffBytes, tag } from '../../../tiff/directory';
import { rawTag } from './directories';
import { type Entry, entriesAt, setCount } from './entries';
import { cameraIn } from './names';
import { ownValue } from './sheet';
import { overwrite, type } from './write';

/** Bytes of the longest name of a camera or its maker. */
const longest = 64;
/** How far a text may stand from its place, or its field's number from its own. */
const nearest = 4;
/** Bytes from the beginning on in which a name stands: behind the directories, before all pictures. */
const searched = 1 << 16;

/** Texts of TIFF are printable and end with a zero (TIFF 6.0, section 2). */
const isText = (text: string): boolean => /^[ -~]+\0+$/.test(text);
const isLetter = (byte = 0) => byte > 0x20 && byte < 0x7f;

const textAt = ({ bytes }: TiffBytes, at: number, count: number): string => bytes.toString('latin1', at, at + count);

/**
 * Sets the names of camera and maker right, in place, in the directory that has them: a field that is missing is the text beside the other
 * that has its name, a text that does not end where it should is the one next to it that does, and one that is nowhere near is the
 * name that the camera's notes have. Whether one was set.
 */
export function withTitles(tiff: TiffBytes, first: Directory): boolean {
  const entries = entriesAt(tiff, first.offset);
  const find = (number: number) => entries.find((entry) => entry.tag === number);
  const names = [
    [rawTag.make, 'make'],
    [rawTag.model, 'model'],
  ] as const;
  if (!names.some(([number]) => find(number)) || !(find(tag.subDirectories) || find(tag.exif))) return false;
  const wrong = names.filter(([number]) => !isWhole(tiff, find(number)));
  if (wrong.length === 0) return false;
  const { make, model } = cameraIn(tiff.bytes);
  // Where no camera is named, the maker stands for it.
  const camera = { make, model: model === make ? '' : model };
  let isSet = false;
  for (const [number, part] of wrong) {
    const own = find(number) ?? misnamed(tiff, entries, number, camera[part]);
    if (own && isNamed(tiff, own, number, camera[part])) isSet = true;
  }
  return isSet;
}

function isWhole(tiff: TiffBytes, entry: Entry | undefined): boolean {
  if (!entry || entry.type !== type.text || entry.count < 2 || entry.count > longest) return false;
  const text = textAt(tiff, entry.at, entry.count);
  // Some makers fill their fields up, or leave the zero away.
  return (
    isText(text) ||
    (/^[ -~]+[ -~\0]*$/.test(text) &&
      !isLetter(tiff.bytes[entry.at + entry.count]) &&
      !isLetter(tiff.bytes[entry.at - 1]))
  );
}

/** The entry next to where a name belongs that holds it under another number. */
function misnamed(tiff: TiffBytes, entries: readonly Entry[], number: number, name: string): Entry | undefined {
  const fits = (entry: Entry) =>
    name !== '' && entry.type === type.text && textAt(tiff, entry.at, name.length + 1) === `${name}\0`;
  return entries.find((entry, index) => {
    const [low, high] = [entries[index - 1]?.tag ?? 0, entries[index + 1]?.tag ?? Number.POSITIVE_INFINITY];
    return low < number && high >= number && Math.abs(entry.tag - number) <= nearest && fits(entry);
  });
}

/** Gives an entry the number and the text of a name; whether that stands in the file. */
function isNamed(tiff: TiffBytes, entry: Entry, number: number, name: string): boolean {
  const place = tiff.u32(ownValue(entry));
  const found =
    nearText(tiff, place, entry.count) ?? longText(tiff, place) ?? (name === '' ? null : knownText(tiff, name));
  if (!found) {
    const isBlank =
      name !== '' &&
      entry.count === name.length + 1 &&
      tiff.bytes.subarray(entry.at, entry.at + entry.count).every((byte) => byte === 0);
    if (!isBlank) return false;
    tiff.bytes.write(name, entry.at, 'latin1');
    return true;
  }
  overwrite(tiff, entry.place, number, 2);
  overwrite(tiff, entry.place + 2, type.text, 2);
  setCount(tiff, entry, found.count);
  overwrite(tiff, ownValue(entry), found.at, 4);
  return true;
}

type Text = { at: number; count: number };

/** A text of so many bytes that stands next to a place, and neither begins nor ends before or behind them. */
function nearText(tiff: TiffBytes, place: number, count: number): Text | null {
  if (count < 2 || count > longest) return null;
  for (let shift = -nearest; shift <= nearest; shift++) {
    const at = place + shift;
    if (at > 8 && isText(textAt(tiff, at, count)) && !isLetter(tiff.bytes[at - 1])) return { at, count };
  }
  return null;
}

/** A text at a place whose number of bytes is wrong. */
function longText(tiff: TiffBytes, place: number): Text | null {
  const end = place > 8 ? tiff.bytes.indexOf(0, place) : -1;
  const count = end - place + 1;
  if (count < 3 || count > longest || isLetter(tiff.bytes[place - 1])) return null;
  return isText(textAt(tiff, place, count)) ? { at: place, count } : null;
}

/** A name of a camera where it stands first. */
function knownText({ bytes }: TiffBytes, name: string): Text | null {
  const at = bytes.subarray(0, searched).indexOf(`${name}\0`, 0, 'latin1');
  return at > 8 && !isLetter(bytes[at - 1]) ? { at, count: name.length + 1 } : null;
}
