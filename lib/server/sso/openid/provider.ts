import 'server-only';
import { startError } from '../../base/start-error';
import type { SignInProvider } from '../port';
import { callbackAddress, clockOf, providerOf, TOLERANCE_SECONDS } from './configuration';
import { logProvider, problemOf } from './problems';

/** Any OpenID Connect provider: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, section 3.1). */
export const openIdConnect: SignInProvider = {
  name: 'openid-connect',
  describe: (env) =>
    `Sign-in: OpenID Connect at ${env.OIDC_ISSUER ?? ''}, which answers to ${callbackAddress({ env })}`,
  // One place for every spelling of this computer: the cookie that binds the answer to the browser belongs to its host.
  address: (env) => `${env.SITE_URL}/api/v1/sso/provider/start`,
  async check(ctx) {
    try {
      const ahead = (await clockOf(ctx)) ?? 0;
      const metadata = (await providerOf(ctx)).serverMetadata();
      const challenges = metadata.code_challenge_methods_supported;
      if (challenges && !challenges.includes('S256')) {
        throw startError(
          `The sign-in provider ${ctx.env.OIDC_ISSUER} does not know PKCE with S256, without which nobody is signed in.`,
        );
      }
      if (Math.abs(ahead) <= TOLERANCE_SECONDS) return null;
      return `its clock is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} ours, and nobody can sign in until both are right`;
    } catch (error) {
      if (error instanceof Error && error.name === 'StartError') throw error;
      logProvider('The sign-in provider could not be asked.', error);
      if (problemOf(error) === 'unavailable') return 'it does not answer now, and nobody can sign in until it does';
      throw startError(
        `OIDC_ISSUER ${ctx.env.OIDC_ISSUER} does not describe itself as an OpenID Connect provider of that name: look at ${ctx.env.OIDC_ISSUER}/.well-known/openid-configuration.`,
      );
    }
  },
};
