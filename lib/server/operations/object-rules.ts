import 'server-only';
import { ok } from '../../contract/result';
import { logWarning } from '../base/log';
import { type Outcome, refuse } from '../base/refusal';
import { ownOrigins } from '../config/origins';
import type { Context } from '../context';

const noRules = 'Files lie on the disk of this server, which has no rules of its own. They are for an S3 store.';

/** Whether the store answers, can be written to, and has the rules by which it clears up and takes browsers' forms. */
export async function checkObjects(ctx: Context): Promise<Outcome<unknown>> {
  const { rules, describe } = ctx.objects;
  try {
    await ctx.objects.prove();
    return ok({ store: describe, written: true, ...(await rules?.read(siteOrigins(ctx))) });
  } catch (error) {
    return refuse('unavailable', `${describe}. It could not be checked: ${(error as Error).message}`);
  }
}

/** Sets the rules; those that others made for the bucket stay. */
export async function setObjectRules(ctx: Context): Promise<Outcome<unknown>> {
  const { rules, describe } = ctx.objects;
  if (!rules) return refuse('unavailable', noRules);
  try {
    await rules.set(siteOrigins(ctx));
    return ok(await rules.read(siteOrigins(ctx)));
  } catch (error) {
    return refuse('unavailable', `${describe}. Its rules could not be set: ${(error as Error).message}`);
  }
}

/** Says at the start what a store lacks: without its rules repairs work or not, but nothing else would tell why. */
export async function warnOfRules(ctx: Context): Promise<void> {
  const found = await ctx.objects.rules?.read(siteOrigins(ctx)).catch(() => null);
  if (found === undefined) return;
  const how = 'npm run --silent admin -- objects rules sets them.';
  if (found === null) logWarning('start', `The rules of the object store can’t be read by this key. ${how}`);
  else if (!found.forms) logWarning('start', `The object store takes no uploads from pages of this site yet. ${how}`);
  else if (!found.expiry) logWarning('start', `The object store has no rule that clears up after a day. ${how}`);
}

function siteOrigins({ env }: Context): string[] {
  const origins = ownOrigins(env);
  return [...origins];
}
