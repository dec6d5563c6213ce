import 'server-only';
import { and, eq, gt, lte, ne, or } from 'drizzle-orm';
import { toolTypes } from '../../contract/tool-types';
import { repairTasks } from '../db/schema';
import type { JobKind } from '../jobs/payloads';

/** The two kinds of job that a repair can be. */
export type RepairKind = Extract<JobKind, 'repair.run' | 'repair.quick'>;

/** Largest video that is tried in the quick lane; photos and documents all are, with their 5 MB at most. */
const QUICK_VIDEO_BYTES = 24 * 2 ** 20;

/** The lane in which a repair begins. */
export function laneOf(task: { type: number; fileSize: number }): RepairKind {
  return task.type !== toolTypes.video || task.fileSize <= QUICK_VIDEO_BYTES ? 'repair.quick' : 'repair.run';
}

/** The same as a condition on tasks. */
export function inLane(kind: RepairKind) {
  return kind === 'repair.quick'
    ? or(ne(repairTasks.type, toolTypes.video), lte(repairTasks.fileSize, QUICK_VIDEO_BYTES))
    : and(eq(repairTasks.type, toolTypes.video), gt(repairTasks.fileSize, QUICK_VIDEO_BYTES));
}
