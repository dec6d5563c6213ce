import { signatureSchema } from '@/lib/contract/requests/repair';
import { endpoints } from '@/lib/server/http/endpoints';
import { requestOrigin } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { signUpload } from '@/lib/server/uploads/sign-upload';

/** GET /oss/signature: checks an announced file and signs the form that uploads it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ query: signatureSchema }, ({ ctx, request, query, client }) =>
    signUpload(ctx, query, client, requestOrigin(ctx.env, request)),
  ),
});
