import 'server-only';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import type { JobKind, JobSpec } from './payloads';

/** A claimed job. `attempt` counts from 1; with the worker's name it fences the effect. `failures` are those that were its own fault. */
export type Job<Kind extends JobKind = JobKind> = Extract<JobSpec, { kind: Kind }> & {
  id: string;
  attempt: number;
  failures: number;
  /** The request that made it, where one did. */
  requestId?: string | undefined;
};

/** What a job changes. It commits together with the job's own end, so that it happens exactly once. */
export type Effect = (tx: Transaction) => Promise<void>;

/**
 * Repairs have slots of their own, so that mails and webhooks never wait behind them, and those that are done soon have one beside
 * those that take long.
 */
export type Lane = 'light' | 'quick' | 'repair';

/** How a kind of job is done. */
export type JobHandler<Claimed extends Job = Job> = {
  lane: Lane;
  maxAttempts: number;
  leaseSeconds: number;
  /** For periodic jobs: seconds from one end to the next start. */
  repeatSeconds?: number;
  /** Does the work outside any transaction and returns its effect. May run more than once; `signal` ends it early. */
  run(ctx: Context, job: Claimed, signal: AbortSignal): Promise<Effect | null>;
  /** The effect of giving up after the last attempt. */
  giveUp?(ctx: Context, job: Claimed): Effect;
};

/** How each kind of job is done; named by whoever starts the loop, so that jobs know none of what they do. */
export type JobHandlers = Readonly<Record<JobKind, JobHandler>>;
