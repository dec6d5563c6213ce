import 'server-only';
import { startSchema } from '../../../contract/requests/repair';
import { refuse } from '../../base/refusal';
import { deleteTask } from '../../repairs/delete-task';
import { DELETED, findResult } from '../../repairs/find-result';
import { listTasks } from '../../repairs/list-tasks';
import { readTask } from '../../repairs/read-task';
import { startTask } from '../../repairs/start-task';
import { answer } from '../answer';
import type { RouteGroup } from '../endpoints';
import { requestOrigin } from '../origins';
import { route } from '../route';
import { sendFile } from '../send-file';
import { nameVisitor, visitorOf } from '../visitor';

export const repairRoutes = {
  /** GET /repair/tasks/{taskId}/file: the repaired file. */
  '/repair/tasks/{taskId}/file': {
    GET: route({}, async ({ ctx, request, params }) =>
      sendFile(ctx, request, await findResult(ctx, params.taskId ?? ''), refuse('expired', DELETED)),
    ),
  },
  /** A repair: POST starts it, GET tells how it stands, DELETE forgets it. Its id is the key to it. */
  '/repair/tasks/{taskId}': {
    GET: route({}, ({ ctx, request, params }) => readTask(ctx, params.taskId ?? '', requestOrigin(ctx.env, request))),
    POST: route({ body: startSchema }, ({ ctx, request, body, params }) =>
      startTask(ctx, params.taskId ?? '', body, requestOrigin(ctx.env, request)),
    ),
    DELETE: route({}, ({ ctx, request, params }) => deleteTask(ctx, params.taskId ?? '', visitorOf(request))),
  },
  /** GET /repair/tasks: the repairs that count towards this visitor's share; asked first, it names the visitor by a cookie. */
  '/repair/tasks': {
    GET: route({}, async ({ ctx, request }) =>
      nameVisitor(ctx, request, answer(await listTasks(ctx, visitorOf(request)))),
    ),
  },
} satisfies RouteGroup;
