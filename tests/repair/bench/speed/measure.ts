import { spawn } from 'node:child_process';

/** What one repair cost: wall time, time of the processor in all threads, and the most memory that its process ever held resident. */
export type Cost = { verdict: string; seconds: number; processor: number; megabytes: number };

// The process tells what it and its threads used itself: 3 is a pipe of its own, as standard output belongs to the report.
const tellUse = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));",
)}`;

type Use = Pick<NodeJS.ResourceUsage, 'maxRSS' | 'userCPUTime' | 'systemCPUTime'>;

/** Repairs a file by the command line in a fresh process, as a person would, and measures that process. */
export function measureRepair(inputPath: string, outputPath: string): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const program = ['--import', tellUse, 'lib/cli/repair.mjs', inputPath, outputPath];
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
    const [report = [], use = []] = [child.stdio[1], child.stdio[3]].map((stream) => {
      const pieces: Buffer[] = [];
      stream?.on('data', (piece: Buffer) => pieces.push(piece));
      return pieces;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const seconds = (performance.now() - started) / 1000;
      const isDone = code === 0 || code === 2;
      const verdict = isDone ? (JSON.parse(textOf(report)) as Cost).verdict : `failed: ${code ?? signal}`;
      const used = JSON.parse(textOf(use) || '{}') as Partial<Use>;
      const processor = ((used.userCPUTime ?? 0) + (used.systemCPUTime ?? 0)) / 1e6;
      resolve({ verdict, seconds, processor, megabytes: (used.maxRSS ?? 0) / 1024 });
    });
  });
}

const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString();
