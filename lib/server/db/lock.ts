import 'server-only';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startError } from '../base/start-error';

/** How long a start waits for a process that is about to end: `next dev` restarts its own. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 250;

type Owner = { pid: number; started: string };

/**
 * Takes the lock of a directory for this process; two embedded databases on one directory lose rows without an error.
 * The lock names pid and start time of its owner, so one left by a killed process is taken over.
 * Returns the function that gives it back. Throws a `StartError` that names directory and pid when it stays taken.
 */
export async function lockDirectory(directory: string, patienceMs = PATIENCE_MS): Promise<() => void> {
  const file = path.join(directory, 'lock');
  const mine: Owner = { pid: process.pid, started: startTime(process.pid) ?? 'unknown' };
  const deadline = Date.now() + patienceMs;
  fs.mkdirSync(directory, { recursive: true });
  for (;;) {
    if (tryLink(file, mine)) return () => release(file, mine);
    const owner = readOwner(file);
    if (owner && !isAlive(owner)) takeOver(file, owner);
    else if (Date.now() > deadline) {
      throw startError(
        `The data in ${directory} is in use by another process${owner ? ` (pid ${owner.pid})` : ''}. ` +
          'Stop it, or set DATA_DIR to another folder.',
      );
    } else await wait(PAUSE_MS);
  }
}

/** link(2) is atomic and refuses an existing name: whoever links first owns the lock, with its contents complete. */
function tryLink(file: string, owner: Owner): boolean {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  fs.writeFileSync(draft, JSON.stringify(owner));
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.unlinkSync(draft);
  }
}

function readOwner(file: string): Owner | null {
  try {
    const value = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Owner>;
    return typeof value.pid === 'number' && typeof value.started === 'string'
      ? { pid: value.pid, started: value.started }
      : null;
  } catch {
    return null;
  }
}

/** A pid alone proves nothing, since it may belong to a newer process: the start time must match too. */
function isAlive(owner: Owner): boolean {
  if (owner.pid === process.pid) return owner.started === (startTime(process.pid) ?? 'unknown');
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const started = startTime(owner.pid);
  return started === null || owner.started === 'unknown' || started === owner.started;
}

/** Renamed aside before it is removed: of two processes that see the same stale lock one succeeds. */
function takeOver(file: string, stale: Owner): void {
  const aside = `${file}.stale.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    fs.renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readOwner(aside);
  if (moved && (moved.pid !== stale.pid || moved.started !== stale.started)) {
    // Somebody took it over in between: their lock goes back.
    try {
      fs.linkSync(aside, file);
    } catch {
      // A third process has it by now.
    }
  }
  fs.unlinkSync(aside);
}

function release(file: string, mine: Owner): void {
  const owner = readOwner(file);
  if (owner?.pid === mine.pid && owner.started === mine.started) fs.rmSync(file, { force: true });
}

/** Start time of a process in clock ticks since boot (proc(5), field 22 of stat); null where there is no /proc. */
function startTime(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
