import 'server-only';
import { and, count, eq, ne, sql, sum } from 'drizzle-orm';
import { uploadLifeHours } from '../../catalog/tools';
import type { UploadSignature } from '../../contract/repair';
import type { SignatureQuery } from '../../contract/requests/repair';
import { ok } from '../../contract/result';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { clientNetwork } from '../http/client';
import { digest, newKey } from '../ids';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { type Outcome, refuse } from '../refusal';
import { checkAnnounced } from './check-file';
import { localSigner, signPolicy } from './post-policy';

/** A form must be sent within this time; how long the sending takes is another matter. */
const FORM_LIFE_MS = 15 * 60_000;
/** Ten minutes less than a day, so that everything is gone within 24 hours even when the job that deletes it runs late. */
const TASK_LIFE_MS = uploadLifeHours * 3_600_000 - 10 * 60_000;

/** Checks an announced file and signs the form that uploads it. `origin` is where the client reached us. */
export async function signUpload(
  ctx: Context,
  input: SignatureQuery,
  client: string,
  origin: string,
): Promise<Outcome<UploadSignature>> {
  const announced = checkAnnounced(input.type, input.fileName, input.fileSize);
  if (!announced.ok) return announced;
  const network = clientNetwork(client);
  const allowed = await consume(ctx, limitTable.uploadCaller, network);
  if (!allowed.ok) return allowed;
  const room = await checkRoom(ctx, digest(network), input.fileSize);
  if (!room.ok) return room;

  const taskId = newKey();
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + TASK_LIFE_MS);
  await ctx.db.insert(repairTasks).values({
    id: digest(taskId),
    type: announced.value.type,
    fileName: announced.value.fileName,
    fileSize: input.fileSize,
    status: 'uploading',
    client: digest(network),
    createdAt: now,
    expiresAt,
  });
  const fields = signPolicy(localSigner(ctx.secrets.uploadSigning), {
    key: digest(taskId),
    bytes: input.fileSize,
    now,
    expiresAt: new Date(now.getTime() + FORM_LIFE_MS),
  });
  return ok({
    taskId,
    upload: { url: `${origin}/api/v1/oss/upload`, method: 'POST', fields },
    statusUrl: `${origin}/api/v1/repair/tasks/${taskId}`,
    expiresAt: expiresAt.toISOString(),
  });
}

/** Keeps one client from filling the disk, and all of them together. A result counts as large as its upload. */
async function checkRoom(ctx: Context, client: string, fileSize: number): Promise<Outcome<null>> {
  const alive = ne(repairTasks.status, 'deleted');
  const [own] = await ctx.db
    .select({ tasks: count() })
    .from(repairTasks)
    .where(and(alive, eq(repairTasks.client, client)));
  if (ctx.env.RATE_LIMITS && (own?.tasks ?? 0) >= ctx.env.UPLOAD_TASKS_PER_CLIENT) {
    return refuse(
      'tooManyRequests',
      'You have many repairs on the server already. Please delete one of them, or wait until they are deleted after 24 hours.',
    );
  }
  const [all] = await ctx.db
    .select({ bytes: sum(sql`2 * ${repairTasks.fileSize}`).mapWith(Number) })
    .from(repairTasks)
    .where(alive);
  if ((all?.bytes ?? 0) + 2 * fileSize > ctx.env.UPLOAD_DISK_MB * 2 ** 20) {
    return refuse('unavailable', 'There is no room for more files at the moment. Please try again later.');
  }
  return ok(null);
}
