import { describe, expect, it } from 'vitest';
import { element, ids } from '../../lib/repair/formats/matroska/elements';
import { all, inside, type Node, parents, parse, write } from './support/elements';
import { repairBytes } from './support/run';
import { changed, fixtureOf } from './support/videos';

const filler = (length: number): Node => ({ id: ids.void, content: Buffer.alloc(length) });
const sum = (): Node => ({ id: ids.crc, content: Buffer.alloc(4) });
/** Elements of a program's own, with identifiers of two to four bytes that the standard has not given away. */
const own = [
  { id: 0x7f10, content: Buffer.from('made by a program') },
  { id: 0x2f00ab, content: Buffer.alloc(300, 0x81) },
  { id: 0x1f00aa55, content: Buffer.concat([element(0x4abc, Buffer.from('one')), element(0x4abd, Buffer.alloc(90))]) },
];
const between = (nodes: Node[], others: readonly Node[]) =>
  nodes.splice(0, nodes.length, ...nodes.flatMap((node, index) => [node, others[index % others.length] as Node]));

const sources = ['avc.mkv', 'hevc.mkv', 'vp9.webm', 'vp8.webm', 'vp9-encoded.mkv'];
const changes: Readonly<Record<string, (root: Node[]) => void>> = {
  'elements of a program’s own between the parts of the segment': (root) => between(inside(root[1] as Node), own),
  'one before all parts': (root) => void inside(root[1] as Node).unshift(own[0] as Node),
  'one at the beginning of each cluster': (root) => {
    for (const cluster of all(root, ids.cluster)) inside(cluster).splice(0, 0, own[1] as Node);
  },
  'some among the blocks': (root) => {
    for (const cluster of all(root, ids.cluster)) between(inside(cluster), own);
  },
  'two in the settings of pictures and of sound': (root) => {
    for (const id of [ids.video, ids.audio])
      for (const settings of all(root, id)) inside(settings).push(own[0] as Node, own[0] as Node);
  },
  'one in the head': (root) => void inside(root[0] as Node).push(own[1] as Node),
  'a filler behind the head': (root) => void root.splice(1, 0, filler(40)),
  'fillers everywhere': (root) => {
    for (const id of parents) for (const node of all(root, id)) between(inside(node), [filler(3), filler(0)]);
  },
  'check sums everywhere': (root) => {
    for (const id of [ids.info, ids.tracks, ids.cluster, ids.cues, ids.tags, ids.seekHead])
      for (const node of all(root, id)) if (inside(node)[0]?.id !== ids.crc) inside(node).unshift(sum());
  },
  'no content of what has a value without': (root) => {
    for (const settings of all(root, ids.audio)) {
      const children = inside(settings);
      const channels = children.find(({ id }) => id === ids.channels);
      if (channels) channels.content = Buffer.alloc(0);
    }
  },
};

describe('sound Matroska with more in it than programs usually write', () => {
  it.each(Object.keys(changes))('is healthy: %s', async (name) => {
    for (const source of sources) {
      const root = parse(fixtureOf(source));
      expect((await repairBytes(write(root), source)).report.verdict, source).toBe('healthy');
      changes[name]?.(root);
      const { report, output } = await repairBytes(write(root), source);
      expect([report.verdict, ...report.found.map(({ kind }) => kind)], source).toEqual(['healthy']);
      expect(output?.equals(write(root))).toBe(true);
    }
  });

  it('is healthy where clusters of an open size begin with a check sum', async () => {
    const root = parse(fixtureOf('avc.mkv'));
    for (const cluster of all(root, ids.cluster)) inside(cluster).unshift(sum());
    const bytes = changed(write(root), (copy) => {
      const head = Buffer.from('1f43b675', 'hex');
      for (let at = copy.indexOf(head); at >= 0; at = copy.indexOf(head, at + 4))
        copy.write('01ffffffffffffff', at + 4, 'hex');
      return copy;
    });
    expect((await repairBytes(bytes, 'a.mkv')).report.verdict).toBe('healthy');
  });

  it('keeps what a program put beside the parts where it is repaired', async () => {
    const root = parse(fixtureOf('avc.mkv'));
    inside(root[1] as Node).splice(1, 0, own[0] as Node);
    const bytes = write(root);
    const damaged = changed(
      bytes,
      (copy) => void copy.fill(0x55, bytes.indexOf('matroska'), bytes.indexOf('matroska') + 8),
    );
    const { report, output } = await repairBytes(damaged, 'a.mkv');
    expect(report.verdict).toBe('repaired');
    expect(output?.includes('made by a program')).toBe(true);
  });
});

describe('parts of Matroska whose identifiers are wrong', () => {
  it.each([1, 2])('are no elements of a program’s own: %i bytes', async (wrong) => {
    for (const source of sources) {
      const bytes = fixtureOf(source);
      for (const id of ['1f43b675', '1654ae6b']) {
        const at = bytes.indexOf(Buffer.from(id, 'hex'), 200);
        const damaged = changed(bytes, (copy) => void copy.fill(0x33, at + 2, at + 2 + wrong));
        const { report } = await repairBytes(damaged, source);
        expect(report.found.length, `${source} ${id}`).toBeGreaterThan(0);
      }
    }
  });
});
