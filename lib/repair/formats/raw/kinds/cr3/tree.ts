import { topBoxes } from '../../../../core/boxes';
import { Buffer } from '../../../../host/bytes';
import { TiffBytes } from '../../../tiff/directory';
import { directoriesOf } from '../tiff/directories';

/** The boxes that cameras put into a box (ISO/IEC 14496-12, 6.2.3; Canon's own), and what stands before the first one, in bytes. */
const levels: Record<string, { head: number; names: readonly string[]; needed: readonly string[] }> = {
  moov: { head: 8, names: ['uuid', 'mvhd', 'trak', 'free', 'udta'], needed: ['mvhd'] },
  trak: { head: 8, names: ['tkhd', 'mdia', 'edts', 'free'], needed: ['tkhd', 'mdia'] },
  mdia: { head: 8, names: ['mdhd', 'hdlr', 'minf', 'free'], needed: ['minf'] },
  minf: { head: 8, names: ['vmhd', 'nmhd', 'smhd', 'dinf', 'stbl', 'free'], needed: ['stbl'] },
  stbl: {
    head: 8,
    names: ['stsd', 'stts', 'stsc', 'stsz', 'co64', 'stco', 'stss', 'sdtp', 'free'],
    needed: ['stsd', 'stsz', 'co64'],
  },
  stsd: { head: 16, names: ['CRAW', 'CTMD', 'free'], needed: [] },
  canon: {
    head: 24,
    names: ['CNCV', 'CCTP', 'CTBO', 'CNOP', 'CNDB', 'CMT1', 'CMT2', 'CMT3', 'CMT4', 'THMB', 'free'],
    needed: ['CMT1'],
  },
};

/** Canon's box of notes by its identity. */
const canonId = Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex');
/** Bytes of descriptions that are looked into, boxes of one level, and boxes that are set right. */
const mostBytes = 1 << 24;
const mostBoxes = 64;
const mostSet = 8;

/** The level that a box opens; null where it holds no boxes. */
function levelOf(bytes: Buffer, at: number, type: string): string | null {
  if (type === 'uuid') return bytes.subarray(at + 8, at + 24).equals(canonId) ? 'canon' : null;
  return type in levels && type !== 'moov' && type !== 'canon' ? type : null;
}

const typeAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at + 4, at + 8);

/**
 * A CR3 with the sizes and names of the boxes of its descriptions set right: a box goes on up to the next one of its level, or to the end of
 * the one that it stands in, and the only needed one that is missing is the one with a name that there is not. Null where all boxes fit, or where they do
 * not then.
 */
export function settledBoxes(bytes: Buffer): Buffer | null {
  const moov = topBoxes(bytes).boxes.find(({ type }) => type === 'moov');
  if (!moov || moov.end > bytes.length || moov.end - moov.offset > mostBytes) return null;
  const data = Buffer.from(bytes);
  const work = { data, set: 0 };
  const isWhole = isSettled(work, moov.offset, moov.end, 'moov');
  return isWhole && work.set > 0 && work.set <= mostSet ? data : null;
}

/** What names of boxes look like (ISO/IEC 14496-12, 4.2: four printable characters). */
const boxName = /^[A-Za-z][A-Za-z0-9 ]{3}$/;

type Work = { data: Buffer; set: number };

/** Walks the boxes in a box, and sets right what does not fit; whether they fill it then. */
function isSettled(work: Work, offset: number, end: number, level: string): boolean {
  const { data } = work;
  const { head = 8, names = [], needed = [] } = levels[level] ?? {};
  const found: { at: number; type: string }[] = [];
  for (let at = offset + head; at < end; ) {
    if (at + 8 > end || found.length >= mostBoxes || work.set > mostSet) return false;
    const size = data.readUInt32BE(at);
    const isNamed = (place: number) => place === end || (place + 8 <= end && names.includes(typeAt(data, place)));
    // Behind a box with a name that there is not stands one that has one, or the end. Cameras to come may have boxes that are not known
    // here: letters and a length that fit are believed, too.
    const isBox = (place: number) => boxName.test(typeAt(data, place)) || isNamed(place + data.readUInt32BE(place));
    const isNext = (place: number) => isNamed(place) || (isRoomFor(data, place, end) && isBox(place));
    const isRoom = size >= 8 && at + size <= end;
    let next = at + size;
    // A box with a name that there is not may still be as long as it says.
    if (!isRoom || (!isNext(next) && names.includes(typeAt(data, at)))) {
      next = nextOf(data, at, end, names);
      data.writeUInt32BE(next - at, at);
      work.set++;
    }
    found.push({ at, type: typeAt(data, at) });
    at = next;
  }
  if (!areNamed(work, found, names, needed)) return false;
  return found.every(({ at }) => {
    const type = typeAt(data, at);
    if (level === 'canon' && type.startsWith('CMT')) setHead(work, at);
    const inner = levelOf(data, at, type);
    return inner === null || isSettled(work, at, at + data.readUInt32BE(at), inner);
  });
}

const isRoomFor = (data: Buffer, place: number, end: number): boolean =>
  place + 8 <= end && data.readUInt32BE(place) >= 8 && place + data.readUInt32BE(place) <= end;

/** Gives boxes with names that there are not the one of what is in them, or the only needed one that is missing; whether none is missing then. */
function areNamed(
  work: Work,
  found: { at: number; type: string }[],
  names: readonly string[],
  needed: readonly string[],
): boolean {
  const { data } = work;
  const isMissing = (name: string) => !found.some(({ type }) => type === name);
  for (const one of found) {
    const { at, type } = one;
    const isCanon =
      names.includes('uuid') &&
      (type === 'uuid' || !names.includes(type)) &&
      typeAt(data, at + canonHead) === firstNote;
    if (isCanon && (type !== 'uuid' || levelOf(data, at, type) === null)) {
      data.write('uuid', at + 4, 'latin1');
      canonId.copy(data, at + 8);
      one.type = 'uuid';
      work.set++;
    }
    if (names.includes(type) && !(type === 'free' && needed.some(isMissing))) continue;
    const lost = needed.filter(isMissing);
    const name = names.find((each) => opens(data, at, each)) ?? (lost.length === 1 ? lost[0] : undefined);
    if (name === undefined || one.type === name) continue;
    data.write(name, at + 4, 'latin1');
    one.type = name;
    work.set++;
  }
  return !needed.some(isMissing);
}

const canonHead = levels.canon?.head ?? 0;
const firstNote = 'CNCV';

/** Whether the first box in one at a place is one of those that a name asks for. */
function opens(data: Buffer, at: number, name: string): boolean {
  if (name === 'CRAW') return ['CMP1', 'JPEG', 'HEVC'].includes(typeAt(data, at + entryBytes));
  const inner = name === 'moov' || name === 'canon' ? undefined : levels[name];
  return inner?.names.filter((each) => each !== 'free').includes(typeAt(data, at + inner.head)) ?? false;
}

/** Bytes of a sample entry before the boxes in it (ISO/IEC 14496-12, 12.1.3, and four more of Canon's). */
const entryBytes = 90;

/** Notes are a TIFF whose directory stands behind its head, as Canon's cameras write them. */
const noteHead = Buffer.from('49492a0008000000', 'hex');

function setHead(work: Work, at: number): void {
  const { data } = work;
  const own = data.subarray(at + 8, at + data.readUInt32BE(at));
  if (own.length < noteHead.length || own.subarray(0, noteHead.length).equals(noteHead)) return;
  const isLed = directoriesOf(own)?.found.length ?? 0;
  if (isLed > 0 || !new TiffBytes(own, true).directory(noteHead.length)) return;
  noteHead.copy(own);
  work.set++;
}

/** Where the next box of a level begins behind one at a place, or where that level ends. */
function nextOf(data: Buffer, at: number, end: number, names: readonly string[]): number {
  for (let place = at + 8; place + 8 <= end; place++) {
    const first = data[place + 4] ?? 0;
    if (first < lowest || !names.includes(typeAt(data, place))) continue;
    const size = data.readUInt32BE(place);
    if (size >= 8 && place + size <= end) return place;
  }
  return end;
}

/** The least letter that a name begins with. */
const lowest = 0x41;
