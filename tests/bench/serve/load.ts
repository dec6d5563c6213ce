import autocannon, { type Options, type Result } from 'autocannon';

/** Requests that are sent again and again, each made anew where `make` is given. */
export type Call = {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Makes what differs from one request to the next. */
  vary?: () => { headers?: Record<string, string>; body?: string };
};

/** Answers a second, and the times in milliseconds that half and 99 of 100 of them stay below. */
export type Rate = { perSecond: number; p50: number; p99: number; answered: number; failed: number };

/** Connections at the same time, as browsers keep them open. */
export const AT_ONCE = 32;

/** The time of which so many of 100 are not longer. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? 0;
}

/** Rates of times that were measured within so many milliseconds. */
export function rateOf(times: number[], milliseconds: number, failed: number): Rate {
  times.sort((a, b) => a - b);
  const perSecond = (times.length * 1000) / milliseconds;
  return { perSecond, p50: percentile(times, 50), p99: percentile(times, 99), answered: times.length, failed };
}

/**
 * Sends calls for so many seconds over {@link AT_ONCE} connections. The load generator rounds its own times to milliseconds, so they are
 * taken one by one.
 */
export async function load(origin: string, call: Call, seconds: number, connections = AT_ONCE): Promise<Rate> {
  const times: number[] = [];
  let failed = 0;
  const { vary } = call;
  const begun = performance.now();
  let ended: (result: Result) => void = () => undefined;
  const result = new Promise<Result>((resolve) => {
    ended = resolve;
  });
  const options: Options = {
    url: `${origin}${call.path}`,
    connections,
    duration: seconds,
    timeout: 20,
    requests: [
      {
        method: call.method ?? 'GET',
        path: call.path,
        headers: call.headers ?? {},
        ...(call.body === undefined ? {} : { body: call.body }),
        ...(vary
          ? {
              setupRequest: (request) => {
                const { headers = {}, body } = vary();
                return {
                  ...request,
                  headers: { ...request.headers, ...headers },
                  ...(body === undefined ? {} : { body }),
                };
              },
            }
          : {}),
      },
    ],
  };
  const run = autocannon(options, (_error, done) => ended(done));
  run.on('response', (_client, status, _bytes, milliseconds) => {
    if (status === 200 || status === 304) times.push(milliseconds);
    else failed += 1;
  });
  const { errors, timeouts } = await result;
  return rateOf(times, performance.now() - begun, failed + errors + timeouts);
}
