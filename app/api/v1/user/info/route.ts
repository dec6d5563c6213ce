import { profileSchema } from '@/lib/contract/requests/account';
import { ok } from '@/lib/contract/result';
import { saveProfile } from '@/lib/server/accounts/save-profile';
import { userDetail } from '@/lib/server/accounts/user-detail';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** GET and PUT /user/info: the profile. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ session: 'required' }, async ({ ctx, session }) => ok(userDetail(ctx, session.user))),
  PUT: route({ session: 'required', body: profileSchema }, ({ ctx, session, body }) =>
    saveProfile(ctx, session.user.id, body),
  ),
});
