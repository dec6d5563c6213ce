import { Buffer } from '../../host/bytes';

/** A number of the metadata, with its name and its type in front (Adobe FLV 10.1, annex E.4.4 and E.5). */
const marked = (name: string) =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name, 'latin1'), Buffer.alloc(1)]);
const marks = { duration: marked('duration'), filesize: marked('filesize') };

/** Where the value of a number of the metadata stands; -1 where there is none. */
export function placeOf(content: Buffer, name: keyof typeof marks): number {
  const at = content.indexOf(marks[name]);
  const place = at + marks[name].length;
  return at >= 0 && place + 8 <= content.length ? place : -1;
}

/** A number of the metadata; 0 where there is none. */
export function numberOf(content: Buffer, name: keyof typeof marks): number {
  const place = placeOf(content, name);
  const value = place < 0 ? 0 : content.readDoubleBE(place);
  return Number.isFinite(value) ? value : 0;
}
