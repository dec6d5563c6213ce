import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import {
  batchHead,
  Description,
  essenceData,
  hexAt,
  idOf,
  isLed,
  isWholeBatch,
  leadsOf,
  pcm,
  primer,
  primersOf,
  reference,
  sizes,
  streamsOf,
  tag,
  untold,
  wordOf,
} from './description';
import type { Klv } from './klv';
import { bytesOf, fillsFrom, itemHead, itemOf, valueAt } from './sets';

/** Writes a number of so many bytes, most significant first, over what is read from an offset on. */
function mendNumber(source: Source, offset: number, value: number, bytes: number): void {
  for (let at = 0; at < bytes; at++) source.mend(offset + at, Math.floor(value / 2 ** (8 * (bytes - 1 - at))) % 256);
}

function mendBytes(source: Source, offset: number, value: Uint8Array): void {
  for (const [at, byte] of value.entries()) source.mend(offset + at, byte);
}

/** Items of a set whose length is tried: sets of header metadata have some twenty. */
const mostTried = 64;

/** Sets whose items do not fill them, with the one length set right by which they do, where it is that of an item of one size. */
function mendLengths(source: Source, { sets }: Description): void {
  for (const { klv, items } of sets.filter((set) => !set.isFilled)) {
    const bytes = bytesOf(source, klv);
    const wrong = items.slice(0, mostTried).find(({ tag: own, offset }) => {
      const size = sizes.get(own);
      return size !== undefined && fillsFrom(bytes, offset - klv.body + itemHead + size);
    });
    if (wrong) mendNumber(source, wrong.offset + 2, sizes.get(wrong.tag) ?? 0, 2);
  }
}

/** Batches whose count or size is not that of the references which they hold. */
function mendBatches(source: Source, { sets }: Description): void {
  for (const set of sets)
    for (const own of [tag.packages, tag.essenceData, tag.tracks, tag.components, tag.descriptors]) {
      const item = itemOf(set, own);
      const count = ((item?.value.length ?? 0) - batchHead) / reference;
      if (!item || isWholeBatch(item.value) || !Number.isInteger(count) || count < 0) continue;
      mendNumber(source, item.offset + itemHead, count, 4);
      mendNumber(source, item.offset + itemHead + 4, reference, 4);
    }
}

/** The one reference that leads nowhere, and the one set to which none leads and to which it may: that set gets the identifier. */
function mendIdentifier(source: Source, description: Description): void {
  const all = description.sets.flatMap((set) => leadsOf(set).leads);
  const led = new Set(all.map(({ id }) => id));
  const [lost, other] = all.filter((lead) => !isLed(description, lead));
  if (!lost || other) return;
  const alone = description.sets.filter((set) => lost.rule.usual.test(set.kind) && !led.has(idOf(set)));
  const [found] = alone;
  const own = found && itemOf(found, tag.instance);
  if (alone.length === 1 && own?.value.length === reference)
    mendBytes(source, own.offset + itemHead, Buffer.from(lost.id, 'hex'));
}

/** Values of four bytes that a set of samples may have. */
const usualBits = [8, 16, 20, 24, 32];

/** Bits of samples by the bytes that all channels take together, or those by bits. */
function mendSamples(source: Source, { sets }: Description): void {
  for (const set of sets.filter((one) => pcm.test(one.kind))) {
    const bits = itemOf(set, tag.bits);
    const align = itemOf(set, tag.align);
    const channels = wordOf(set, tag.channels);
    const told = wordOf(set, tag.bits);
    if (!bits || !align || !channels || told === null || align.value.length !== 2) continue;
    const each = align.value.readUInt16BE(0) / channels;
    if (Math.ceil(told / 8) === each) continue;
    if (usualBits.includes(told)) mendNumber(source, align.offset + itemHead, Math.ceil(told / 8) * channels, 2);
    else if (usualBits.includes(each * 8)) mendNumber(source, bits.offset + itemHead, each * 8, 4);
  }
}

/** The track that a descriptor names and its package lacks: the one track of essence that none names gets the number, or it that track's. */
function mendTracks(source: Source, description: Description): void {
  const clips = new Set(description.sets.map((set) => wordOf(set, tag.sourceTrack)));
  for (const file of description.files) {
    const [lost, other] = untold(description, file);
    const named = new Set(description.sets.map((set) => wordOf(set, tag.linkedTrack)));
    const alone = description
      .tracksOf(file)
      .filter((set) => wordOf(set, tag.trackNumber) && !named.has(wordOf(set, tag.trackId)));
    const [track] = alone;
    const link = lost && itemOf(lost, tag.linkedTrack);
    const own = track && itemOf(track, tag.trackId);
    if (!link || !own || other || alone.length !== 1) continue;
    const [wrong, right] = clips.has(link.value.readUInt32BE(0)) ? [own, link] : [link, own];
    mendBytes(source, wrong.offset + itemHead, right.value);
  }
}

/** The package of essence that is none of those there: the one with a descriptor to which nothing is linked is meant. */
function mendPackages(source: Source, description: Description): void {
  const data = description.of(essenceData);
  const files = description.files;
  const named = new Set(files.map((set) => hexAt(set, tag.package)));
  const linked = new Set(data.map((set) => hexAt(set, tag.linkedPackage)));
  const lost = data.filter((set) => !named.has(hexAt(set, tag.linkedPackage)));
  const alone = files.filter((set) => valueAt(set, tag.descriptor) && !linked.has(hexAt(set, tag.package)));
  const [from, to] = [lost[0] && itemOf(lost[0], tag.linkedPackage), alone[0] && itemOf(alone[0], tag.package)];
  if (lost.length !== 1 || alone.length !== 1 || !from || !to) return;
  const clips = new Set(description.sets.map((set) => hexAt(set, tag.sourcePackage)));
  const [wrong, right] = clips.has(from.value.toString('hex')) ? [to, from] : [from, to];
  if (wrong.value.length === right.value.length) mendBytes(source, wrong.offset + itemHead, right.value);
}

/** The track that a clip names and its package lacks, where that package has one track that no clip names. */
function mendClips(source: Source, description: Description): void {
  for (const file of description.files) {
    const clips = description.sets.filter((set) => hexAt(set, tag.sourcePackage) === hexAt(file, tag.package));
    const named = new Set(clips.map((set) => wordOf(set, tag.sourceTrack)));
    const tracks = description.tracksOf(file).map((set) => wordOf(set, tag.trackId));
    const [lost, other] = clips.filter((set) => !tracks.includes(wordOf(set, tag.sourceTrack)));
    const numbered = description.tracksOf(file).filter((set) => wordOf(set, tag.trackNumber));
    const [alone, another] = numbered.map((set) => wordOf(set, tag.trackId)).filter((id) => !named.has(id));
    const item = lost && itemOf(lost, tag.sourceTrack);
    if (item?.value.length === 4 && !other && alone && another === undefined)
      mendNumber(source, item.offset + itemHead, alone, 4);
  }
}

/** The stream of essence of the one package, where partitions hold one. */
function mendStream(source: Source, description: Description, all: readonly Klv[]): void {
  const [data, other] = description.of(essenceData);
  const [stream, another] = streamsOf(source, all);
  const item = data && itemOf(data, tag.stream);
  if (item && !other && stream !== undefined && another === undefined && item.value.length === 4)
    mendNumber(source, item.offset + itemHead, stream, 4);
}

/**
 * Sets right in the source what header metadata tells twice or can only be one way (SMPTE 377-1, annexes A and B): lengths of items of one
 * size, counts of batches, identifiers that one reference is left for, track and package numbers, and the size of samples.
 */
export function relink(source: Source, klvs: readonly Klv[], all: readonly Klv[]): void {
  for (const { body, count } of primersOf(klvs))
    if (Number.isInteger(count)) {
      mendNumber(source, body, count, 4);
      mendNumber(source, body + 4, primer.tag, 4);
    }
  for (const mend of [mendLengths, mendBatches, mendIdentifier, mendPackages, mendTracks, mendClips, mendSamples])
    mend(source, new Description(source, klvs));
  mendStream(source, new Description(source, klvs), all);
}
