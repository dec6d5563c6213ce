import 'server-only';

/**
 * Has callers that come together share one run of `work`. A run that began before a call would not tell what happened since, so a caller
 * gets the next one: at any time one runs and at most one is to follow.
 */
export function coalesced<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const run = work();
    running = run;
    const ended = () => {
      if (running === run) running = null;
    };
    run.then(ended, ended);
    return run;
  };
  return () => {
    if (!running) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}
