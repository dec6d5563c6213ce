import 'server-only';
import { header } from '../../../contract/headers';
import { productsListSchema } from '../../../contract/requests/pay';
import { ok } from '../../../contract/result';
import { refuse } from '../../base/refusal';
import { findInstaller, MISSING } from '../../downloads/find-installer';
import { installerFor, installerNames } from '../../downloads/installer-names';
import { installerAddress } from '../../downloads/list-installers';
import type { RouteGroup } from '../endpoints';
import { keptResponse } from '../kept';
import { requestOrigin } from '../origins';
import { keptInstallers, keptProducts } from '../remembered';
import { route } from '../route';
import { redirect, sendFile } from '../send-file';

export const catalogueRoutes = {
  /** GET and POST /products/list: what can be bought, with ids and prices; a GET can be asked again by its tag. */
  '/products/list': {
    GET: route({ query: productsListSchema }, async ({ request, query }) => keptResponse(request, keptProducts(query))),
    POST: route({ body: productsListSchema }, async ({ request, body }) => keptResponse(request, keptProducts(body))),
  },
  /** GET /recovery/downloader: the installer's address for the headers `website` and `phone_os`. */
  '/recovery/downloader': {
    GET: route({}, async ({ ctx, request }) => {
      const name = installerFor(request.headers.get(header.website), request.headers.get(header.phoneOs));
      return name ? ok(installerAddress(ctx, name, requestOrigin(ctx.env, request))) : refuse('notFound');
    }),
  },
  /** GET /recovery/files/{name}: an installer, or the way to where the vendor keeps it: pages link here without script. */
  '/recovery/files/{name}': {
    GET: route({}, async ({ ctx, request, params }) => {
      const elsewhere = ctx.env.INSTALLER_BASE_URL && installerNames.find(({ file }) => file === params.name);
      if (elsewhere) return redirect(installerAddress(ctx, elsewhere, ''));
      const uuid = new URL(request.url).searchParams.get('uuid');
      return sendFile(ctx, request, findInstaller(params.name ?? '', uuid), refuse('notFound', MISSING));
    }),
  },
  /** GET /recovery/installers: version, size and SHA-256 of each installer. */
  '/recovery/installers': {
    GET: route({}, async ({ ctx, request }) =>
      keptResponse(request, await keptInstallers(ctx, requestOrigin(ctx.env, request))),
    ),
  },
} satisfies RouteGroup;
