import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleServerCode } from '@/lib/cli/steps/build.mjs';
import { parseEnv } from '@/lib/server/config/env';
import { type RepairEnd, spawnRepair } from '@/lib/server/repairs/spawn-repair';
import { harbour, onePage, pdfOf } from '../repair/support/pdfwriter';

/** Bundles lie inside the project, so that they find its packages. */
const bundles = fs.mkdtempSync(path.resolve('node_modules', '.mendara-test-'));
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-engine-'));
const usual = process.env.MENDARA_BUNDLE_DIR;

beforeAll(() => bundleServerCode(bundles));
afterAll(() => {
  if (usual === undefined) delete process.env.MENDARA_BUNDLE_DIR;
  else process.env.MENDARA_BUNDLE_DIR = usual;
  for (const folder of [bundles, dataDir]) fs.rmSync(folder, { recursive: true, force: true });
});

const sound = pdfOf(onePage(harbour));
const cut = sound.subarray(0, sound.lastIndexOf('xref'));
const nothing = Buffer.alloc(4096, 0x55);

/** What the server builds on, held by the engine and by what stands in for it in the tests of the API. */
const engines = [
  {
    name: 'the engine',
    bundle: () => bundles,
    files: {
      healthy: { fileName: 'sound.pdf', bytes: sound },
      damaged: { fileName: 'cut.pdf', bytes: cut },
      hopeless: { fileName: 'nothing.pdf', bytes: nothing },
    },
  },
  {
    name: 'its stand-in',
    bundle: () => path.resolve('tests/api/harness/bundle'),
    files: {
      healthy: { fileName: 'healthy.pdf', bytes: sound },
      damaged: { fileName: 'damaged.pdf', bytes: cut },
      hopeless: { fileName: 'hopeless.pdf', bytes: nothing },
    },
  },
] as const;

const digest = (bytes: Buffer) => ({
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

describe.each(engines)('$name', ({ bundle, files }) => {
  beforeEach(() => {
    process.env.MENDARA_BUNDLE_DIR = bundle();
  });

  async function repair(kind: keyof typeof files, signal = new AbortController().signal) {
    const { fileName, bytes } = files[kind];
    const inputPath = path.join(dataDir, `${kind}.in`);
    const outputPath = path.join(dataDir, `${kind}.out`);
    fs.writeFileSync(inputPath, bytes);
    fs.rmSync(outputPath, { force: true });
    const env = parseEnv({ DATA_DIR: dataDir });
    const end: RepairEnd = await spawnRepair(env, { inputPath, outputPath, fileName, type: 18, seconds: 60 }, signal);
    if (end.kind !== 'report') throw new Error(`It ended in ${end.kind}.`);
    expect(fs.readFileSync(inputPath).equals(bytes)).toBe(true);
    const output = fs.existsSync(outputPath) ? fs.readFileSync(outputPath) : null;
    expect(end.report.input).toEqual(digest(Buffer.from(bytes)));
    expect(end.report.output).toEqual(output && digest(output));
    return { report: end.report, output };
  }

  it('hands a healthy file out as it came, so that nobody needs to copy it', async () => {
    const { report, output } = await repair('healthy');
    expect(report).toMatchObject({ verdict: 'healthy', format: 'pdf', found: [], lost: [] });
    expect(output?.equals(sound)).toBe(true);
  });

  it('writes what it brought back and says what it found', async () => {
    const { report, output } = await repair('damaged');
    expect(report).toMatchObject({ verdict: 'repaired', format: 'pdf' });
    expect(report.found.length).toBeGreaterThan(0);
    expect(report.kept.length).toBeGreaterThan(0);
    expect(report.summary).not.toBe('');
    expect(output?.length).toBeGreaterThan(0);
  });

  it('writes nothing where nothing can be done', async () => {
    const { report, output } = await repair('hopeless');
    expect(report).toMatchObject({ verdict: 'unrepairable', format: null, output: null });
    expect(output).toBeNull();
  });

  it('is ended by a signal, and leaves no result', async () => {
    const controller = new AbortController();
    const running = repair('damaged', controller.signal);
    controller.abort();
    await expect(running).rejects.toThrow(/abort/i);
    expect(fs.existsSync(path.join(dataDir, 'damaged.out'))).toBe(false);
  });
});
