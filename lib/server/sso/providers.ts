import 'server-only';
import type { Env } from '../config/env';
import { keepsPasswords } from '../config/sign-in';
import { openIdConnect } from './openid/provider';
import type { SignInProvider } from './port';

/** Pages of our own, which know people by their passwords. */
const embedded: SignInProvider = {
  name: 'embedded',
  describe: () => 'Sign-in: by password, on pages of this site',
  address: (_env, origin) => `${origin}/login`,
  check: async () => null,
};

/** Where people sign in. */
export function signInProvider(env: Env): SignInProvider {
  return keepsPasswords(env) ? embedded : openIdConnect;
}
