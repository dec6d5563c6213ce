import { type Box, box, boxesIn } from '../../../../core/boxes';
import { Buffer } from '../../../../host/bytes';
import { TiffBytes } from '../../../tiff/directory';
import { cameraIn } from '../tiff/names';
import { directoryBytes, type } from '../tiff/write';
import { mostTracks, type Track, trackOf } from './tracks';

/** Bytes from the beginning on in which descriptions are looked for: cameras write them before all pictures. */
const searched = 1 << 22;
/** Places at which a name is tried. */
const mostTried = 200;

/** Canon's own boxes, by their number (ISO/IEC 14496-12, 4.2, extended types): what it notes, and the pictures and texts behind. */
const own = {
  notes: Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex'),
  texts: Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'),
  preview: Buffer.from('eaf42b5e1c984b88b9fbb7dc406e4d16', 'hex'),
} as const;
const idBytes = 16;

/** Boxes of notes in the order in which cameras write them; those of descriptions hold a TIFF each. */
const named = ['CNCV', 'CCTP', 'CTBO', 'CMT1', 'CMT2', 'CMT3', 'CMT4', 'THMB'] as const;
/** Notes without which something is missing that the camera told of itself, of the photo, and of its settings. */
const described: readonly string[] = ['CMT1', 'CMT2', 'CMT3'];
const orders = ['II\x2a\0', 'MM\0\x2a'] as const;
/** Where a directory stands behind the head of a TIFF. */
const firstDirectory = 8;
/** Tags of a camera's name (TIFF 6.0, section 8). */
const tags = { make: 271, model: 272 } as const;

/** What is found of the descriptions of a CR3 without following them from the beginning. */
export type Found = {
  tracks: Track[];
  /** The box of the camera's notes, and those that stand behind all tracks. */
  notes: Buffer;
  behind: Buffer[];
  /** The box of the film's length. */
  film: Buffer;
  /** Some of the notes are lost. */
  isBare: boolean;
};

/** Looks for tracks and notes by their names; null where no track tells of sensor data. */
export function foundIn(bytes: Buffer): Found | null {
  const tracks: Track[] = [];
  for (const one of boxesNamed(bytes, 'trak')) {
    const track = trackOf(bytes, one);
    if (track && tracks.length < mostTracks) tracks.push(track);
  }
  if (!tracks.some(({ shape }) => shape)) return null;
  const whole = ownBox(bytes, own.notes);
  const isWhole = whole !== null && boxesIn(whole, 8 + idBytes, whole.length).whole;
  const { notes, isBare } = isWhole ? { notes: whole, isBare: !isDescribed(whole) } : notesOf(bytes);
  const film = [...boxesNamed(bytes, 'mvhd')].find((one) => one.end - one.offset === filmBytes);
  return {
    tracks,
    notes,
    isBare,
    behind: [own.texts, own.preview].flatMap((id) => ownBox(bytes, id) ?? []),
    film: film ? bytes.subarray(film.offset, film.end) : newFilm(),
  };
}

/** The boxes with a name that stand anywhere near the beginning and end within the file; those inside one that was given are left out. */
function* boxesNamed(bytes: Buffer, name: string): Generator<Box> {
  const to = Math.min(bytes.length, searched);
  let at = bytes.indexOf(name, 0, 'latin1');
  for (let tries = 0; at >= 4 && at < to && tries < mostTried; tries++) {
    const [offset, size] = [at - 4, bytes.readUInt32BE(at - 4)];
    const isBox = size >= 8 && offset + size <= to;
    if (isBox) yield { type: name, offset, body: at + 4, end: offset + size };
    at = bytes.indexOf(name, isBox ? offset + size : at + 4, 'latin1');
  }
}

/** Canon's box with this number, which stands behind its name; null where none stands whole. */
function ownBox(bytes: Buffer, id: Buffer): Buffer | null {
  const at = bytes.subarray(0, searched).indexOf(id);
  if (at < 8 || bytes.toString('latin1', at - 4, at) !== 'uuid') return null;
  const size = bytes.readUInt32BE(at - 8);
  return size >= 8 + idBytes && at - 8 + size <= bytes.length ? bytes.subarray(at - 8, at - 8 + size) : null;
}

/** The notes that still stand, and the camera's name in place of those that told it. */
function notesOf(bytes: Buffer): { notes: Buffer; isBare: boolean } {
  const parts: Buffer[] = [];
  let isBare = false;
  for (const name of named) {
    const found = [...boxesNamed(bytes, name)].find((one) => !name.startsWith('CMT') || isTiff(bytes, one));
    if (found) parts.push(bytes.subarray(found.offset, found.end));
    else if (described.includes(name)) isBare = true;
    if (!found && name === 'CMT1') parts.push(box(name, newCamera(bytes)));
  }
  return { notes: box('uuid', own.notes, ...parts), isBare };
}

const isDescribed = (notes: Buffer): boolean => {
  const { boxes } = boxesIn(notes, 8 + idBytes, notes.length);
  return described.every((name) => boxes.some((one) => one.type === name && isTiff(notes, one)));
};

function isTiff(bytes: Buffer, { body, end }: Box): boolean {
  const order = bytes.toString('latin1', body, body + 4);
  const tiff = new TiffBytes(bytes.subarray(body, end), order === orders[0]);
  return orders.some((one) => one === order) && tiff.directory(tiff.u32(4)) !== null;
}

/** A TIFF that names the camera and nothing else. */
function newCamera(bytes: Buffer): Buffer {
  const { make, model } = cameraIn(bytes);
  const names = [
    { tag: tags.make, type: type.text, text: make },
    { tag: tags.model, type: type.text, text: model },
  ] as const;
  return Buffer.concat([
    Buffer.from(`${orders[0]}\x08\0\0\0`, 'latin1'),
    directoryBytes(names, firstDirectory, 0, true),
  ]);
}

/** Bytes of the box of a film's length in its shorter version, and where it tells units and the number of the next track (ISO/IEC 14496-12, 8.2.2). */
const filmBytes = 108;
const filmAt = { units: 20, nextTrack: 104 } as const;

function newFilm(): Buffer {
  const film = Buffer.alloc(filmBytes);
  film.writeUInt32BE(filmBytes, 0);
  film.write('mvhd', 4, 'latin1');
  film.writeUInt32BE(1, filmAt.units);
  film.writeUInt32BE(mostTracks, filmAt.nextTrack);
  return film;
}
