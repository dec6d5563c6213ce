import 'server-only';
import { logWarning } from '../base/log';
import { startError } from '../base/start-error';
import type { Context } from '../context';
import { checkMail, describeMail } from '../mail/transport';
import { activeProvider } from '../payment/providers';
import { signInProvider } from '../sso/providers';

/** A part that stands behind a port: what it is, and how it is asked whether it works. */
type Adapter = { describe: string; check: () => Promise<string | null> };

/** By so much the clocks of a node and of the database may differ: half of the shortest lease. */
const CLOCK_MS = 15_000;

/**
 * Asks every adapter once whether it is there, may do what it has to, and has the same time. One that can never work so ends the start; one
 * that does not answer just now does not, since a site whose mail server is away still serves pages. Returns a line for each.
 */
export async function checkAdapters(ctx: Context): Promise<string[]> {
  const { env } = ctx;
  const adapters: Adapter[] = [
    { describe: ctx.handle.describe, check: () => checkClock(ctx) },
    { describe: describeMail(env), check: () => checkMail(env) },
    { describe: activeProvider(env).describe(env), check: () => activeProvider(env).check(ctx) },
    { describe: signInProvider(env).describe(env), check: () => signInProvider(env).check(ctx) },
  ];
  return Promise.all(
    adapters.map(async ({ describe, check }) => {
      const trouble = await check();
      if (trouble === null) return describe;
      logWarning('start', `${describe}: ${trouble}.`);
      return `${describe} (${trouble})`;
    }),
  );
}

/** Leases and tickets compare instants of several machines: a clock that is off would give work to two at once. */
async function checkClock(ctx: Context): Promise<string | null> {
  if (ctx.handle.kind !== 'postgresql') return null;
  const before = ctx.now().getTime();
  const { rows } = await ctx.handle.query({
    text: 'select (extract(epoch from clock_timestamp()) * 1000)::text as now',
  });
  const ahead = Number(rows[0]?.now) - (before + ctx.now().getTime()) / 2;
  if (Math.abs(ahead) <= CLOCK_MS) return null;
  throw startError(
    `The clock of this machine is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'behind' : 'ahead of'} the database’s. Set it right (NTP): work would be done twice.`,
  );
}
