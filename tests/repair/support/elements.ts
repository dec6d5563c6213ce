import { crc32 } from '../../../lib/repair/core/sums';
import { element, ids, readElement } from '../../../lib/repair/formats/matroska/elements';

/** An element of a file: its content, or the elements that it holds. */
export type Node = { id: number; content: Buffer | Node[] };

/** Elements that hold others. */
export const parents = new Set<number>([
  ids.ebml,
  ids.segment,
  ids.info,
  ids.tracks,
  ids.trackEntry,
  ids.video,
  ids.audio,
]);
for (const id of [ids.cluster, ids.cues, ids.cuePoint, ids.tags, ids.seekHead]) parents.add(id);

/** The elements of a file of Matroska (RFC 8794, 4), with those of which it is gone into. */
export function parse(bytes: Buffer): Node[] {
  const nodes: Node[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = readElement(bytes.subarray(at, at + 12), at, bytes.length);
    if (!found) throw new Error(`No element at ${at}.`);
    const content = bytes.subarray(found.body, found.end);
    nodes.push({ id: found.id, content: parents.has(found.id) ? parse(content) : content });
    at = found.end;
  }
  return nodes;
}

/** Elements as bytes; a check sum at the beginning of one (RFC 8794, 11.3.1) is that of what follows. */
export function write(nodes: readonly Node[]): Buffer {
  const parts = nodes.map(({ id, content }) => element(id, Array.isArray(content) ? write(content) : content));
  if (nodes[0]?.id !== ids.crc) return Buffer.concat(parts);
  const rest = Buffer.concat(parts.slice(1));
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(rest));
  return Buffer.concat([element(ids.crc, sum), rest]);
}

/** The elements in an element, and in those of an identifier anywhere in others. */
export const inside = ({ content }: Node): Node[] => (Array.isArray(content) ? content : []);
export const all = (nodes: readonly Node[], id: number): Node[] =>
  nodes.flatMap((node) => [...(node.id === id ? [node] : []), ...all(inside(node), id)]);
