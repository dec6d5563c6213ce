import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { originals } from './support/originals';

// The command's starter in plain JavaScript has the same name, so the path must tell which is meant.
const command = new URL('../../lib/cli/repair.ts', import.meta.url).pathname;
const { main } = (await import(command)) as typeof import('../../lib/cli/repair');

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
  expect(await main([input, output, '--type', '18'])).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ verdict: 'repaired', format: 'docx' });
  expect(err).toBe('');
  expect((await readFile(output)).length).toBeGreaterThan(1000);
});

it('ends with 2 and writes no output when nothing can be repaired', async () => {
  const [input, output] = [join(folder, 'noise.docx'), join(folder, 'noise-out.docx')];
  await writeFile(input, 'nothing of use');
  await writeFile(output, 'left from before');
  expect(await main([input, output])).toBe(2);
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
    expect(await main(argv), argv.join(' ')).toBe(1);
    expect(err).not.toBe('');
  }
  expect(out).toBe('');
  expect((await readFile(input)).equals(docx)).toBe(true);
});
