import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { startFleet } from '../../nodes/fleet';
import { orderPayloadAt } from '../../support/order-payload';

/** Requests that one web node answers in a second, asked by 20 at once on the same machine, and the time that 99 of 100 stay below. */
export type RequestRate = { what: string; perSecond: number; p99: number };

const AT_ONCE = 20;
const SECONDS = 6;

type Call = { method: string; path: string; headers?: Record<string, string>; body?: string };

function send(port: number, agent: Agent, { method, path, headers = {}, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

async function load(what: string, port: number, call: () => Call): Promise<RequestRate> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const times: number[] = [];
  const run = async (until: number) => {
    while (performance.now() < until) {
      const begun = performance.now();
      const status = await send(port, agent, call());
      if (status !== 200) throw new Error(`${what} was answered ${status}.`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, () => run(performance.now() + 1500)));
  times.length = 0;
  const begun = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => run(begun + SECONDS * 1000)));
  const perSecond = Math.round((times.length * 1000) / (performance.now() - begun));
  times.sort((a, b) => a - b);
  agent.destroy();
  return { what, perSecond, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/** Measures one web node on PostgreSQL, with a worker beside it. */
export async function measureRequests(say: (line: string) => void): Promise<RequestRate[]> {
  const fleet = await startFleet({ RATE_LIMITS: 'off' }, { web: 1, workers: 1, postgres: [], store: false });
  if (!fleet) return [];
  const json = { 'content-type': 'application/json' };
  const site = fleet.url;
  const order = () => JSON.stringify(orderPayloadAt(site, { email: `load.${randomUUID()}@example.com` }));
  const calls: [string, () => Call][] = [
    ['pages, compressed', () => ({ method: 'GET', path: '/win-data-recovery', headers: { 'accept-encoding': 'br' } })],
    [
      'reads of the API',
      () => ({ method: 'POST', path: '/api/v1/products/list', headers: json, body: '{"website":"recovery"}' }),
    ],
    [
      'orders',
      () => ({
        method: 'POST',
        path: '/api/v1/pay/create',
        headers: { ...json, 'idempotency-key': randomUUID() },
        body: order(),
      }),
    ],
    ['upload forms', () => ({ method: 'GET', path: '/api/v1/oss/signature?type=18&fileName=a.pdf&fileSize=1000' })],
  ];
  const found: RequestRate[] = [];
  try {
    for (const [what, call] of calls) {
      const rate = await load(what, fleet.webPorts[0] ?? 0, call);
      found.push(rate);
      say(`${what}: ${rate.perSecond} a second, p99 ${rate.p99.toFixed(0)} ms`);
    }
  } finally {
    await fleet.stop();
  }
  return found;
}
