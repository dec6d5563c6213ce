import { startSchema } from '@/lib/contract/requests/repair';
import { endpoints } from '@/lib/server/http/endpoints';
import { requestOrigin } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { visitorOf } from '@/lib/server/http/visitor';
import { deleteTask } from '@/lib/server/repairs/delete-task';
import { readTask } from '@/lib/server/repairs/read-task';
import { startTask } from '@/lib/server/repairs/start-task';

/** A repair: POST starts it, GET tells how it stands, DELETE forgets it. Its id is the key to it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, ({ ctx, request, params }) => readTask(ctx, params.taskId ?? '', requestOrigin(ctx.env, request))),
  POST: route({ body: startSchema }, ({ ctx, request, body, params }) =>
    startTask(ctx, params.taskId ?? '', body, requestOrigin(ctx.env, request)),
  ),
  DELETE: route({}, ({ ctx, request, params }) => deleteTask(ctx, params.taskId ?? '', visitorOf(request))),
});
