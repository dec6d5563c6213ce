import 'server-only';
import { Server } from '@tus/server';
import { eq } from 'drizzle-orm';
import { refusal } from '../../contract/answer';
import { refusals } from '../../contract/errors';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { uploadKey } from '../objects/port';
import { confirmArrival } from '../uploads/arrival';
import { RefusedContent } from '../uploads/guard';
import { UploadLocker } from '../uploads/resumable/locker';
import { dropPieces, forgetMarks, joinPieces, pieceStore } from '../uploads/resumable/pieces';
import { isGoodTicket, TICKET_HEADER } from '../uploads/resumable/ticket';
import type { ApiRequest } from './api-request';

/** How long a request that somebody else's takes the place of may still write, in milliseconds. */
const DRAIN_MS = 500;

const servers = new WeakMap<Context, Promise<Server>>();

/**
 * HEAD and PATCH of a resumable upload (tus 1.0, core protocol), by its task's number, with a ticket. Uploads are begun by
 * `GET /oss/signature`, and ended by deleting their task.
 */
export async function serveResumable(
  ctx: Context,
  request: ApiRequest,
  id: string,
): Promise<Outcome<never> | Response> {
  if (!/^[0-9a-f]{64}$/.test(id)) return refuse('notFound');
  if (!isGoodTicket(ctx.secrets, id, request.headers.get(TICKET_HEADER), ctx.now())) {
    return refuse('forbidden', 'The time of this upload’s signature is over. Please ask for a new one.');
  }
  const task = await find(ctx, id);
  if (!task?.resumable || task.status === 'deleted' || task.expiresAt <= ctx.now()) {
    return refuse('expired', 'This upload is over. Please choose the file again.');
  }
  // The last answer was lost: all of it is there.
  if (task.uploadedAt) return answerWhole(request, task.fileSize);
  servers.set(ctx, servers.get(ctx) ?? open(ctx));
  const server = await servers.get(ctx);
  if (!(request instanceof Request)) throw new TypeError('A body that is streamed needs a whole request.');
  const answer = await server?.handleWeb(request);
  if (!answer) return refuse('internal');
  // It became whole while this request waited for another to let go.
  if (answer.status === 404 && (await find(ctx, id))?.uploadedAt) return answerWhole(request, task.fileSize);
  const isAllThere = request.method === 'HEAD' && answer.headers.get('upload-offset') === String(task.fileSize);
  if (isAllThere) {
    // A server that ended before it could left parts to be joined, or a whole file that nobody looked at.
    const head = await ctx.objects.head(uploadKey(id));
    if (head?.bytes !== task.fileSize) await joinPieces(ctx, id, task.fileSize);
    const finished = await finish(ctx, id);
    if (!finished.ok) return finished;
  }
  // Which origins may read the answer is for the API as a whole to say.
  for (const name of [...answer.headers.keys()]) if (name.startsWith('access-control-')) answer.headers.delete(name);
  return answer;
}

async function find(ctx: Context, id: string) {
  const [task] = await ctx.db.select().from(repairTasks).where(eq(repairTasks.id, id));
  return task;
}

function answerWhole(request: ApiRequest, bytes: number): Outcome<never> | Response {
  if (request.method !== 'HEAD') return refuse('conflict', 'This file has already arrived.');
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-offset': String(bytes),
    'upload-length': String(bytes),
    'cache-control': 'no-store',
  };
  return new Response(null, { status: 200, headers });
}

async function open(ctx: Context): Promise<Server> {
  const idOf = (last = '') => uploadKey(last);
  return new Server({
    path: '/api/v1/oss/resumable',
    datastore: await pieceStore(ctx),
    locker: new UploadLocker(ctx),
    lockDrainTimeout: DRAIN_MS,
    getFileIdFromRequest: (_request, last) => idOf(last),
    async onUploadFinish(_request, upload) {
      const finished = await finish(ctx, upload.id.slice(idOf().length));
      if (!finished.ok) throw new RefusedContent(finished.error);
      return {};
    },
    async onResponseError(_request, error) {
      if (!(error instanceof RefusedContent)) return undefined;
      const { name, msg } = error.refusal;
      return { status_code: refusals[name].status, body: JSON.stringify(refusal(name, msg)) };
    },
  });
}

/** Looks at a file that is whole now; what is refused is gone with all that lies beside it. */
async function finish(ctx: Context, id: string): Promise<Outcome<null>> {
  const arrived = await confirmArrival(ctx, id);
  if (arrived.ok) await forgetMarks(ctx, id);
  else if (arrived.error.name !== 'conflict') await dropPieces(ctx, id);
  return arrived;
}
