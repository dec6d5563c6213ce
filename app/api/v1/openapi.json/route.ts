import { openApiDocument } from '@/lib/contract/api/document';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** Made once: it depends on nothing but the program. */
let text: string | undefined;

/** GET /openapi.json: the API in OpenAPI 3.1. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async () => {
    text ??= JSON.stringify(openApiDocument(), null, 2);
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' };
    return new Response(text, { headers });
  }),
});
