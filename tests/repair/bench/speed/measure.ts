import { spawn } from 'node:child_process';

/** What one repair cost: wall time, and the most memory that its process ever held resident. */
export type Cost = { verdict: string; seconds: number; megabytes: number };

// The process tells its peak itself: 3 is a pipe of its own, as standard output belongs to the report.
const tellPeak = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));",
)}`;

/** Repairs a file by the command line in a fresh process, as a person would, and measures that process. */
export function measureRepair(inputPath: string, outputPath: string): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const program = ['--import', tellPeak, 'lib/cli/repair.mjs', inputPath, outputPath];
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
    const [report, peak] = [child.stdio[1], child.stdio[3]].map((stream) => {
      const pieces: Buffer[] = [];
      stream?.on('data', (piece: Buffer) => pieces.push(piece));
      return pieces;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const seconds = (performance.now() - started) / 1000;
      const verdict =
        code === 0 || code === 2
          ? (JSON.parse(String(Buffer.concat(report ?? []))) as Cost).verdict
          : `failed: ${code ?? signal}`;
      resolve({ verdict, seconds, megabytes: Number(String(Buffer.concat(peak ?? []))) / 1024 });
    });
  });
}
