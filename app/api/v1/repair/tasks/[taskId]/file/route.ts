import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { sendResult } from '@/lib/server/repairs/send-result';

/** GET /repair/tasks/{taskId}/file: the repaired file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, ({ ctx, request, params }) => sendResult(ctx, request, params.taskId ?? '')),
});
