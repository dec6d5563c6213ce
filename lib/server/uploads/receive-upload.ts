import 'server-only';
import fs from 'node:fs/promises';
import { and, eq, isNull } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { toolTypes } from '../../contract/tool-types';
import { logError } from '../base/log';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import type { UploadLease } from './lease';
import { takeForm } from './lease';
import { kindOfNoVideo } from './no-video';
import { checkPolicy, localSigner } from './post-policy';
import type { FormBody, Target } from './receive-form';
import { receiveForm } from './receive-form';
import { diskFull, isDiskFull } from './room';
import { removeFile, uploadPath } from './storage';

/**
 * Takes an upload into the local store: the signed form decides where it goes and how long it is, and is good for one sender at a
 * time. A part of a file is never kept, and a second upload for the same task changes nothing.
 */
export async function receiveUpload(ctx: Context, form: FormBody): Promise<Outcome<null>> {
  const place: Place = { draftName: ctx.ids.key().slice(0, 12), taskId: '', isVideo: false };
  try {
    const received = await receiveForm(form, (fields) => admit(ctx, fields, place), {
      stallMs: ctx.env.UPLOAD_STALL_SECONDS * 1000,
    });
    if (!received.ok) return received;
    const noVideo = place.isVideo ? await kindOfNoVideo(received.value.path) : null;
    if (noVideo) {
      return refuse(
        'unsupportedType',
        `This file is no video: it is ${noVideo} with a video’s name. Please choose the video itself.`,
      );
    }
    return await publish(ctx, place.taskId, received.value.path);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    logError('disk.full', 'An upload found the disk full.', error);
    return diskFull();
  } finally {
    if (place.draft) await removeFile(place.draft);
    await place.lease?.end();
  }
}

/** What is known of an upload once its fields were read. */
type Place = { draftName: string; taskId: string; isVideo: boolean; draft?: string; lease?: UploadLease };

async function admit(ctx: Context, fields: ReadonlyMap<string, string>, place: Place): Promise<Outcome<Target>> {
  const allowed = checkPolicy(localSigner(ctx.secrets.uploadSigning), fields, ctx.now());
  if (!allowed.ok) return allowed;
  const taskId = allowed.value.key;
  const [task] = await ctx.db
    .select({ status: repairTasks.status, uploadedAt: repairTasks.uploadedAt, type: repairTasks.type })
    .from(repairTasks)
    .where(eq(repairTasks.id, taskId));
  if (task?.status !== 'uploading') return refuse('expired', 'This upload is over. Please choose the file again.');
  if (task.uploadedAt) return refuse('conflict', 'This file has already arrived.');
  const lease = await takeForm(ctx, taskId);
  if (!lease) return refuse('conflict', 'This file is being sent already. Please wait for that, or choose it again.');
  const draft = uploadPath(ctx.env.DATA_DIR, `${taskId}.${place.draftName}`);
  Object.assign(place, { taskId, draft, lease, isVideo: task.type === toolTypes.video });
  return ok({ path: draft, bytes: allowed.value.bytes });
}

/** Renamed into place before the row says that it is there: the row is never ahead of the file. */
async function publish(ctx: Context, id: string, draft: string): Promise<Outcome<null>> {
  const place = uploadPath(ctx.env.DATA_DIR, id);
  await fs.rename(draft, place);
  const [task] = await ctx.db
    .update(repairTasks)
    .set({ uploadedAt: ctx.now() })
    .where(and(eq(repairTasks.id, id), eq(repairTasks.status, 'uploading'), isNull(repairTasks.uploadedAt)))
    .returning({ id: repairTasks.id });
  if (task) return ok(null);
  const [other] = await ctx.db.select({ status: repairTasks.status }).from(repairTasks).where(eq(repairTasks.id, id));
  // Deleted while it arrived: the file goes too. Otherwise an equal upload was a moment faster.
  if (!other || other.status === 'deleted') await removeFile(place);
  return other && other.status !== 'deleted' ? ok(null) : refuse('expired', 'This repair was deleted.');
}
