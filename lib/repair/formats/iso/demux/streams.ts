import { dnxHeadBytes, dnxMark, readDnxHead } from '../../../codecs/dnx';
import { box } from '../../../core/boxes';
import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { madeTemplate, visualEntry } from './entries';
import type { Template } from './template';
import { dnxFrames, h263Frames, jpegFrames, proresFrames, type UnitReader } from './units';

/** Sizes of H.263 pictures by source format (ITU-T H.263, table 1), in pixels. */
const h263Sizes: Record<number, [number, number]> = {
  1: [128, 96],
  2: [176, 144],
  3: [352, 288],
  4: [704, 576],
  5: [1408, 1152],
};

/** Width and height in the frame header of a JPEG (ISO/IEC 10918-1, B.2.2); null when there is none. */
function jpegSize(source: Source, at: number): [number, number] | null {
  for (let place = at + 2, segment = 0; segment < 64; segment++) {
    const head = source.read(place, 9);
    if (head.length < 9 || head[0] !== 0xff) return null;
    const marker = head[1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2) return [head.readUInt16BE(7), head.readUInt16BE(5)];
    place += 2 + head.readUInt16BE(2);
  }
  return null;
}

type Kind = { mark: Buffer; back: number; reader: UnitReader; make: (source: Source, at: number) => Buffer | null };

const empty = Buffer.alloc(0);

/** Codecs whose pictures tell everything themselves, by bytes that each begins with. */
const kinds: Kind[] = [
  {
    mark: Buffer.from([0xff, 0xd8, 0xff]),
    back: 0,
    reader: jpegFrames,
    make: (source, at) => {
      const size = jpegSize(source, at);
      return size && visualEntry('jpeg', ...size, empty);
    },
  },
  {
    mark: Buffer.from('icpf'),
    back: 4,
    reader: proresFrames,
    make: (source, at) => {
      const head = source.read(at + 16, 4);
      return head.length === 4 ? visualEntry('apcn', head.readUInt16BE(0), head.readUInt16BE(2), empty) : null;
    },
  },
  {
    mark: Buffer.from(dnxMark),
    back: 0,
    reader: dnxFrames,
    make: (source, at) => {
      const head = readDnxHead(source.read(at, dnxHeadBytes));
      return head && visualEntry(head.isScaled ? 'AVdh' : 'AVdn', head.width, head.height, empty);
    },
  },
  {
    mark: Buffer.from([0, 0, 0x80]),
    back: 0,
    reader: h263Frames,
    make: (source, at) => {
      const size = h263Sizes[((source.read(at + 4, 1)[0] ?? 0) >> 2) & 7];
      return size ? visualEntry('s263', ...size, box('d263', Buffer.from('mend\0\x0a\0', 'latin1'))) : null;
    },
  },
];

/** How far the beginning of the data is searched, in bytes. */
const searched = 8 << 20;

/** Pictures that make it certain. */
const enough = 3;

/** What the pictures of one kind in these stretches are, whether they lie together or apart; null where they are of another kind. */
function entryIn(source: Source, spans: readonly Span[], { mark, back, reader, make }: Kind): Buffer | null {
  let hits = 0;
  let entry: Buffer | null = null;
  for (const { from, to } of spans) {
    const end = Math.min(to, from + searched);
    for (let at = source.find(mark, from, end); at >= 0 && hits < enough; at = source.find(mark, at + 1, end)) {
      const unit = reader.measure(source, at - back, to);
      if (!unit || (hits === 0 && !unit.key)) continue;
      entry ??= make(source, at - back);
      if (entry) hits++;
      at += Math.max(0, unit.size - back - 1);
    }
    if (hits >= enough) return entry;
  }
  return null;
}

/** Picture of a stream of Motion JPEG, ProRes, DNxHD, DNxHR or H.263, told by its first pictures; null when it is none of them. */
export function pictureOfItself(source: Source, spans: readonly Span[]): Template | null {
  for (const kind of kinds) {
    const entry = entryIn(source, spans, kind);
    if (entry) return madeTemplate('vide', entry, 30000, 0);
  }
  return null;
}
