import { header } from '@/lib/contract/headers';
import { ok } from '@/lib/contract/result';
import { refuse } from '@/lib/server/base/refusal';
import { installerFor } from '@/lib/server/downloads/installer-names';
import { installerAddress } from '@/lib/server/downloads/list-installers';
import { endpoints } from '@/lib/server/http/endpoints';
import { requestOrigin } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';

/** GET /recovery/downloader: the installer's address for the headers `website` and `phone_os`. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request }) => {
    const name = installerFor(request.headers.get(header.website), request.headers.get(header.phoneOs));
    return name ? ok(installerAddress(ctx, name, requestOrigin(ctx.env, request))) : refuse('notFound');
  }),
});
