import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { serveResumable } from '@/lib/server/http/serve-resumable';

/** HEAD /oss/resumable/{id} tells how much of an upload in pieces has arrived, PATCH brings more of it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  HEAD: route({}, ({ ctx, request, params }) => serveResumable(ctx, request, params.id ?? '')),
  PATCH: route({}, ({ ctx, request, params }) => serveResumable(ctx, request, params.id ?? '')),
});
