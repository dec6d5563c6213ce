import { ok } from '@/lib/contract/result';
import { listInstallers } from '@/lib/server/downloads/list-installers';
import { endpoints } from '@/lib/server/http/endpoints';
import { requestOrigin } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';

/** GET /recovery/installers: version, size and SHA-256 of each installer. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request }) => ok(await listInstallers(ctx, requestOrigin(ctx.env, request)))),
});
