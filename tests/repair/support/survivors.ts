import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process of this machine: its number and its command line. */
type Running = { pid: number; command: string };

/** Processes whose command line names all `marks`, zombies left out; the one that asks is not among them. */
export function runningWith(...marks: string[]): Running[] {
  const all = process.platform === 'linux' ? fromProc() : fromPs();
  return all.filter(({ pid, command }) => pid !== process.pid && marks.every((mark) => command.includes(mark)));
}

function fromProc(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        // A zombie has no command line any more.
        return { pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ') };
      } catch {
        return { pid: Number(name), command: '' };
      }
    });
}

function fromPs(): Running[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+\s+/, '') }));
}

/** Waits until no process names `mark` any more; what is still left after a long while. */
export async function survivorsOf(mark: string, patience = 15_000): Promise<Running[]> {
  const end = Date.now() + patience;
  for (;;) {
    const left = runningWith(mark);
    if (left.length === 0 || Date.now() > end) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
