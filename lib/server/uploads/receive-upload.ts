import 'server-only';
import { eq } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { logError } from '../base/log';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { checkPolicy, localSigner } from '../objects/disk/post-policy';
import { uploadKey } from '../objects/port';
import { confirmArrival } from './arrival';
import type { UploadLease } from './lease';
import { takeForm } from './lease';
import type { FormBody, Target } from './receive-form';
import { receiveForm } from './receive-form';
import { diskFull, isDiskFull } from './room';

/**
 * Takes an upload into the local store: the signed form decides where it goes and how long it is, and is good for one sender at a
 * time. A part of a file is never kept, and a second upload for the same task changes nothing.
 */
export async function receiveUpload(ctx: Context, form: FormBody): Promise<Outcome<null>> {
  const place: Place = { taskId: '' };
  try {
    const received = await receiveForm(form, (fields) => admit(ctx, fields, place), {
      stallMs: ctx.env.UPLOAD_STALL_SECONDS * 1000,
    });
    return received.ok ? await confirmArrival(ctx, place.taskId) : received;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    logError('disk.full', 'An upload found the disk full.', error);
    return diskFull();
  } finally {
    await place.lease?.end();
  }
}

/** What is known of an upload once its fields were read. */
type Place = { taskId: string; lease?: UploadLease };

async function admit(ctx: Context, fields: ReadonlyMap<string, string>, place: Place): Promise<Outcome<Target>> {
  if (ctx.objects.kind !== 'disk') return refuse('notFound');
  const allowed = checkPolicy(localSigner(ctx.secrets.uploadSigning), fields, ctx.now());
  if (!allowed.ok) return allowed;
  const { key: taskId, bytes } = allowed.value;
  const [task] = await ctx.db
    .select({ status: repairTasks.status, uploadedAt: repairTasks.uploadedAt })
    .from(repairTasks)
    .where(eq(repairTasks.id, taskId));
  if (task?.status !== 'uploading') return refuse('expired', 'This upload is over. Please choose the file again.');
  if (task.uploadedAt) return refuse('conflict', 'This file has already arrived.');
  const lease = await takeForm(ctx, taskId);
  if (!lease) return refuse('conflict', 'This file is being sent already. Please wait for that, or choose it again.');
  Object.assign(place, { taskId, lease });
  const key = uploadKey(taskId);
  return ok({ bytes, put: (body) => ctx.objects.put(key, body, bytes), drop: () => ctx.objects.remove(key) });
}
