import 'server-only';

/** The loop and the routes live in different bundles of one process; the bell hangs between them. */
const slot = Symbol.for('mendara.jobs.wake');
const shared = globalThis as { [slot]?: (() => void) | undefined };

/** A little later than the call, so that the transaction that made the job has most likely committed. */
const DELAY_MS = 10;

/** Tells the job loop of this process, if there is one, that there is work. Elsewhere polling finds it. */
export function wakeJobs(): void {
  const ring = shared[slot];
  if (ring) setTimeout(ring, DELAY_MS).unref();
}

/** The job loop hangs up its bell, or takes it down. */
export function onWake(ring: (() => void) | undefined): void {
  shared[slot] = ring;
}
