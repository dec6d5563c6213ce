import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { receiveUpload } from '@/lib/server/uploads/receive-upload';

/** POST /oss/upload: the signed form, streamed to the local store. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({}, ({ ctx, request }) =>
    receiveUpload(ctx, { contentType: request.headers.get('content-type') ?? '', body: request.body }),
  ),
});
