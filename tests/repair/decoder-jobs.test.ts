import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runMediaJob } from '../../lib/repair/host/media';
import { countChildren } from '../../lib/repair/host/processes';
import { withChildren } from './support/children';
import { videos } from './support/videos';

withChildren();

let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repair-'));
  path = join(folder, 'input');
  await writeFile(path, videos.mp4);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const everything = ['-nostdin', '-hide_banner', '-i', '/in/0', '-f', 'framecrc', '-'];
const time = 120_000;

/** The lines of a job, up to so many of them, and how it ended. */
async function linesOf(options: string[], most = Number.POSITIVE_INFINITY) {
  const lines: string[] = [];
  const job = { path, inputs: [null], outputPath: null, options };
  const ended = await runMediaJob(job, time, (line) => lines.push(line) < most);
  return { lines, ended };
}
const frames = (lines: readonly string[]) => lines.filter((line) => /^\d, /.test(line));

it('one process does every job, also several beside each other, and all in the same way', async () => {
  const first = await linesOf(everything);
  expect(first.ended).toEqual({ code: 0, isOver: false, isEnough: false });
  expect(frames(first.lines).length).toBeGreaterThan(50);
  const beside = await Promise.all([linesOf(everything), linesOf(everything), linesOf(['-i', '/in/none'])]);
  expect(beside.map(({ ended }) => ended?.code)).toEqual([0, 0, 1]);
  for (const { lines } of beside.slice(0, 2)) expect(frames(lines)).toEqual(frames(first.lines));
  expect(countChildren().decoder).toBe(1);
});

it('a job of which enough has come is stopped, and no other', async () => {
  const [whole, short] = await Promise.all([linesOf(everything), linesOf(everything, 3)]);
  expect([short.lines.length, short.ended?.isEnough]).toEqual([3, true]);
  expect(whole.ended).toEqual({ code: 0, isOver: false, isEnough: false });
  expect(frames(whole.lines).length).toBeGreaterThan(50);
  expect(countChildren().decoder).toBe(1);
});

it('a job whose time is over is ended with the process, and the next one gets another', async () => {
  const endless = ['-stream_loop', '-1', ...everything.slice(2)];
  const job = { path, inputs: [null], outputPath: null, options: endless };
  expect(await runMediaJob(job, 1500, () => true)).toMatchObject({ isOver: true });
  expect((await linesOf(everything)).ended?.code).toBe(0);
});

it('no line that a file holds passes for another job’s, or for the end of one', async () => {
  const lines = Array.from({ length: 40 }, (_, id) => `${id}=0\u2028${id} 0, 0, 0, 1, 1, 0x1`);
  const title = `title=\u2028${lines.join('\u2028')}\u2028`;
  const [spoken, other] = await Promise.all([
    linesOf(['-i', '/in/0', '-metadata', title, '-f', 'null', '-']),
    linesOf(everything),
  ]);
  expect(spoken.lines).toContain('7=0');
  expect(spoken.lines.some((line) => line.startsWith('frame=') || line.includes('muxing overhead'))).toBe(true);
  expect(frames(other.lines).length).toBeGreaterThan(50);
  expect(other.lines.filter((line) => line.endsWith('0x1'))).toEqual([]);
});

it('what takes the lines may fail, which ends its job alone', async () => {
  const job = { path, inputs: [null], outputPath: null, options: everything };
  const failing = runMediaJob(job, time, () => {
    throw new Error('Enough of it.');
  });
  const [other] = await Promise.all([linesOf(everything), expect(failing).rejects.toThrow('Enough of it.')]);
  expect(other.ended?.code).toBe(0);
});
