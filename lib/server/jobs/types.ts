import 'server-only';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import type { JobKind, JobSpec } from './payloads';

/** A claimed job. `attempt` counts from 1; with the worker's name it fences the effect. */
export type Job<Kind extends JobKind = JobKind> = Extract<JobSpec, { kind: Kind }> & { id: string; attempt: number };

/** What a job changes. It commits together with the job's own end, so that it happens exactly once. */
export type Effect = (tx: Transaction) => Promise<void>;

/** How a kind of job is done. */
export type JobHandler<Claimed extends Job = Job> = {
  /** Repairs have slots of their own, so that mails and webhooks never wait behind them. */
  lane: 'light' | 'repair';
  maxAttempts: number;
  leaseSeconds: number;
  /** For periodic jobs: seconds from one end to the next start. */
  repeatSeconds?: number;
  /** Does the work outside any transaction and returns its effect. May run more than once; `signal` ends it early. */
  run(ctx: Context, job: Claimed, signal: AbortSignal): Promise<Effect | null>;
  /** The effect of giving up after the last attempt. */
  giveUp?(ctx: Context, job: Claimed): Effect;
};
