import { signatureSchema } from '@/lib/contract/requests/repair';
import { answer } from '@/lib/server/http/answer';
import { endpoints } from '@/lib/server/http/endpoints';
import { requestOrigin } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { nameVisitor, visitorOf } from '@/lib/server/http/visitor';
import { signUpload } from '@/lib/server/uploads/sign-upload';

/** GET /oss/signature: checks an announced file and signs the form that uploads it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ query: signatureSchema }, async ({ ctx, request, query, client }) => {
    const signed = await signUpload(
      ctx,
      query,
      { client, visitor: visitorOf(request) },
      requestOrigin(ctx.env, request),
    );
    return nameVisitor(ctx, request, answer(signed));
  }),
});
