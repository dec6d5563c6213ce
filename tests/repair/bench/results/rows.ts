import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { groups } from '../../support/recipes';
import { falseAlarms, type Result, runBench, scoredOriginals } from '../bench';
import { runVideoBench, type VideoResult } from '../video/bench';

/** One damaged file and what became of it, of any family; values from 0 to 1. */
export type Row = {
  family: Family;
  /** Formats that stand in one table. */
  format: string;
  writer: string;
  recipe: string;
  heldBack: boolean;
  verdict: string;
  before: number;
  after: number;
  /** Null where a working sample plays no part. */
  withSample: number | null;
  tools: Record<string, number>;
  milliseconds: number;
};

/** What one run came to: its rows, the healthy originals that it called damaged, and how many it was given. */
export type Run = { rows: Row[]; alarms: string[]; originals: number };

export const families = ['video', 'photo', 'document'] as const;
export type Family = (typeof families)[number];

const photoGroups = new Set(['JPEG', 'PNG', 'TIFF', 'WebP']);
const familyOf = (group: string): Family => (photoGroups.has(group) ? 'photo' : 'document');

/** How the results name a group of the bench of photos and documents. */
const fromFile = ({ group, peers, seed: _, ...row }: Result): Row => ({
  ...row,
  family: familyOf(group),
  format: group.replaceAll('/', ', '),
  withSample: null,
  tools: peers,
});

/** Containers that stand in one table, by the extension of the original. */
const containers: Record<string, string> = {
  mkv: 'MKV',
  avi: 'AVI',
  flv: 'FLV',
  mts: 'MTS, M2TS',
  m2ts: 'MTS, M2TS',
  mxf: 'MXF',
};

const fromVideo = ({ layout, peers, group: _, seed: __, ...row }: VideoResult): Row => {
  const extension = layout.slice(0, layout.indexOf(':'));
  return {
    ...row,
    family: 'video',
    format: containers[extension] ?? 'MP4, MOV, M4V, 3GP, INSV',
    writer: layout.slice(layout.indexOf(':') + 2),
    tools: peers,
  };
};

const folder = join('node_modules', '.cache', 'mendara', 'bench-results');
const fileOf = (family: Family) => join(folder, `${family}.jsonl`);

/** Measures one family and keeps its rows, so that the others need not be measured again to write the table. */
export async function measure(family: Family, seeds: readonly number[]): Promise<void> {
  const run = family === 'video' ? await measureVideos(seeds) : await measureFiles(family, seeds);
  mkdirSync(folder, { recursive: true });
  rmSync(fileOf(family), { force: true });
  const { rows, ...head } = run;
  for (const line of [head, ...rows]) appendFileSync(fileOf(family), `${JSON.stringify(line)}\n`);
}

async function measureVideos(seeds: readonly number[]): Promise<Run> {
  const run = await runVideoBench({ seeds, only: '', recipe: '', peers: true });
  if (!run) throw new Error('ffmpeg, which makes and scores the videos, is not on this machine.');
  return { rows: run.results.map(fromVideo), alarms: run.alarms, originals: run.originals };
}

async function measureFiles(family: Family, seeds: readonly number[]): Promise<Run> {
  const chosen = (await scoredOriginals()).filter(({ format }) => familyOf(groups[format] ?? '') === family);
  const alarms = await falseAlarms(chosen);
  const results = await runBench(chosen, seeds, true);
  return { rows: results.map(fromFile), alarms, originals: chosen.length };
}

/** What was measured last of a family; null where nothing was. */
export function lastRun(family: Family): Run | null {
  if (!existsSync(fileOf(family))) return null;
  const [head = '{}', ...lines] = readFileSync(fileOf(family), 'utf8').trim().split('\n');
  return { ...(JSON.parse(head) as Omit<Run, 'rows'>), rows: lines.map((line) => JSON.parse(line) as Row) };
}

/** The state of the engine: a hash over the names and the contents of its sources. */
export function engineState(): string {
  const hash = createHash('sha256');
  const names = readdirSync(join('lib', 'repair'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  for (const name of names.sort()) hash.update(name).update(readFileSync(join('lib', 'repair', name)));
  return hash.digest('hex').slice(0, 12);
}
