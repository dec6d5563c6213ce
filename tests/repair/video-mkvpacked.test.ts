import { describe, expect, it } from 'vitest';
import { element, ids } from '../../lib/repair/formats/matroska/elements';
import { deflate } from '../../lib/repair/host/packing';
import { all, inside, type Node, parse, write } from './support/elements';
import { repairBytes } from './support/run';
import { fixtureOf } from './support/videos';

/** Bytes of a block in front of its frame, where the number of its track takes one (RFC 9559, 10.1). */
const headBytes = 4;
const pictures = 0x81;

/** Blocks of the pictures, each of one frame. */
const blocksOf = (root: Node[]): (Node & { content: Buffer })[] =>
  all(root, ids.simpleBlock).filter(
    (node): node is Node & { content: Buffer } => Buffer.isBuffer(node.content) && node.content[0] === pictures,
  );

/** Matroska of which the pictures are stored in another way: each frame as `change` makes it, and with more in the entry of their track. */
function stored(change: (frame: Buffer, index: number) => Buffer, entry: (children: Node[]) => void): Node[] {
  const root = parse(fixtureOf('avc.mkv'));
  for (const [index, block] of blocksOf(root).entries()) {
    const head = block.content.subarray(0, headBytes);
    block.content = Buffer.concat([head, change(block.content.subarray(headBytes), index)]);
  }
  const [track] = all(root, ids.trackEntry);
  entry(inside(track as Node));
  // What the cues and check sums said is not so any more.
  for (const node of [root[1] as Node, ...all(root, ids.cluster)])
    node.content = inside(node).filter(({ id }) => id !== ids.cues && id !== ids.seekHead && id !== ids.crc);
  return root;
}

const encodings = (...compression: Buffer[]): Node => ({
  id: ids.contentEncodings,
  content: element(ids.contentEncoding, element(ids.contentCompression, Buffer.concat(compression))),
});
const zlib = () =>
  stored(
    (frame) => Buffer.from(deflate(frame)),
    (children) => void children.push(encodings()),
  );

/** The pictures of an AVI in Motion JPEG, and Matroska that names it as AVI does, without the first bytes of each where those are `stripped`. */
const jpegs = (() => {
  const bytes = fixtureOf('mjpeg.avi');
  const found: Buffer[] = [];
  const name = Buffer.from('00dc');
  for (let at = bytes.indexOf(name); at >= 0 && at < bytes.indexOf('idx1'); at = bytes.indexOf(name, at + 4))
    found.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4)));
  return found.filter((frame) => frame.length > 2 && frame.readUInt16BE(0) === 0xffd8);
})();
function motionJpeg(change: (frame: Buffer, index: number) => Buffer, stripped = 0): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.write('MJPG', 16, 'latin1');
  const [first] = jpegs;
  if (!first) throw new Error('The pictures could not be found.');
  const root = stored(
    (_, index) => change(Buffer.from(jpegs[index % jpegs.length] ?? first), index).subarray(stripped),
    (children) => {
      for (const child of children) {
        if (child.id === ids.codecId) child.content = Buffer.from('V_MS/VFW/FOURCC');
        if (child.id === ids.codecPrivate) child.content = header;
      }
      const rest = [
        element(ids.contentCompAlgo, Buffer.from([3])),
        element(ids.contentCompSettings, first.subarray(0, stripped)),
      ];
      if (stripped > 0) children.push(encodings(...rest));
    },
  );
  return write(root);
}
const whole = (frame: Buffer) => frame;
/** A picture of which the data goes on with other data in the middle. */
const broken = (frame: Buffer, index: number) => {
  if (index === 3) frame.fill(0xa5, frame.length >> 1, (frame.length >> 1) + 12);
  return frame;
};
/** A picture without what tells how it is coded. */
const untold = (frame: Buffer, index: number) => {
  if (index === 3) frame.fill(0, 2, frame.indexOf(Buffer.from([0xff, 0xda])));
  return frame;
};

const kindsOf = async (bytes: Buffer) => {
  const { report } = await repairBytes(bytes, 'clip.mkv');
  return [report.verdict, ...report.found.map(({ kind }) => kind)];
};

describe('pictures of Matroska that are packed once more', () => {
  it('are sound where each can be unpacked', async () => {
    expect(await kindsOf(write(zlib()))).toEqual(['healthy']);
  });

  it('are told to be damaged where one cannot', async () => {
    const root = zlib();
    const { content } = blocksOf(root)[5] as { content: Buffer };
    content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 0x40;
    expect(await kindsOf(write(root))).toEqual(['partly', 'frames']);
  });
});

describe('pictures in Motion JPEG that Matroska names as AVI does', () => {
  it('are sound where they are, with their first bytes or without', async () => {
    expect(await kindsOf(motionJpeg(whole))).toEqual(['healthy']);
    expect(await kindsOf(motionJpeg(whole, 20))).toEqual(['healthy']);
  });

  it('are told to be damaged where one cannot be read to its end', async () => {
    expect(await kindsOf(motionJpeg(broken))).toEqual(['partly', 'frames']);
    expect(await kindsOf(motionJpeg(broken, 20))).toEqual(['partly', 'frames']);
    expect(await kindsOf(motionJpeg(untold))).toEqual(['partly', 'frames']);
  });
});
