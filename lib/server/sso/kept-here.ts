import 'server-only';
import { type Outcome, refuse } from '../base/refusal';
import { keepsPasswords } from '../config/sign-in';
import type { Context } from '../context';

/** Does what needs a password or a code of ours, unless people sign in elsewhere: then none of them lets anybody in. */
export async function ifKeptHere<T>(ctx: Context, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  return keepsPasswords(ctx.env)
    ? work()
    : refuse(
        'forbidden',
        'Passwords are kept by the sign-in provider of this site. Please sign in, or change yours, there.',
      );
}
