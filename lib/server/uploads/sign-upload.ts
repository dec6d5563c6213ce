import 'server-only';
import { uploadLifeHours } from '../../catalog/tools';
import type { UploadSignature } from '../../contract/repair';
import type { SignatureQuery } from '../../contract/requests/repair';
import { ok } from '../../contract/result';
import { clientNetwork } from '../base/client-network';
import { digest } from '../base/ids';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { checkAnnounced } from './check-file';
import { localSigner, signPolicy } from './post-policy';
import { checkRoom, holdShare } from './room';

/** A form must be sent within this time; how long the sending takes is another matter. */
const FORM_LIFE_MS = 15 * 60_000;
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
  const byVisitor = visitor ? await consume(ctx, limitTable.uploadVisitor, visitor) : ok(null);
  if (!byVisitor.ok) return byVisitor;
  const holder = { visitor, network: digest(network) };
  const room = await checkRoom(ctx, holder, input.fileSize);
  if (!room.ok) return room;

  const taskId = ctx.ids.key();
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
    createdAt: now,
    expiresAt,
  };
  const share = await ctx.db.transaction(async (tx) => {
    const held = await holdShare(ctx, tx, holder);
    if (held.ok) await tx.insert(repairTasks).values(task);
    return held;
  });
  if (!share.ok) return share;
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
