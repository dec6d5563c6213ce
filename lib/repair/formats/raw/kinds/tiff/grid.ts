import { readLossless } from '../../../../codecs/ljpeg/read';
import type { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Stream } from './found';

/** How tiles lie: so many across and down, each of so many pixels. */
export type Grid = { across: number; down: number; width: number; height: number };

/** Tiles whose edges are read to see how they lie. */
const mostRead = 600;

/** The edges of a tile: its first and last row. */
type Edges = { top: Uint16Array; bottom: Uint16Array };

/** How many tiles stand side by side: with the right number each goes on below where the one above ends. */
export function gridOf(bytes: Buffer, tiles: readonly Stream[], { deadline }: EngineJob): Grid {
  const [first] = tiles;
  const width = (first?.frame.width ?? 0) * (first?.frame.components.length ?? 0);
  const height = first?.frame.height ?? 0;
  if (tiles.length < 2) return { across: 1, down: 1, width, height };
  const edges = tiles.slice(0, mostRead).map((tile) => {
    deadline.check();
    return edgesOf(bytes, tile);
  });
  let best = { across: tiles.length, cost: Number.POSITIVE_INFINITY };
  for (let across = 1; across <= edges.length / 2; across++) {
    // A number that does not divide the tiles leaves a row that was cut off.
    const cost = stepBelow(edges, across);
    if (cost < best.cost) best = { across, cost };
  }
  return { across: best.across, down: Math.max(1, Math.floor(tiles.length / best.across)), width, height };
}

function edgesOf(bytes: Buffer, { frame, end }: Stream): Edges {
  const edges: Edges = { top: new Uint16Array(0), bottom: new Uint16Array(0) };
  readLossless(bytes, frame, end, (line, index) => {
    // Rows of the same filters lie two apart, so the last but one is what the next tile's first row goes on from.
    if (index === 0) edges.top = Uint16Array.from(line);
    if (index === frame.height - 2) edges.bottom = Uint16Array.from(line);
  });
  return edges;
}

function stepBelow(edges: readonly Edges[], across: number): number {
  let sum = 0;
  let count = 0;
  for (let index = 0; index + across < edges.length; index++) {
    const above = edges[index]?.bottom;
    const below = edges[index + across]?.top;
    if (!above?.length || !below?.length) continue;
    for (let at = 0; at < below.length; at++) sum += Math.abs((above[at] ?? 0) - (below[at] ?? 0));
    count += below.length;
  }
  return count > 0 ? sum / count : Number.POSITIVE_INFINITY;
}
