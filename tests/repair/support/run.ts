import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RepairJob, type RepairReport, repairFile } from '../../../lib/repair';

/** A repair of bytes in memory: the report, the output if there is one, and how long it took in milliseconds. */
export type Run = { report: RepairReport; output: Buffer | null; milliseconds: number; inputUntouched: boolean };

/** Repairs bytes through real files in a folder of its own, which is taken away again. */
export async function repairBytes(bytes: Buffer, fileName: string, options: Partial<RepairJob> = {}): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-'));
  try {
    const inputPath = join(folder, 'input');
    const outputPath = join(folder, 'output');
    await writeFile(inputPath, bytes);
    const started = performance.now();
    const report = await repairFile({ inputPath, outputPath, fileName, ...options });
    const milliseconds = performance.now() - started;
    const output = await readFile(outputPath).catch(() => null);
    return { report, output, milliseconds, inputUntouched: (await readFile(inputPath)).equals(bytes) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
