import 'server-only';
import { setTimeout as wait } from 'node:timers/promises';
import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Context } from '../../context';
import { uploadLocks } from '../../db/schema';

/** How long locks are waited for and kept, in milliseconds. */
export type LockTimes = {
  /** Between two looks at the table. */
  pollMs: number;
  /** What a holder that ended without a word keeps others waiting. */
  leaseMs: number;
  /** After so long a request that waits is told to come again. */
  patienceMs: number;
};

const usual: LockTimes = { pollMs: 700, leaseMs: 15_000, patienceMs: 20_000 };

/**
 * Lets one request at a time write to an upload, on whichever node it arrives: a row with a lease. Who waits asks the holder to let go,
 * since the sender that comes back is the one that counts (tus 1.0, "Server", on half-open connections).
 */
export class UploadLocker implements Locker {
  /** Holders in this process are asked at once, without a look at the table. */
  readonly #here = new Map<string, RequestRelease>();

  constructor(
    private readonly ctx: Pick<Context, 'db' | 'ids'>,
    private readonly times: LockTimes = usual,
  ) {}

  newLock(id: string): Lock {
    const holder = this.ctx.ids.row();
    const own = and(eq(uploadLocks.id, id), eq(uploadLocks.holder, holder));
    let beat: NodeJS.Timeout | undefined;
    return {
      lock: async (signal, release) => {
        const deadline = Date.now() + this.times.patienceMs;
        while (!(await this.#take(id, holder))) {
          if (signal.aborted || Date.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
          await askToLetGo(this.ctx, id);
          await this.#here.get(id)?.();
          await wait(this.times.pollMs);
        }
        this.#here.set(id, release);
        let renewedAt = Date.now();
        beat = setInterval(() => {
          const isDue = Date.now() - renewedAt > this.times.leaseMs / 3;
          if (isDue) renewedAt = Date.now();
          // A beat that is lost is made up by the next one.
          this.#look(own, isDue, release).catch(() => undefined);
        }, this.times.pollMs);
        beat.unref();
      },
      unlock: async () => {
        clearInterval(beat);
        this.#here.delete(id);
        await this.ctx.db.delete(uploadLocks).where(own);
      },
    };
  }

  /** One statement, so that of two nodes one succeeds. The time is the database's: nodes' clocks differ. */
  async #take(id: string, holder: string): Promise<boolean> {
    const row = { holder, wanted: false, leaseUntil: this.#lease() };
    const taken = await this.ctx.db
      .insert(uploadLocks)
      .values({ id, ...row })
      .onConflictDoUpdate({ target: uploadLocks.id, set: row, setWhere: lt(uploadLocks.leaseUntil, sql`now()`) })
      .returning({ id: uploadLocks.id });
    return taken.length > 0;
  }

  /** Lets go when somebody else wants it, or has it by now; writes only where the lease has to be renewed. */
  async #look(own: ReturnType<typeof and>, isDue: boolean, release: RequestRelease): Promise<void> {
    const wanted = { wanted: uploadLocks.wanted };
    const [row] = isDue
      ? await this.ctx.db.update(uploadLocks).set({ leaseUntil: this.#lease() }).where(own).returning(wanted)
      : await this.ctx.db.select(wanted).from(uploadLocks).where(own);
    if (!row || row.wanted) await release();
  }

  #lease() {
    return sql`now() + make_interval(secs => ${this.times.leaseMs / 1000})`;
  }
}

/** Has whoever writes to an upload stop, on whichever node. */
export async function askToLetGo({ db }: Pick<Context, 'db'>, id: string): Promise<void> {
  await db.update(uploadLocks).set({ wanted: true }).where(eq(uploadLocks.id, id));
}

/** Removes rows that killed nodes left, after an hour. */
export async function sweepLocks({ db }: Pick<Context, 'db'>): Promise<void> {
  await db.delete(uploadLocks).where(lt(uploadLocks.leaseUntil, sql`now() - interval '1 hour'`));
}
