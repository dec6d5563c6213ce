import 'server-only';
import { signatureSchema } from '../../../contract/requests/repair';
import { receiveUpload } from '../../uploads/receive-upload';
import { signUpload } from '../../uploads/sign-upload';
import { answer } from '../answer';
import type { RouteGroup } from '../endpoints';
import { requestOrigin } from '../origins';
import { route } from '../route';
import { serveResumable } from '../serve-resumable';
import { nameVisitor, visitorOf } from '../visitor';

export const uploadsRoutes = {
  /** HEAD /oss/resumable/{id} tells how much of an upload in pieces has arrived, PATCH brings more of it. */
  '/oss/resumable/{id}': {
    HEAD: route({}, ({ ctx, request, params }) => serveResumable(ctx, request, params.id ?? '')),
    PATCH: route({}, ({ ctx, request, params }) => serveResumable(ctx, request, params.id ?? '')),
  },
  /** GET /oss/signature: checks an announced file and signs the form that uploads it. */
  '/oss/signature': {
    GET: route({ query: signatureSchema }, async ({ ctx, request, query, client }) => {
      const signed = await signUpload(
        ctx,
        query,
        { client, visitor: visitorOf(request) },
        requestOrigin(ctx.env, request),
      );
      return nameVisitor(ctx, request, answer(signed));
    }),
  },
  /** POST /oss/upload: the signed form, streamed to the local store. */
  '/oss/upload': {
    POST: route({}, ({ ctx, request }) =>
      receiveUpload(ctx, { contentType: request.headers.get('content-type') ?? '', body: request.body }),
    ),
  },
} satisfies RouteGroup;
