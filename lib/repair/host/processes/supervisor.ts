import { type ChildProcess, type IOType, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { limited, type ProcessLimits } from './limits';
import { tools, withParent } from './tools';

/** What a process is for: a repair, a reader of PDFs, a decoder of videos, the making of a database, or a look at the sandbox. */
export type ProcessKind = 'repair' | 'reader' | 'decoder' | 'database' | 'probe';

/** How a process is started. */
export type StartOptions = {
  /** Variables on top of the few that every child gets; nothing else of this process's environment is passed on. */
  env?: Record<string, string | undefined>;
  /** Whether messages go to and fro in Node's advanced serialisation; otherwise standard input is a pipe. */
  messages?: boolean;
  /** What becomes of standard output and standard error; `pipe` unless said otherwise. */
  output?: 'pipe' | 'ignore';
  /** Time in milliseconds after which the process is ended. */
  milliseconds?: number;
  /** Ends the process. */
  signal?: AbortSignal;
  limits?: ProcessLimits;
  /** Puts the command behind walls. */
  enclose?: (command: readonly string[]) => readonly string[];
  /** Whether no program that is started from here on may gain privileges, as setuid programs would (prctl PR_SET_NO_NEW_PRIVS). */
  noNewPrivileges?: boolean;
};

/** How a process ended: with its code or the signal that ended it, and why we ended it, if we did. `error` when it did not start. */
export type Ended = {
  code: number | null;
  killedBy: NodeJS.Signals | null;
  reason: 'itself' | 'time' | 'aborted' | 'killed' | 'error';
  error?: Error;
};

/** A process under supervision. */
export type Supervised = {
  readonly kind: ProcessKind;
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly input: Writable | null;
  readonly output: Readable | null;
  readonly errors: Readable | null;
  /** Sends a message, with `messages`. An error is given to `failed`. */
  send(message: object, failed: (error: Error) => void): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Lets this process end while the child runs; the child ends with it. */
  unref(): void;
  /** Takes that back. */
  ref(): void;
  /** Ends the process and everything that it started: SIGTERM, and SIGKILL soon after. Returns at once; see `done`. */
  kill(): void;
  /** Resolves once it is gone, its children with it, and its output is read. Never rejects. */
  readonly done: Promise<Ended>;
};

/** From SIGTERM to SIGKILL, in milliseconds. What a process was doing is thrown away in either case. */
const grace = 300;

/** Children that are not known to be gone. */
const running = new Set<Child>();

/** What every child may see of the environment: where programs and libraries lie, which Windows needs more of. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];

/** Whether the child gets a process group (a session, by setsid) of its own. A child's children stay in its group, to end with it. */
const leads = process.platform !== 'win32' && !process.env.MENDARA_SUPERVISED;

/**
 * Starts a program as the leader of a process group of its own. It ends with this process, however that ends: when it exits, by the
 * group; when it is killed, by the parent-death signal where setpriv(1) is found, and by the end of the pipe, on which programs of
 * ours listen with `endWithParent`. When it ends first, what it left running is ended too.
 */
export function start(
  kind: ProcessKind,
  program: string,
  args: readonly string[],
  options: StartOptions = {},
): Supervised {
  return new Child(kind, [program, ...args], options);
}

/** How many children of each kind are running now. */
export function countChildren(): Record<ProcessKind, number> {
  const counts: Record<ProcessKind, number> = { repair: 0, reader: 0, decoder: 0, database: 0, probe: 0 };
  for (const { kind } of running) counts[kind] += 1;
  return counts;
}

class Child implements Supervised {
  readonly kind: ProcessKind;
  readonly done: Promise<Ended>;
  readonly #child: ChildProcess;
  #reason: Ended['reason'] = 'itself';
  #isGone = false;

  constructor(kind: ProcessKind, command: readonly string[], options: StartOptions) {
    this.kind = kind;
    const held = limited(command, options.limits ?? {});
    const whole = leashed(options.enclose?.(held) ?? held, options.noNewPrivileges ?? false);
    const isGuarded = leads && (command[0] !== process.execPath || options.enclose !== undefined);
    const [program = '', ...args] = isGuarded ? [...guard, ...whole] : whole;
    const output: IOType = options.output ?? 'pipe';
    options.signal?.throwIfAborted();
    this.#child = spawn(program, args, {
      detached: leads,
      windowsHide: true,
      env: environmentOf(options.env),
      serialization: 'advanced',
      stdio: options.messages
        ? ['ignore', output, output, 'ipc']
        : ['pipe', output, output, ...(isGuarded ? (['pipe'] as const) : [])],
    });
    // A child that ends before it has read its input is told by its end.
    for (const stream of [this.#child.stdin, this.#child.stdio[3]]) stream?.on('error', () => undefined);
    this.done = this.#watch(options);
    running.add(this);
  }

  get pid() {
    return this.#child.pid;
  }
  get input() {
    return this.#child.stdin;
  }
  get output() {
    return this.#child.stdout;
  }
  get errors() {
    return this.#child.stderr;
  }

  send(message: object, failed: (error: Error) => void): void {
    this.#child.send(message, (error) => error && failed(error));
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#child.on('message', listener);
  }

  unref(): void {
    for (const handle of this.#handles) handle.unref();
  }

  ref(): void {
    for (const handle of this.#handles) handle.ref();
  }

  /** What keeps this process from its end: the child, and what leads to it. */
  get #handles(): { ref(): void; unref(): void }[] {
    const { channel, stdio } = this.#child;
    const pipes = stdio.filter((stream) => stream instanceof Socket);
    return [this.#child, ...(channel ? [channel] : []), ...pipes];
  }

  kill(): void {
    this.#end('killed');
  }

  /** At once and for good; for the end of this process. */
  killNow(): void {
    this.#signal('SIGKILL');
  }

  #watch({ milliseconds, signal }: StartOptions): Promise<Ended> {
    const clock = milliseconds === undefined ? undefined : setTimeout(() => this.#end('time'), milliseconds);
    const abort = () => this.#end('aborted');
    signal?.addEventListener('abort', abort, { once: true });
    const release = () => {
      clearTimeout(clock);
      signal?.removeEventListener('abort', abort);
    };
    return new Promise((resolve) => {
      this.#child.once('exit', () => {
        // Whatever it started is of its group, and holds the pipes open that are waited for below.
        this.#signal('SIGKILL');
        this.#isGone = true;
        running.delete(this);
      });
      this.#child.once('close', (code, killedBy) => {
        release();
        resolve({ code, killedBy, reason: this.#reason });
      });
      this.#child.once('error', (error) => {
        // Also emitted when a message could not be sent; the process then still runs, and ends by `close`.
        if (this.#child.pid !== undefined) return this.#end('error');
        this.#isGone = true;
        running.delete(this);
        release();
        resolve({ code: null, killedBy: null, reason: 'error', error });
      });
    });
  }

  #end(reason: Ended['reason']): void {
    if (this.#isGone || this.#reason !== 'itself') return;
    this.#reason = reason;
    this.#signal('SIGTERM');
    setTimeout(() => this.#isGone || this.#signal('SIGKILL'), grace).unref();
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#isGone) return;
    try {
      if (leads) process.kill(-pid, signal);
      else this.#child.kill(signal);
    } catch {
      // The group is gone already.
    }
  }
}

/**
 * Runs a command that does not itself listen for the end of a pipe, with a watcher beside it that does: as soon as descriptor 3 ends, which
 * is when we are gone, the whole group is killed. The parent-death signal alone leaves a gap, as each program asks the kernel for it
 * only once it runs: bubblewrap waits for ever for a parent that is killed before it has written the user's map.
 */
const guard = [
  '/bin/sh',
  '-c',
  // What runs in the background gets no standard input, unless it is handed over by another number.
  'exec 4<&0; "$@" <&4 3<&- 4<&- & child=$!; (exec 4<&-; read -r line <&3; kill -9 0) >/dev/null 2>&1 & watcher=$!; ' +
    'exec <&- 4<&-; wait $child; code=$?; kill -9 $watcher; exit $code',
  'guard',
];

/** Has the kernel end a program with the thread that starts it, where a tool can ask for that. */
function leashed(command: readonly string[], noNewPrivileges: boolean): readonly string[] {
  const { setpriv } = tools();
  if (!setpriv) return command;
  return [setpriv, ...withParent, ...(noNewPrivileges ? ['--no-new-privs'] : []), '--', ...command];
}

function environmentOf(own: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])),
    NODE_ENV: 'production',
    TZ: 'UTC',
    // Says to a program of ours that it leads a group, which it then ends with itself.
    MENDARA_SUPERVISED: leads ? 'leader' : 'member',
    MENDARA_SETPRIV: tools().setpriv ?? '',
    ...own,
  };
}

// Runs for `process.exit` too; for a signal without a handler it does not, which is what the leash and the pipes are for.
process.on('exit', () => {
  for (const child of running) child.killNow();
});
