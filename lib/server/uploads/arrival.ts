import 'server-only';
import { and, eq, isNull } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { toolTypes } from '../../contract/tool-types';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { uploadKey } from '../objects/port';
import { refuseProgram } from './guard';
import { kindOfNoVideo } from './no-video';
import { SNIFF_BYTES } from './sniff';

const NOT_ARRIVED = 'The file has not arrived yet.';

/**
 * Looks at a file that lies in the store as a whole, and says in its task that it is there: the row is never ahead of the file. What is
 * no such file as was announced is removed. The store may have taken it from the browser itself, so nothing of it is known before.
 */
export async function confirmArrival(ctx: Context, id: string): Promise<Outcome<null>> {
  const [task] = await ctx.db
    .select({ type: repairTasks.type, fileSize: repairTasks.fileSize })
    .from(repairTasks)
    .where(eq(repairTasks.id, id));
  const judged = task ? await judge(ctx, id, task) : refuse('expired', 'This repair was deleted.');
  if (!judged.ok) {
    // One that is not whole yet may still be on its way, in pieces.
    if (judged.error.name !== 'conflict') await ctx.objects.remove(uploadKey(id));
    return judged;
  }
  const [arrived] = await ctx.db
    .update(repairTasks)
    .set({ uploadedAt: ctx.now() })
    .where(and(eq(repairTasks.id, id), eq(repairTasks.status, 'uploading'), isNull(repairTasks.uploadedAt)))
    .returning({ id: repairTasks.id });
  if (arrived) return ok(null);
  const [other] = await ctx.db.select({ status: repairTasks.status }).from(repairTasks).where(eq(repairTasks.id, id));
  // Deleted while it arrived: the file goes too. Otherwise an equal upload was a moment faster.
  if (!other || other.status === 'deleted') await ctx.objects.remove(uploadKey(id));
  return other && other.status !== 'deleted' ? ok(null) : refuse('expired', 'This repair was deleted.');
}

async function judge(ctx: Context, id: string, task: { type: number; fileSize: number }): Promise<Outcome<null>> {
  const key = uploadKey(id);
  const head = await ctx.objects.head(key);
  if (head?.bytes !== task.fileSize) return refuse('conflict', NOT_ARRIVED);
  const read = async (start: number, length: number) => {
    const pieces: Buffer[] = [];
    const stream = await ctx.objects.get(key, { start, end: Math.min(start + length, task.fileSize) - 1 });
    if (stream) for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const program = refuseProgram(await read(0, SNIFF_BYTES));
  if (program) return program;
  const noVideo = task.type === toolTypes.video ? await kindOfNoVideo(task.fileSize, read) : null;
  if (!noVideo) return ok(null);
  return refuse(
    'unsupportedType',
    `This file is no video: it is ${noVideo} with a video’s name. Please choose the video itself.`,
  );
}
