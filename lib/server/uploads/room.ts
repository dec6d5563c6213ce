import 'server-only';
import { and, count, eq, min, ne, type SQL, sql } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { Executor, Transaction } from '../db/database';
import { repairTasks, storeStrays } from '../db/schema';
import { secondsInWords } from '../limits/consume';

/** Who asks for room: the visitor of the cookie, if there is one, and the network; both hashed. */
export type Holder = { visitor: string | null; network: string };

/** A caller without the cookie shares this part of a visitor's share with all such of the network. */
const WITHOUT_COOKIE = 4;
/** Left free on the disk for the database and the logs, in bytes. */
export const RESERVE_BYTES = 128 * 2 ** 20;

const alive = ne(repairTasks.status, 'deleted');

/** Keeps one visitor from filling the queue and the disk, one network too, and all of them together. */
export async function checkRoom(ctx: Context, holder: Holder, fileSize: number): Promise<Outcome<null>> {
  const share = await checkShares(ctx, ctx.db, holder);
  return share.ok ? checkDisk(ctx, fileSize) : share;
}

/**
 * Whether one more fits into the shares, asked while nobody else may take of them: held until `tx` ends, in which the task is added. Of
 * requests that come at once, to whichever node, no more get one than there are.
 */
export async function holdShare(ctx: Context, tx: Transaction, holder: Holder): Promise<Outcome<null>> {
  for (const name of [holder.network, holder.visitor]) {
    if (name) await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`share:${name}`}, 0))`);
  }
  return checkShares(ctx, tx, holder);
}

/** How many repairs a visitor may have on the server at the same time. */
export function shareOf(ctx: Context, visitor: string | null): number {
  const most = ctx.env.UPLOAD_TASKS_PER_CLIENT;
  return visitor ? most : Math.max(1, Math.floor(most / WITHOUT_COOKIE));
}

async function checkShares(ctx: Context, db: Executor, { visitor, network }: Holder): Promise<Outcome<null>> {
  if (!ctx.env.RATE_LIMITS) return ok(null);
  const ofNetwork = and(alive, eq(repairTasks.client, network));
  const own = visitor ? and(alive, eq(repairTasks.visitor, visitor)) : and(ofNetwork, eq(repairTasks.visitor, ''));
  const mine = await countOf(db, own);
  const all = await countOf(db, ofNetwork);
  if (mine.tasks >= shareOf(ctx, visitor)) {
    return noShare(ctx, mine.next, 'You have many repairs on the server already. Please delete one of them, or wait');
  }
  if (all.tasks >= ctx.env.UPLOAD_TASKS_PER_ADDRESS) {
    return noShare(
      ctx,
      all.next,
      'There are many repairs from your network on the server already. Please delete one of yours, or wait',
    );
  }
  return ok(null);
}

async function countOf(db: Executor, where: ReturnType<typeof and>): Promise<{ tasks: number; next: Date | null }> {
  const [row] = await db
    .select({ tasks: count(), next: min(repairTasks.expiresAt) })
    .from(repairTasks)
    .where(where);
  return row ?? { tasks: 0, next: null };
}

/** Says when the oldest of them is deleted. */
function noShare(ctx: Context, next: Date | null, words: string): Outcome<never> {
  const seconds = Math.max(1, Math.ceil(((next?.getTime() ?? 0) - ctx.now().getTime()) / 1000));
  return {
    ok: false,
    error: {
      name: 'tooManyRequests',
      msg: `${words}: the oldest is deleted in about ${secondsInWords(seconds)}.`,
      retryAfterSeconds: seconds,
    },
  };
}

/** What lies in the store counts, and what is still to come: uploads that were announced, and a result for each that has none yet. */
async function checkDisk(ctx: Context, fileSize: number): Promise<Outcome<null>> {
  const [{ stored, toCome }, disk] = await Promise.all([bytesInStore(ctx), ctx.objects.disk()]);
  const wanted = toCome + 2 * fileSize;
  if (stored + wanted > ctx.env.UPLOAD_DISK_MB * 2 ** 20) {
    return refuse('unavailable', 'There is no room for more files at the moment. Please try again later.');
  }
  return disk === null || disk.freeBytes - wanted > RESERVE_BYTES ? ok(null) : diskFull();
}

/**
 * Bytes that lie in the store, and bytes that are promised to uploads and results to come: from the tables, as a store is not counted
 * through for each upload. What lies there without a task was counted when the sweep last came by.
 */
export async function bytesInStore(ctx: Context): Promise<{ stored: number; toCome: number }> {
  const { fileSize, resultSize, uploadedAt, status } = repairTasks;
  const [[row], [strays]] = await Promise.all([
    ctx.db
      .select({
        uploads: bytes(sql`case when ${uploadedAt} is null then 0 else ${fileSize} end`),
        results: bytes(sql`coalesce(${resultSize}, 0)`),
        toArrive: bytes(sql`case when ${uploadedAt} is null then ${fileSize} else 0 end`),
        toRepair: bytes(sql`case when ${status} in ('uploading', 'waiting', 'running') then ${fileSize} else 0 end`),
      })
      .from(repairTasks)
      .where(alive),
    ctx.db.select({ bytes: bytes(sql`${storeStrays.bytes}`) }).from(storeStrays),
  ]);
  if (!row) return { stored: 0, toCome: 0 };
  return { stored: row.uploads + row.results + (strays?.bytes ?? 0), toCome: row.toArrive + row.toRepair };
}

function bytes(what: SQL) {
  return sql<number>`coalesce(sum(${what}), 0)`.mapWith(Number);
}

/** The words for a disk that has no room left. */
export function diskFull(): Outcome<never> {
  return refuse(
    'unavailable',
    'The disk of this server is full, so it can’t take your file at the moment. Your file is not the cause. Please try again later.',
  );
}

/** True for an error that says so. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
