import { lchown } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { ProcessLimits } from '../limits';
import { type ProcessKind, type StartOptions, type Supervised, start } from '../supervisor';
import { findProgram, tools } from '../tools';
import { countsByNamespace, type Missing } from './judge';
import { type Mount, programLayout } from './layout';
import type { Walls } from './walls';
import type { Workplace } from './workplace';

export type Isolation = 'bwrap' | 'unshare' | 'none';

/** One way to shut a process in; `user` is what root becomes, null where we stay who we are. */
export type Way = { isolation: Isolation; walls: Walls | null; user: number | null };

/** Files of one repair, as this process knows them. */
export type Files = { input: string; sample?: string | undefined; place: Workplace };

/** The same files as the repair sees them. */
export type Seen = { input: string; sample?: string | undefined; output: string };

/** Limits of one repair but for the number of processes, which depends on the sandbox. */
export type RepairLimits = Omit<ProcessLimits, 'processes'>;

/** Where a repair finds its files behind walls. */
const inside = { input: '/in/file', sample: '/in/sample', output: '/out' } as const;

/** Processes and threads of a repair: some five processes of a dozen threads each, and libvips takes a thread for each processor. */
const mostProcesses = 256 + 16 * availableParallelism();

/** Where repairs run on this machine: behind walls if it can build them. */
export class Sandbox {
  readonly isolation: Isolation;
  /** The user that files must belong to behind the walls; null when that is us. */
  readonly user: number | null;
  /** The program that decodes videos there; undefined when ffmpeg in WebAssembly does. */
  readonly decoder: string | undefined;
  /** What a hostile file could still reach or take. */
  readonly missing: readonly Missing[];
  /** Why it is not better, in the words of the programs that refused. */
  readonly reasons: readonly string[];
  readonly #walls: Walls | null;
  readonly #mounts: readonly Mount[];

  constructor(
    way: Way,
    bundles: string,
    told: { decoder?: string | undefined; missing: readonly Missing[]; reasons: readonly string[] },
  ) {
    this.isolation = way.isolation;
    this.user = way.user;
    this.decoder = told.decoder;
    this.missing = told.missing;
    this.reasons = told.reasons;
    this.#walls = way.walls;
    this.#mounts = way.walls ? programLayout(bundles, programsInside(told.decoder)) : [];
  }

  /** The limits as they are set here. */
  limits(limits: RepairLimits): ProcessLimits {
    return this.#walls && countsByNamespace() ? { ...limits, processes: mostProcesses } : limits;
  }

  /**
   * Starts Node with `args` where it sees the program, its input, its sample and an output folder, and nothing else, as far as this
   * machine can do that. `args` may depend on where the files are seen. The input is given to the user of the sandbox, if that is another.
   */
  async start(
    kind: ProcessKind,
    files: Files,
    args: readonly string[] | ((seen: Seen) => readonly string[]),
    options: StartOptions = {},
  ): Promise<{ child: Supervised; seen: Seen }> {
    const { place } = files;
    const given = [files.input, files.sample].filter((path) => path !== undefined);
    const { user } = this;
    if (user !== null) await Promise.all(given.map((path) => lchown(path, user, user)));
    const walls = this.#walls;
    const seen: Seen = walls
      ? {
          input: inside.input,
          sample: files.sample && inside.sample,
          output: place.result.replace(place.output, inside.output),
        }
      : { input: files.input, sample: files.sample, output: place.result };
    const mounts: Mount[] = [
      ...this.#mounts,
      { kind: 'read', from: files.input, to: inside.input },
      ...(files.sample ? [{ kind: 'read', from: files.sample, to: inside.sample } as const] : []),
      { kind: 'write', from: place.output, to: inside.output },
    ];
    const child = start(kind, process.execPath, typeof args === 'function' ? args(seen) : args, {
      ...options,
      limits: this.limits(options.limits ?? {}),
      noNewPrivileges: walls === null,
      env: {
        ...options.env,
        TMPDIR: walls ? inside.output : place.output,
        // Of the programs outside none is in sight, and what setpriv does the end of the namespace does.
        ...(walls ? { PATH: undefined, MENDARA_SETPRIV: '' } : {}),
      },
      ...(walls && {
        enclose: (command) => walls({ mounts, root: place.root, cwd: inside.output, user }, command),
      }),
    });
    return { child, seen };
  }
}

/** The programs that are run behind the walls, beside Node. */
function programsInside(decoder: string | undefined): string[] {
  const { setpriv, prlimit } = tools();
  // Debian's ffmpeg finds some of its libraries by way of links that lie there.
  const alternatives = decoder && '/etc/alternatives';
  return [setpriv, prlimit, findProgram('unshare'), decoder, alternatives].filter((path) => typeof path === 'string');
}
