import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { sendFile } from '@/lib/server/http/send-file';
import { DELETED, findResult } from '@/lib/server/repairs/find-result';

/** GET /repair/tasks/{taskId}/file: the repaired file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request, params }) =>
    sendFile(ctx, request, await findResult(ctx, params.taskId ?? ''), refuse('expired', DELETED)),
  ),
});
