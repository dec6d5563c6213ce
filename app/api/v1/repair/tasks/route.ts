import { answer } from '@/lib/server/http/answer';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { nameVisitor, visitorOf } from '@/lib/server/http/visitor';
import { listTasks } from '@/lib/server/repairs/list-tasks';

/** GET /repair/tasks: the repairs that count towards this visitor's share; asked first, it names the visitor by a cookie. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request }) =>
    nameVisitor(ctx, request, answer(await listTasks(ctx, visitorOf(request)))),
  ),
});
