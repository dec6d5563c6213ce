import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repairFile } from '../../../../lib/repair';
import { damaged, type Recipe } from '../../support/damage';
import { isHeldBack } from '../../support/recipes';
import type { VideoLayout } from './layouts';
import { hasProgram, type VideoOriginal, videoOriginals } from './originals';
import { videoPeers } from './peers';
import { videoRecipes } from './recipes';
import { digestVideo, type VideoDigest, videoValue } from './score';

/** One damaged video and what became of it, values from 0 to 1; `withSample` is null where a sample plays no part. */
export type VideoResult = {
  group: string;
  layout: string;
  recipe: string;
  seed: number;
  heldBack: boolean;
  verdict: string;
  before: number;
  after: number;
  withSample: number | null;
  peers: Record<string, number>;
  milliseconds: number;
};

/** What a run of the bench covers: `only` is part of a group, format or layout, `recipe` part of a recipe's name. */
export type VideoBench = {
  seeds: readonly number[];
  only: string;
  recipe: string;
  peers: boolean;
  /** Others than the bench's own layouts, and other kinds of damage. */
  layouts?: readonly VideoLayout[];
  recipesOf?: (original: VideoOriginal) => readonly Recipe[];
};

/** What a run came to; `alarms` are the healthy originals that were called damaged. */
export type VideoRun = { results: VideoResult[]; alarms: string[]; originals: number };

const isoGroup = /^MP4/;

async function benchOne(
  folder: string,
  original: VideoOriginal,
  digest: VideoDigest,
  recipe: string,
  seed: number,
  bytes: Buffer,
  peers: boolean,
): Promise<VideoResult> {
  const inputPath = join(folder, `damaged.${original.format}`);
  const outputPath = join(folder, `repaired.${original.format}`);
  await writeFile(inputPath, bytes);
  const job = { inputPath, outputPath, fileName: `file.${original.format}` };
  const started = performance.now();
  const report = await repairFile(job);
  const milliseconds = performance.now() - started;
  const valueNow = async () => (report.output ? videoValue(digest, await digestVideo(outputPath)) : 0);
  const after = await valueNow();
  let withSample: number | null = null;
  if (isoGroup.test(original.group)) {
    const { output } = await repairFile({ ...job, samplePath: original.samplePath });
    withSample = output ? videoValue(digest, await digestVideo(outputPath)) : 0;
  }
  return {
    group: original.group,
    layout: `${original.format}: ${original.name}`,
    recipe,
    seed,
    heldBack: isHeldBack(recipe, seed),
    verdict: report.verdict,
    before: videoValue(digest, await digestVideo(inputPath)),
    after,
    withSample,
    peers: peers ? await videoPeers(original.format, digest, inputPath, original.samplePath) : {},
    milliseconds,
  };
}

/** Damages every original by every recipe with each seed, repairs it with and without a sample, and scores all by the decoded pictures. */
export async function runVideoBench(bench: VideoBench): Promise<VideoRun | null> {
  if (!(await hasProgram('ffmpeg'))) return null;
  const results: VideoResult[] = [];
  const alarms: string[] = [];
  let originals = 0;
  const folder = await mkdtemp(join(tmpdir(), 'video-bench-'));
  try {
    const chosen = await videoOriginals(bench.only, bench.layouts);
    originals = chosen.length;
    for (const original of chosen) {
      const digest = await digestVideo(original.path);
      const outputPath = join(folder, 'healthy');
      const { verdict, summary } = await repairFile({
        inputPath: original.path,
        outputPath,
        fileName: `file.${original.format}`,
      });
      if (verdict !== 'healthy') alarms.push(`${original.format}: ${original.name}: ${summary}`);
      const recipes = bench.recipesOf?.(original) ?? videoRecipes(original.format);
      for (const recipe of recipes.filter(({ name }) => name.includes(bench.recipe))) {
        let last: Buffer | null = null;
        for (const seed of bench.seeds) {
          const bytes = damaged(original.bytes, recipe, seed);
          // Recipes without chance give the same file for every seed; once is enough.
          if (!bytes || bytes.length === 0 || (last && bytes.equals(last))) continue;
          last = bytes;
          results.push(await benchOne(folder, original, digest, recipe.name, seed, bytes, bench.peers));
        }
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { results, alarms, originals };
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (value: number) => (Number.isNaN(value) ? '-' : (value * 100).toFixed(1)).padStart(6);
const sampled = (rows: readonly VideoResult[]) =>
  rows.map((row) => row.withSample ?? Number.NaN).filter((value) => !Number.isNaN(value));

function line(name: string, rows: readonly VideoResult[]): string {
  const columns = [rows.map((row) => row.before), rows.map((row) => row.after), sampled(rows)].map((values) =>
    percent(mean(values)),
  );
  return `    ${name.padEnd(58)} ${columns.join('  ')}  (${rows.length})`;
}

/** The table of a video bench by recipe and by layout: value before, after, and after with a sample. */
export function videoTable(results: readonly VideoResult[]): string {
  const lines: string[] = [];
  for (const group of new Set(results.map((result) => result.group))) {
    const rows = results.filter((result) => result.group === group);
    lines.push('', `${group}: ${rows.length} damaged files; value before, after, after with a sample`);
    lines.push(line('all', rows));
    lines.push(
      line(
        'tuned on',
        rows.filter((row) => !row.heldBack),
      ),
    );
    lines.push(
      line(
        'held back',
        rows.filter((row) => row.heldBack),
      ),
    );
    for (const peer of new Set(rows.flatMap((row) => Object.keys(row.peers))))
      lines.push(`    ${peer.padEnd(58)}         ${percent(mean(rows.map((row) => row.peers[peer] ?? 0)))}`);
    const falseSuccess = rows.filter((row) => row.verdict !== 'unrepairable' && row.after < 0.02).length;
    const worse = rows.filter((row) => row.verdict !== 'unrepairable' && row.after < row.before - 0.02);
    const missed = rows.filter((row) => row.verdict === 'healthy' && row.after < 0.98).length;
    const longest = Math.max(...rows.map((row) => row.milliseconds));
    lines.push(
      `    under 2 % but handed out: ${falseSuccess}; worse than before: ${worse.length}; damage not noticed: ${missed}; longest ${Math.round(longest)} ms`,
    );
    for (const row of worse)
      lines.push(
        `      worse: ${row.layout}, ${row.recipe}, seed ${row.seed}: ${percent(row.before)} -> ${percent(row.after)}`,
      );
    lines.push('  by recipe');
    for (const recipe of new Set(rows.map((row) => row.recipe)))
      lines.push(
        line(
          recipe,
          rows.filter((row) => row.recipe === recipe),
        ),
      );
    lines.push('  by layout');
    for (const layout of new Set(rows.map((row) => row.layout)))
      lines.push(
        line(
          layout,
          rows.filter((row) => row.layout === layout),
        ),
      );
  }
  return lines.join('\n');
}
