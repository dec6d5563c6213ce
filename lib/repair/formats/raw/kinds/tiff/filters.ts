import type { Entry } from './entries';
import { setCount } from './entries';
import type { Named } from './forms';
import { ownValue, type Sheet, sensorTag } from './sheet';
import { overwrite, type } from './write';

/** Which colour each of two filters by two lets through: red 0, green 1, blue 2, two greens across from each other (TIFF/EP, CFAPattern). */
const patterns = [
  [0, 1, 1, 2],
  [1, 0, 2, 1],
  [1, 2, 0, 1],
  [2, 1, 1, 0],
] as const;
const filters = 4;
const planes = [0, 1, 2] as const;

/**
 * Sets the pattern of filters right, in place, where it has two by two of them and three colours: its type, its count, and the one colour
 * by which it is none of the four patterns that there are. Of patterns with two such ways nothing is known.
 */
export function withFilters(sheet: Sheet, named: Named): void {
  const { tiff } = sheet;
  const pattern = sheet.find(sensorTag.pattern);
  const repeat = sheet.list(sensorTag.repeat);
  if (!pattern || repeat.length !== 2 || repeat.some((one) => one !== 2)) return;
  const own = ownValue(pattern);
  const told = [...tiff.bytes.subarray(own, own + filters)];
  const likely = patterns
    .map((colours) => ({ colours, wrong: colours.filter((colour, at) => colour !== told[at]).length }))
    .filter(({ wrong }) => wrong < 2);
  const [best, other] = likely;
  if (!best || (other && best.wrong === other.wrong)) return;
  const isTyped = pattern.type === type.byte || pattern.type === undefinedType;
  if (best.wrong > 0 || !isTyped || pattern.count !== filters) {
    setInside(sheet, pattern, isTyped ? pattern.type : type.byte, best.colours);
    named.add('photometric');
  }
  const plane = sheet.find(sensorTag.planes);
  if (!plane) return;
  const colours = sheet.list(sensorTag.planes);
  if (plane.type === type.byte && planes.every((one) => colours.includes(one)) && colours.length === planes.length)
    return;
  setInside(sheet, plane, type.byte, planes);
  named.add('photometric');
}

/** The type of bytes that nothing is told of (TIFF 6.0, section 2). */
const undefinedType = 7;

function setInside({ tiff }: Sheet, entry: Entry, kind: number, values: readonly number[]): void {
  overwrite(tiff, entry.place + 2, kind, 2);
  setCount(tiff, entry, values.length);
  tiff.bytes.fill(0, ownValue(entry), ownValue(entry) + 4);
  for (const [at, value] of values.entries()) tiff.bytes[ownValue(entry) + at] = value;
}
