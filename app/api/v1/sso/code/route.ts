import { resetCodeSchema } from '@/lib/contract/requests/sign-in';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { ifKeptHere } from '@/lib/server/sso/kept-here';
import { askForResetCode } from '@/lib/server/sso/send-reset-code';

/** POST /sso/code: mails a code that resets the password; answers the same for an unknown address. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: resetCodeSchema }, ({ ctx, body, client }) =>
    ifKeptHere(ctx, () => askForResetCode(ctx, body.email, client)),
  ),
});
