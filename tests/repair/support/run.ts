import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RepairJob, type RepairReport, repairFile } from '../../../lib/repair';

/**
 * A repair of bytes in memory: the report, the output if there is one, and how long it took, in milliseconds by the clock on the wall
 * and of this process's processor time, which a busy machine does not stretch.
 */
export type Run = {
  report: RepairReport;
  output: Buffer | null;
  milliseconds: number;
  processorMs: number;
  inputUntouched: boolean;
};

/** Repairs bytes through real files in a folder of its own, which is taken away again. */
export async function repairBytes(bytes: Buffer, fileName: string, options: Partial<RepairJob> = {}): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-'));
  try {
    const inputPath = join(folder, 'input');
    const outputPath = join(folder, 'output');
    await writeFile(inputPath, bytes);
    const started = performance.now();
    const used = process.cpuUsage();
    const report = await repairFile({ inputPath, outputPath, fileName, ...options });
    const milliseconds = performance.now() - started;
    const { user, system } = process.cpuUsage(used);
    const processorMs = (user + system) / 1000;
    const output = await readFile(outputPath).catch(() => null);
    const inputUntouched = (await readFile(inputPath)).equals(bytes);
    return { report, output, milliseconds, processorMs, inputUntouched };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
