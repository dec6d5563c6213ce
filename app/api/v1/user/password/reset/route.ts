import * as z from 'zod/mini';
import { codeResetSchema, signedInResetSchema } from '@/lib/contract/requests/account';
import { check } from '@/lib/server/base/check';
import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { ifKeptHere } from '@/lib/server/sso/kept-here';
import { resetSignedIn, resetWithCode } from '@/lib/server/sso/reset-password';

/** PUT /user/password/reset: with the code from the mail, or signed in with the current password. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  PUT: route(
    { session: 'optional', body: z.unknown(), security: 'password-reset' },
    async ({ ctx, session, body, client }) => {
      if (typeof body === 'object' && body !== null && 'code' in body) {
        const input = check(codeResetSchema, body);
        return input.ok ? ifKeptHere(ctx, () => resetWithCode(ctx, input.value, client)) : input;
      }
      if (!session) return refuse('sessionInvalid');
      const input = check(signedInResetSchema, body);
      if (!input.ok) return input;
      return ifKeptHere(ctx, () => resetSignedIn(ctx, session.user, input.value, client));
    },
  ),
});
