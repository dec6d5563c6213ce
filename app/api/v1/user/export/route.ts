import { ok } from '@/lib/contract/result';
import { exportData } from '@/lib/server/accounts/export-data';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** POST /user/export: everything kept about the user. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ session: 'required', security: 'export' }, async ({ ctx, session }) =>
    ok(await exportData(ctx, session)),
  ),
});
