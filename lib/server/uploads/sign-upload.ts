import 'server-only';
import { eq } from 'drizzle-orm';
import { uploadLifeHours } from '../../catalog/tools';
import type { UploadSignature } from '../../contract/repair';
import type { SignatureQuery } from '../../contract/requests/repair';
import { ok } from '../../contract/result';
import { clientNetwork } from '../base/client-network';
import { digest } from '../base/ids';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { uploadKey } from '../objects/port';
import { type Announced, checkAnnounced } from './check-file';
import { beginPieces } from './resumable/pieces';
import { signTicket, TICKET_HEADER } from './resumable/ticket';
import { checkRoom, holdShare } from './room';

/** A form must be sent within this time; how long the sending takes is another matter. */
const FORM_LIFE_SECONDS = 15 * 60;
/** Ten minutes less than a day, so that everything is gone within 24 hours even when the job that deletes it runs late. */
const TASK_LIFE_MS = uploadLifeHours * 3_600_000 - 10 * 60_000;

/** Who announces a file: the address, and the visitor of the cookie, hashed, if there is one. */
export type Caller = { client: string; visitor: string | null };

/** Checks an announced file and signs the form that uploads it. `origin` is where the client reached us. */
export async function signUpload(
  ctx: Context,
  input: SignatureQuery,
  { client, visitor }: Caller,
  origin: string,
): Promise<Outcome<UploadSignature>> {
  const announced = checkAnnounced(input.type, input.fileName, input.fileSize);
  if (!announced.ok) return announced;
  const network = clientNetwork(client);
  const allowed = await consume(ctx, limitTable.uploadCaller, network);
  if (!allowed.ok) return allowed;
  if (input.taskId) return signAgain(ctx, announced.value, input.taskId, origin);
  const byVisitor = visitor ? await consume(ctx, limitTable.uploadVisitor, visitor) : ok(null);
  if (!byVisitor.ok) return byVisitor;
  const holder = { visitor, network: digest(network) };
  const room = await checkRoom(ctx, holder, input.fileSize);
  if (!room.ok) return room;

  const taskId = ctx.ids.key();
  const resumable = input.fileSize > ctx.env.UPLOAD_RESUMABLE_MB * 2 ** 20;
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + TASK_LIFE_MS);
  const task = {
    id: digest(taskId),
    type: announced.value.type,
    fileName: announced.value.fileName,
    fileSize: input.fileSize,
    status: 'uploading' as const,
    client: digest(network),
    visitor: visitor ?? '',
    resumable,
    createdAt: now,
    expiresAt,
  };
  const share = await ctx.db.transaction(async (tx) => {
    const held = await holdShare(ctx, tx, holder);
    if (held.ok) await tx.insert(repairTasks).values(task);
    return held;
  });
  if (!share.ok) return share;
  if (resumable) {
    await beginPieces(ctx, digest(taskId), input.fileSize);
    return ok(resumableSignature(ctx, { taskId, expiresAt }, origin));
  }
  const form = await ctx.objects.signForm({
    key: uploadKey(digest(taskId)),
    bytes: input.fileSize,
    now,
    seconds: FORM_LIFE_SECONDS,
  });
  return ok({
    taskId,
    upload: { url: form.url ?? `${origin}/api/v1/oss/upload`, method: 'POST', fields: form.fields },
    statusUrl: `${origin}/api/v1/repair/tasks/${taskId}`,
    expiresAt: expiresAt.toISOString(),
  });
}

/** An upload in pieces goes on: its place stays, its ticket is new. Only who has its key, and the same file, gets one. */
async function signAgain(
  ctx: Context,
  announced: Announced,
  taskId: string,
  origin: string,
): Promise<Outcome<UploadSignature>> {
  const [task] = await ctx.db
    .select()
    .from(repairTasks)
    .where(eq(repairTasks.id, digest(taskId)));
  const { type, fileName, fileSize } = announced;
  const isSame = task?.type === type && task.fileName === fileName && task.fileSize === fileSize;
  if (!task?.resumable || !isSame || task.status !== 'uploading' || task.expiresAt <= ctx.now()) {
    return refuse('expired', 'This upload can’t go on. Please choose the file again.');
  }
  return ok(resumableSignature(ctx, { taskId, expiresAt: task.expiresAt }, origin));
}

function resumableSignature(
  ctx: Context,
  { taskId, expiresAt }: { taskId: string; expiresAt: Date },
  origin: string,
): UploadSignature {
  const id = digest(taskId);
  const until = new Date(ctx.now().getTime() + FORM_LIFE_SECONDS * 1000);
  return {
    taskId,
    upload: {
      url: `${origin}/api/v1/oss/resumable/${id}`,
      method: 'TUS',
      fields: { [TICKET_HEADER]: signTicket(ctx.secrets, id, until) },
    },
    statusUrl: `${origin}/api/v1/repair/tasks/${taskId}`,
    expiresAt: expiresAt.toISOString(),
  };
}
