import { refuse } from '@/lib/server/base/refusal';
import { findInstaller, MISSING } from '@/lib/server/downloads/find-installer';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { sendFile } from '@/lib/server/http/send-file';

/** GET /recovery/files/{name}: an installer. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, ({ ctx, request, params }) => {
    const uuid = new URL(request.url).searchParams.get('uuid');
    return sendFile(ctx, request, findInstaller(params.name ?? '', uuid), refuse('notFound', MISSING));
  }),
});
