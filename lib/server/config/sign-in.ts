import 'server-only';
import type { Env } from './env';

/** True where people sign in with a password of ours; false where an OpenID Connect provider says who they are. */
export function keepsPasswords(env: Pick<Env, 'OIDC_ISSUER'>): boolean {
  return env.OIDC_ISSUER === undefined;
}
