import { sendInstaller } from '@/lib/server/downloads/send-installer';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** GET /recovery/files/{name}: an installer. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, ({ ctx, request, params }) => sendInstaller(ctx, request, params.name ?? '')),
});
