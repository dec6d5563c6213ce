import type { Effort } from '../../../report';
import type { Step } from '../../../report/facts/video';
import type { Reading } from '../../../video/session';
import type { Source } from '../../../video/source';
import { faultInPictures } from '../judged';
import { findMovie, topLevel } from '../layout';
import type { Movie } from '../movie';
import type { Track } from '../track';
import { chunkingOf } from './chunks';
import { Demuxer, nothingFound, type Span, type Wanted } from './demux';
import { pictureInStream } from './entries';
import { pictureOfAv1 } from './packed';
import { type ReadablePictures, readablePictures } from './readable';
import { pictureOfItself } from './streams';
import { readerFor, type Template, templateOf } from './template';
import { pictureByTrial } from './trial';
import { avcBySearch, avcSlicesWithin, hevcBySearch, hevcSlicesWithin } from './untold';
import { mpeg4BySearch } from './untold-mpeg4';
import { pictureOfVp9 } from './vp9';

/** A track that is looked for: what is known of it, and what was found. `twins` tracks look the same and share what is found. */
export type Wish = { template: Template; wanted: Wanted; orderRange: () => number; twins: number };

/** Which tracks to look for, and what is known of each: remains of the index first, then the sample's tracks that these leave open. */
export async function templatesFor(
  reading: Reading,
  remains: Movie | null,
  spans: readonly Span[],
  did: (step: Step) => void,
): Promise<Template[]> {
  const { source, sample } = reading;
  const own = (remains?.broken ?? []).map((track) => templateOf(track, source, true));
  const known = remains?.tracks.map((track) => templateOf(track, source, true)) ?? [];
  const movie = sample ? findMovie(sample, topLevel(sample))?.movie : null;
  const lent = sample && movie ? movie.tracks.map((track) => lentBy(movie, track, sample)) : [];
  const templates = own.map((template) => withPackets(template, lent));
  for (const template of lent) {
    const open = [...own, ...known].filter(
      ({ kind, codec }) => kind === template.kind && codec === template.codec,
    ).length;
    const taken = lent
      .slice(0, lent.indexOf(template))
      .filter(({ kind, codec }) => kind === template.kind && codec === template.codec);
    if (taken.length >= open && !(template.kind === 'vide' && [...own, ...known].some(({ kind }) => kind === 'vide')))
      templates.push(template);
  }
  if (![...known, ...templates].some(({ kind }) => kind === 'vide')) {
    for (const { from, to } of spans) {
      const found = pictureInStream(source, from, to);
      if (found) templates.push(found);
      if (found) break;
    }
    const open = !templates.some(({ kind }) => kind === 'vide');
    const tried = open
      ? ((await pictureByTrial(reading, spans, did))?.template ??
        pictureOfItself(source, spans) ??
        pictureOfAv1(source, spans) ??
        pictureOfVp9(source, spans) ??
        mpeg4BySearch(reading, spans, did) ??
        hevcBySearch(reading, hevcSlicesWithin(source, spans), did) ??
        avcBySearch(reading, avcSlicesWithin(source, spans), did))
      : null;
    if (tried) templates.push(tried);
  }
  return templates;
}

/** A track whose sizes are gone, with those of packets in a working video where nothing but these tells its packets apart. */
function withPackets(template: Template, lent: readonly Template[]): Template {
  if (template.packets || template.codec !== 'Opus') return template;
  return { ...template, packets: lent.find(({ codec }) => codec === template.codec)?.packets ?? null };
}

/** What a track of a working video tells; of PCM its chunks tell where it lies, too. */
function lentBy(movie: Movie, track: Track, sample: Source): Template {
  const template = templateOf(track, sample, false);
  return template.block > 0 ? { ...template, chunking: chunkingOf(movie, track) } : template;
}

/** Effort for ends of pictures that are read to their last bit, and for the beginnings of such as were looked for, in units. */
const endEffort = 600;
const beginEffort = 3000;

/** Tells whether bytes are one picture of MPEG-4 or H.263 up to its last bit; undefined for other codecs, and where what describes it is gone. */
function wholeness(template: Template, effort: Effort): Wanted['isWhole'] {
  const faultOf = faultInPictures(template, [], effort);
  return faultOf ? (bytes) => effort.isSpent || faultOf(bytes) === null : undefined;
}

/** What tells pictures of a track: what it learnt from them counts each time that they are looked for. */
const readers = new WeakMap<Template, ReadablePictures>();

function readableOf(template: Template, effort: Effort): ReadablePictures | undefined {
  const reader = readers.get(template) ?? readablePictures(template, effort.share(beginEffort));
  if (reader) readers.set(template, reader);
  return reader;
}

function wishesFor(templates: readonly Template[], effort: Effort): Wish[] {
  const wishes: Wish[] = [];
  const ends = effort.share(endEffort);
  for (const template of templates) {
    const twin = wishes.find(
      (wish) => wish.template.codec === template.codec && wish.template.stsd.equals(template.stsd),
    );
    const fillers = wishes.filter(({ wanted }) => wanted.reader.way === 'filler');
    const read = twin ? null : readerFor(template);
    if (twin) twin.twins++;
    if (!read || (read.reader.way === 'filler' && fillers.length > 0)) continue;
    const { reader, nal } = read;
    const wanted: Wanted = {
      reader,
      picture: template.kind === 'vide',
      block: template.block,
      first: template.packets?.first ?? null,
      chunking: template.chunking ?? null,
      learn: (set) => nal?.learn(set),
      isWhole: reader.way === 'bounded' ? wholeness(template, ends) : undefined,
      readable: readableOf(template, effort),
      found: nothingFound(),
    };
    wishes.push({ template, wanted, orderRange: () => nal?.orderRange() ?? 0, twins: 1 });
  }
  return wishes;
}

/** First bytes that most samples of a speech track have: what differs from them was found by chance. */
function usualHeads(reading: Reading, { found }: Wanted): number[] {
  const seen = new Map<number, number>();
  for (const offset of found.offsets.slice(0, 20_000)) {
    const head = reading.source.read(offset, 1)[0] ?? 0;
    seen.set(head, (seen.get(head) ?? 0) + 1);
  }
  const least = Math.min(20_000, found.offsets.length) * 0.04;
  return [...seen].filter(([, count]) => count > least).map(([head]) => head);
}

async function pass(
  reading: Reading,
  templates: readonly Template[],
  spans: readonly Span[],
): Promise<{ wishes: Wish[]; gaps: Span[] }> {
  const wishes = wishesFor(templates, reading.job.deadline.effort);
  const demuxer = new Demuxer(
    reading,
    wishes.map(({ wanted }) => wanted),
  );
  for (const span of spans) await demuxer.run(span);
  return { wishes, gaps: demuxer.gaps };
}

/** Takes the stretches apart for these templates. Speech whose modes are not known is looked for twice: at first to learn them. */
export async function demux(
  reading: Reading,
  templates: readonly Template[],
  spans: readonly Span[],
): Promise<{ wishes: Wish[]; gaps: Span[] }> {
  const begun = await pass(reading, templates, spans);
  const isMisled = begun.wishes.some(({ wanted }) => wanted.readable?.isMisled(reading.source) === true);
  const first = isMisled ? await pass(reading, templates, spans) : begun;
  const speech = first.wishes.find(
    ({ template }) => /^s(amr|awb)$/.test(template.codec) && template.heads.length === 0,
  );
  const heads = speech && speech.wanted.found.sizes.length > 20 ? usualHeads(reading, speech.wanted) : [];
  if (!speech || heads.length === 0) return first;
  const known = templates.map((template) => (template === speech.template ? { ...template, heads } : template));
  return pass(reading, known, spans);
}
