import { Buffer } from '../../host/bytes';
import { counted, type Outcome } from '../../report';
import { readOutput, type Session, writeOutput } from '../session';
import type { Source } from '../source';
import { after, type Movi, walkChunks } from './chunks';
import { freshHeaders, patchHeaders } from './headers';

type Survey = { head: Buffer | null; movi: Movi; riffOk: boolean; moviOk: boolean; indexOk: boolean };

/** The header list wherever it is: LIST of kind hdrl with a stream in it; its size is measured by what follows when it is wrong. */
function findHead(source: Source, before: number): Buffer | null {
  const at = source.find(Buffer.from('hdrlavih'), 0, Math.min(source.size, 1 << 22));
  if (at < 8) return null;
  const length = source.read(at - 4, 4).readUInt32LE(0);
  const end = at + length <= before && length > 64 ? at + length : before;
  if (end <= at) return null;
  const list = source.copy(at - 8, Math.min(end - at + 8, 1 << 22));
  list.write('LIST', 0, 'latin1');
  list.writeUInt32LE(list.length - 8, 4);
  return list.includes('strh') && list.includes('strf') ? list : null;
}

/** Whether every entry of idx1 names the chunk that lies at its place, counted from `movi` or from the start of the file. */
function checkIndex(source: Source, movi: Movi): boolean {
  const wanted = new Map(movi.chunks.map((one) => [one.offset, one.id]));
  const at = source.find(Buffer.from('idx1'), movi.end > 0 ? Math.max(0, movi.start) : 0);
  if (at < 0) return false;
  const count = Math.floor(Math.min(source.size - at - 8, source.read(at + 4, 4).readUInt32LE(0)) / 16);
  if (count === 0) return false;
  for (const base of [movi.start - 4, 0]) {
    let good = 0;
    for (let index = 0; index < count; index++) {
      const entry = source.read(at + 8 + index * 16, 16);
      const id = entry.toString('latin1', 0, 4);
      if (id === 'rec ' || wanted.get(entry.readUInt32LE(8) + base) === id) good++;
    }
    if (good === count) return true;
  }
  return false;
}

async function survey(session: Session, source: Source, from: number, to: number): Promise<Survey> {
  const list = source.find(Buffer.from('movi'), 0);
  const first = list >= 0 ? list + 4 : 0;
  const movi = await walkChunks(session, source, first, from, to);
  const top = source.copy(0, 12);
  const size = top.length === 12 ? top.readUInt32LE(4) + 8 : 0;
  const next = size < source.size ? source.read(size + (size & 1), 4).toString('latin1') : 'RIFF';
  const riffOk =
    top.toString('latin1', 0, 4) === 'RIFF' &&
    top.toString('latin1', 8) === 'AVI ' &&
    size > first &&
    size <= source.size + 1 &&
    (next === 'RIFF' || movi.chunks.every((one) => one.offset < size));
  const stated = list >= 8 ? source.read(list - 4, 4).readUInt32LE(0) + list : 0;
  const own = movi.chunks.filter((one) => one.offset < size);
  const moviOk =
    list >= 8 &&
    source.read(list - 8, 4).toString('latin1') === 'LIST' &&
    stated <= source.size + 1 &&
    own.every((one) => after(one) <= stated + 1);
  // Where the list of the pictures has lost its name, the headers end before the first of them at the latest.
  const head = findHead(source, list >= 8 ? list - 8 : (movi.chunks[0]?.offset ?? source.size));
  const flags = head ? head.readUInt32LE(12 + 8 + 12) : 0;
  // Without AVIF_HASINDEX no index is promised.
  const indexOk =
    checkIndex(source, movi) || ((flags & 0x10) === 0 && head !== null) || (head?.includes('indx') ?? false);
  return { head, movi, riffOk, moviOk, indexOk };
}

/** Checks and repairs AVI (AVI RIFF File Reference, OpenDML 1.02): sizes, header lists and the index, from the chunks themselves. */
export async function repairAvi(session: Session): Promise<Outcome> {
  const { source, draft, job, tell } = session;
  const seen = await survey(session, source, 0, 0.4);
  const { movi } = seen;
  const frames = movi.chunks.filter(({ id, length }) => length > 0 && /dc|db/.test(id)).length;
  const sounds = movi.chunks.filter(({ id }) => /wb/.test(id)).length;
  if (seen.head && seen.riffOk && seen.moviOk && seen.indexOk && movi.gaps.length === 0 && frames + sounds > 0)
    return draft.healthy('Nothing is wrong with this video; you get it back as it was.');
  if (frames + sounds === 0)
    return draft.unrepairable('No picture or sound was found in this file, so there is nothing to bring back.');
  if (!seen.riffOk) draft.find('header', 'The size or name at the beginning of the file was wrong.', 0);
  if (!seen.moviOk) draft.find('structure', 'The size of the part with the pictures was wrong.', movi.start - 8);
  if (!seen.indexOk) draft.find('index', 'The index was missing or did not fit the file.');
  for (const gap of movi.gaps)
    draft.find('gap', `${counted(gap.length, 'byte')} did not hold whole pictures or sound.`, gap.offset);
  let head = seen.head ? patchHeaders(seen.head, movi) : null;
  let chunks = movi.chunks;
  if (!head) {
    draft.find('headers', 'The description of picture and sound was missing.', 0);
    const borrowed = session.sample
      ? findHead(session.sample, Math.max(0, session.sample.find(Buffer.from('movi'), 0) - 8))
      : null;
    const fresh = borrowed ? null : freshHeaders(source, movi);
    if (borrowed) {
      head = patchHeaders(borrowed, movi);
      draft.note('The description of picture and sound was taken from the working video that you added.');
    } else if (fresh) {
      head = fresh.list;
      const shown = `${Math.round(fresh.rate * 100) / 100} frames a second`;
      draft.note(
        fresh.guessed
          ? `The pictures are shown at ${shown}, which is a guess: the file no longer says.`
          : `The pictures are shown at ${shown}, told from the pictures or from the length of the sound.`,
      );
      if (fresh.sounds.length > 0) draft.note(`Sound told from its data: ${fresh.sounds.join('; ')}.`);
      else if (sounds > 0) {
        chunks = movi.chunks.filter(({ id }) => /d[cb]$/.test(id));
        draft.lost.push({ unit: 'sound packets', count: sounds, detail: 'whose format could not be told' });
      }
    } else draft.wantsSample = true;
  }
  if (!head)
    return draft.unrepairable(
      'The description of picture and sound is gone. A working video from the same camera would help.',
    );
  const list = head;
  const output = await writeOutput(job, async (sink) => {
    sink.write(Buffer.from('RIFF\0\0\0\0AVI ', 'latin1'));
    sink.write(list);
    const start = sink.position;
    sink.write(Buffer.from('LIST\0\0\0\0movi', 'latin1'));
    const index = Buffer.alloc(chunks.length * 16);
    for (const [number, one] of chunks.entries()) {
      const begin = source.read(one.offset + 8, 64);
      const key = !/dc|db/.test(one.id) || isKey(begin);
      index.write(one.id, number * 16, 'latin1');
      index.writeUInt32LE(key ? 0x10 : 0, number * 16 + 4);
      index.writeUInt32LE(sink.position - start - 8, number * 16 + 8);
      index.writeUInt32LE(one.length, number * 16 + 12);
      sink.take(source, one.offset, 8 + one.length);
      if (one.length & 1) sink.write(Buffer.alloc(1));
      if ((number & 255) === 0) await tell(one.offset, 0.4, 0.8);
    }
    const size = (value: number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(value);
      return bytes;
    };
    const end = sink.position;
    sink.write(Buffer.concat([Buffer.from('idx1'), size(index.length), index]));
    const total = sink.position;
    sink.patch(4, size(total - 8));
    sink.patch(start + 4, size(end - start - 8));
  });
  const again = await readOutput(job, (written) => survey(session, written, 0.8, 0.95));
  if (
    !again.head ||
    !again.riffOk ||
    !again.moviOk ||
    !again.indexOk ||
    again.movi.gaps.length > 0 ||
    again.movi.chunks.length !== chunks.length
  )
    return draft.unrepairable('The rebuilt video did not pass its own check, so it is not handed out.');
  if (frames > 0) draft.kept.push({ unit: 'frames', count: frames });
  if (sounds > 0 && chunks.some(({ id }) => /wb/.test(id))) draft.kept.push({ unit: 'sound packets', count: sounds });
  const lost = movi.gaps.reduce((sum, gap) => sum + gap.length, 0);
  if (lost > 0)
    draft.lost.push({ unit: 'bytes', count: lost, detail: 'of pictures and sound that were cut or overwritten' });
  draft.step('rebuild', 'Sizes and index were written anew from the pictures and sound themselves.');
  return draft.done(output, {
    repaired: 'The video is repaired: every picture and sound packet is kept.',
    partly: 'The video plays again; the damaged pictures and sound are left out.',
  });
}

/** Whether a frame stands alone, by its first bytes: JPEG, MPEG-4's intra pictures, H.264's IDR or parameter sets; others are taken to. */
function isKey(begin: Buffer): boolean {
  const object = begin.indexOf(Buffer.from([0, 0, 1, 0xb6]));
  if (object >= 0 && object + 4 < begin.length) return ((begin[object + 4] ?? 0) & 0xc0) === 0;
  const nal = begin.indexOf(Buffer.from([0, 0, 1]));
  if (nal >= 0 && nal < 2 && nal + 3 < begin.length) return [5, 7, 6].includes((begin[nal + 3] ?? 0) & 31);
  return true;
}
