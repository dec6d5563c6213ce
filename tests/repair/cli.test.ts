import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { repairGuarded } from '../../lib/cli/repair-guard';
import { RepairMisuse, repairFile } from '../../lib/repair';
import { reportSchema } from '../../lib/repair/report/schema';
import { originals } from './support/originals';

// The command's starter in plain JavaScript has the same name, so the path must tell which is meant.
const command = new URL('../../lib/cli/repair.ts', import.meta.url).pathname;
const { main } = (await import(command)) as typeof import('../../lib/cli/repair');
const run = (argv: string[]) => main(argv, repairFile);

let folder = '';
let out = '';
let err = '';
let docx: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
  docx = (await originals()).find((file) => file.format === 'docx')?.bytes ?? docx;
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  out = '';
  err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

it('writes the report alone to standard output and ends with 0 for a repaired file', async () => {
  const [input, output] = [join(folder, 'broken.docx'), join(folder, 'mended.docx')];
  await writeFile(input, docx.subarray(0, -50));
  expect(await run([input, output, '--type', '18'])).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ verdict: 'repaired', format: 'docx' });
  expect(err).toBe('');
  expect((await readFile(output)).length).toBeGreaterThan(1000);
});

it('ends with 2 and writes no output when nothing can be repaired', async () => {
  const [input, output] = [join(folder, 'noise.docx'), join(folder, 'noise-out.docx')];
  await writeFile(input, 'nothing of use');
  await writeFile(output, 'left from before');
  expect(await run([input, output])).toBe(2);
  expect(JSON.parse(out)).toMatchObject({ verdict: 'unrepairable', output: null });
  await expect(stat(output)).rejects.toThrow();
});

it('ends with 1 and a message on standard error for wrong use', async () => {
  const input = join(folder, 'broken.docx');
  await writeFile(input, docx);
  for (const argv of [
    [],
    [input],
    [input, input],
    [input, 'out', '--type', '5'],
    [input, 'out', '--colour'],
    [join(folder, 'none'), 'out'],
    [input, 'a', 'b'],
  ]) {
    err = '';
    expect(await run(argv), argv.join(' ')).toBe(1);
    expect(err).not.toBe('');
  }
  expect(out).toBe('');
  expect((await readFile(input)).equals(docx)).toBe(true);
});

/** A thread that does as `script` says instead of repairing. */
async function guarded(script: string, milliseconds = 60_000) {
  const [input, output, program] = [join(folder, 'guarded'), join(folder, 'guarded-out'), join(folder, 'thread.mjs')];
  await writeFile(input, docx);
  await writeFile(output, 'half written');
  await writeFile(program, `import { parentPort } from 'node:worker_threads';\n${script}`);
  const job = { inputPath: input, outputPath: output, fileName: 'a.docx' };
  const report = await repairGuarded(job, pathToFileURL(program), { milliseconds, heapMegabytes: 64 });
  return { report, output: await readFile(output).catch(() => null) };
}

it('ends a repair that does not come back, or takes all memory, with a report and without an output', async () => {
  for (const [script, word, milliseconds] of [
    ['for (;;);', /longer than it is allowed/, 500],
    ['const all = []; for (;;) all.push(new Array(1e6).fill({}));', /more memory than it is allowed/, 60_000],
  ] as const) {
    const { report, output } = await guarded(script, milliseconds);
    expect(reportSchema.parse(report)).toMatchObject({ verdict: 'unrepairable', output: null });
    expect(report.summary).toMatch(word);
    expect(report.input.bytes).toBe(docx.length);
    expect(output).toBeNull();
  }
});

it('passes on what the thread says', async () => {
  expect((await guarded("parentPort.postMessage({ verdict: 'healthy' });")).report).toEqual({ verdict: 'healthy' });
  const misuse = "throw Object.assign(new Error('no such file'), { name: 'RepairMisuse' });";
  await expect(guarded(misuse)).rejects.toThrow(RepairMisuse);
  await expect(guarded("throw new Error('no room left');")).rejects.toThrow('no room left');
  await expect(guarded('process.exit(3);')).rejects.toThrow('ended with 3');
});
