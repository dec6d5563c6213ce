import 'server-only';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import { and, eq, isNull } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { toolTypes } from '../../contract/tool-types';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { type Outcome, refuse } from '../refusal';
import { kindOfNoVideo } from './no-video';
import { checkPolicy, localSigner } from './post-policy';
import { receiveForm } from './receive-form';
import { removeFile, uploadPath } from './storage';

/**
 * Takes an upload into the local store: the signed form decides where it goes and how long it is. A part of a file is
 * never kept, and a second upload for the same task changes nothing.
 */
export async function receiveUpload(ctx: Context, request: Request): Promise<Outcome<null>> {
  const draftName = randomBytes(6).toString('hex');
  let draft: string | undefined;
  let taskId = '';
  let isVideo = false;
  const received = await receiveForm(
    request,
    async (fields) => {
      const allowed = checkPolicy(localSigner(ctx.secrets.uploadSigning), fields, ctx.now());
      if (!allowed.ok) return allowed;
      taskId = allowed.value.key;
      const [task] = await ctx.db
        .select({ status: repairTasks.status, uploadedAt: repairTasks.uploadedAt, type: repairTasks.type })
        .from(repairTasks)
        .where(eq(repairTasks.id, taskId));
      if (task?.status !== 'uploading') return refuse('expired', 'This upload is over. Please choose the file again.');
      if (task.uploadedAt) return refuse('conflict', 'This file has already arrived.');
      isVideo = task.type === toolTypes.video;
      draft = uploadPath(ctx.env.DATA_DIR, `${taskId}.${draftName}`);
      return ok({ path: draft, bytes: allowed.value.bytes });
    },
    { stallMs: ctx.env.UPLOAD_STALL_SECONDS * 1000 },
  ).catch(async (error: unknown) => {
    if (draft) await removeFile(draft);
    throw error;
  });
  if (!received.ok) {
    if (draft) await removeFile(draft);
    return received;
  }
  const { path } = received.value;
  const noVideo = isVideo ? await kindOfNoVideo(path) : null;
  if (noVideo) {
    await removeFile(path);
    return refuse(
      'unsupportedType',
      `This file is no video: it is ${noVideo} with a video’s name. Please choose the video itself.`,
    );
  }
  return publish(ctx, taskId, path);
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
