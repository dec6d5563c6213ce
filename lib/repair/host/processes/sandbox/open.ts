import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, tools } from '../tools';
import { judge, missingWithout } from './judge';
import type { Errand, Sight } from './look';
import { type Isolation, Sandbox, type Way } from './sandbox';
import { bwrapWalls, unshareWalls } from './walls';
import { Workplace } from './workplace';

/** What is asked of the sandbox. */
export type SandboxOptions = {
  /** `auto` takes the best there is, `require` fails rather than go without walls, `off` does not try. */
  mode: 'auto' | 'require' | 'off';
  /** Absolute path of the folder with the bundled programs. */
  bundles: string;
  /** Absolute path of a folder of ours for workplaces, made when it is missing. */
  workFolder: string;
  /** Name or path of a program that decodes videos. */
  decoder?: string | undefined;
  /** Tries this way alone; the best of all without. */
  only?: Exclude<Isolation, 'none'> | undefined;
};

/** Who repairs run as when root starts them: of the range that systemd keeps for users made at run time, so that nobody else has it. */
const sandboxUser = 61_184;

/** Figures of the trial, small enough to be told from what the machine has set. */
const trialLimits = { memoryBytes: 2 ** 30, cpuSeconds: 60, fileBytes: 2 ** 20 };

/**
 * Finds the best way to shut repairs in on this machine by trying each with a process that looks around, which takes a few tenths of a
 * second. Rejects with a sentence for a person when `require` finds none.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { mode, bundles } = options;
  const decoder = options.decoder === undefined ? undefined : (findProgram(options.decoder) ?? options.decoder);
  const reasons: string[] = [];
  if (mode === 'off') reasons.push('switched off');
  else if (process.platform !== 'linux') reasons.push(`not on ${process.platform}`);
  else {
    for (const way of ways(reasons)) {
      if (options.only && way.isolation !== options.only) continue;
      const sandbox = await tried(way, { ...options, decoder }, reasons);
      if (sandbox) return sandbox;
    }
  }
  if (mode === 'require') throw new Error(`This machine cannot shut repairs in: ${[...new Set(reasons)].join('; ')}.`);
  return new Sandbox({ isolation: 'none', walls: null, user: null }, bundles, {
    decoder,
    missing: missingWithout(),
    reasons: [...new Set(reasons)],
  });
}

/** The ways that this machine has the programs for, best first. Root becomes another user, or at least stays without power. */
function ways(reasons: string[]): Way[] {
  const { setpriv } = tools();
  const [bwrap, unshare] = [findProgram('bwrap'), findProgram('unshare')];
  const users = process.getuid?.() === 0 ? [sandboxUser, null] : [null];
  const found: Way[] = [];
  if (!bwrap) reasons.push('bwrap: not installed');
  if (!unshare || !setpriv) reasons.push('unshare: util-linux is not installed');
  for (const [isolation, isThere] of [
    ['bwrap', bwrap],
    ['unshare', unshare && setpriv],
  ] as const) {
    if (!isThere) continue;
    for (const user of users) {
      // Becoming another user takes util-linux too.
      if (user !== null && !(unshare && setpriv)) continue;
      const builders = { bwrap, unshare: unshare ?? '', setpriv: setpriv ?? '' };
      found.push({ isolation, user, walls: (isolation === 'bwrap' ? bwrapWalls : unshareWalls)(builders) });
    }
  }
  return found;
}

/** The sandbox, if a process in it sees what it should and nothing else. */
async function tried(way: Way, options: SandboxOptions, reasons: string[]): Promise<Sandbox | null> {
  let place: Workplace | undefined;
  try {
    place = await Workplace.make(options.workFolder, way.user);
    return await judged(way, place, options, reasons);
  } catch (error) {
    reasons.push(`${way.isolation}: ${(error as Error).message}`);
    return null;
  } finally {
    await place?.remove();
  }
}

async function judged(way: Way, place: Workplace, options: SandboxOptions, reasons: string[]): Promise<Sandbox> {
  const { bundles, decoder } = options;
  const sandbox = new Sandbox(way, bundles, { decoder, missing: [], reasons });
  const sight = await lookAround(sandbox, place, bundles);
  const { missing, holds } = judge(sight, sandbox.limits(trialLimits));
  if (!holds) throw new Error(`does not hold back ${missing.join(', ')}`);
  if (!sight.hasPictures || !sight.starts) throw new Error('the programs of a repair do not run there');
  if (!sight.startsProgram) reasons.push(`${decoder} does not run there`);
  return new Sandbox(way, bundles, { decoder: sight.startsProgram ? decoder : undefined, missing, reasons });
}

async function lookAround(sandbox: Sandbox, place: Workplace, bundles: string): Promise<Sight> {
  const script = join(bundles, 'sandbox-probe.mjs');
  if (!existsSync(script)) throw new Error(`${script} is missing`);
  const input = join(place.root, '..', 'input');
  await writeFile(input, 'to be read', { mode: 0o600 });
  const { child } = await sandbox.start(
    'probe',
    { input, place },
    (seen) => {
      const errand: Errand = { input: seen.input, output: seen.output, program: sandbox.decoder };
      return [script, JSON.stringify(errand)];
    },
    { limits: trialLimits, milliseconds: 30_000 },
  );
  const [out, errors, { code }] = await Promise.all([textOf(child.output), textOf(child.errors), child.done]);
  if (code !== 0) throw new Error(lastLine(errors) || `ended with ${code}`);
  const sight = JSON.parse(out) as Sight;
  if (sight.read !== 'to be read') throw new Error('the input was not to be read');
  if (!(await place.publish(join(place.root, 'published')))) throw new Error('no output came out');
  return sight;
}

async function textOf(stream: AsyncIterable<Buffer> | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += chunk.toString();
  return text;
}

/** What a program said in one line; errors of Node come with their stack below. */
function lastLine(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  return (lines.find((line) => /error|denied|permitted|fail|cannot|can't/i.test(line)) ?? lines.at(-1) ?? '').slice(
    0,
    200,
  );
}
