import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { countChildren } from '../../repair/host/processes';
import { digest } from '../../server/base/ids';
import { isLoopback } from '../../server/config/origins';
import type { Proxies } from '../../server/config/proxies';
import type { Measures } from '../../server/operations/measure';
import { isFromThisComputer } from './request';
import type { Site } from './site';

/** What was asked for, as the measures tell requests apart; never the address itself, of which there are endless ones. */
export type RequestKind = 'page' | 'file' | 'navigation' | 'api' | 'metrics' | 'missing' | 'malformed';

/** Upper bounds of the times of requests, in seconds: from a page in memory to an upload over a slow line. */
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];

/** The kind of a request, by its path. */
export function kindOf(path: string | null, request: IncomingMessage, site: Site): RequestKind {
  if (path === null) return 'malformed';
  if (path === '/api' || path.startsWith('/api/')) return 'api';
  if (path === '/metrics') return 'metrics';
  if (site.files.has(path) || site.metadata.has(path)) return 'file';
  if (request.headers.rsc !== undefined) return 'navigation';
  return site.pages.has(path) ? 'page' : 'missing';
}

/** What is measured in front and what the domain tells, in the text format of Prometheus. */
export class FrontMetrics {
  readonly #registry = new Registry();
  readonly #seconds: Histogram<'kind' | 'status'>;

  constructor(
    private readonly measure: () => Promise<Measures>,
    connections: { readonly size: number },
    private readonly token: string | undefined,
  ) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#seconds = new Histogram({
      name: 'mendara_http_request_seconds',
      help: 'Time from the head of a request to the end of its answer, by kind of address and class of status.',
      labelNames: ['kind', 'status'],
      buckets: BUCKETS,
      registers,
    });
    new Gauge({
      name: 'mendara_http_connections',
      help: 'Connections that are open.',
      registers,
      collect() {
        this.set(connections.size);
      },
    });
    new Gauge({
      name: 'mendara_children',
      help: 'Child processes that are running, by what they do.',
      labelNames: ['kind'],
      registers,
      collect() {
        for (const [kind, running] of Object.entries(countChildren())) this.set({ kind }, running);
      },
    });
  }

  /** Counts a request and its time, once its answer has gone or its connection is lost. */
  observe(kind: RequestKind, response: ServerResponse): void {
    const end = this.#seconds.startTimer();
    response.once('close', () => {
      const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'lost';
      end({ kind, status });
    });
  }

  /**
   * True for who may read the measures: a program on this computer; behind proxies, where everybody may seem to be one, whoever has the
   * token. A token that is set is asked for in either case.
   */
  isAllowed(request: IncomingMessage, proxies: Proxies): boolean {
    if (this.token !== undefined && !isToken(request, this.token)) return false;
    if (!proxies.isNobody) return this.token !== undefined;
    // By another name of this computer a page elsewhere may have had its own point here.
    return isFromThisComputer(request, proxies) && isLoopback(request.headers.host ?? '');
  }

  /** Answers with all of them. */
  async send(response: ServerResponse): Promise<void> {
    const domain = domainRegistry(await this.measure());
    const merged = Registry.merge([this.#registry, domain]);
    const text = await merged.metrics();
    response.writeHead(200, { 'content-type': merged.contentType, 'cache-control': 'no-store' }).end(text);
  }
}

/** Compared by their digests, in a time that does not tell how much of the token was right. */
function isToken(request: IncomingMessage, token: string): boolean {
  const sent = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(Buffer.from(digest(sent)), Buffer.from(digest(token)));
}

function domainRegistry({ queue, verdicts, mails, disk, pool }: Measures): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, values: { labels: Record<string, string>; value: number }[]): void => {
    const labelNames = Object.keys(values[0]?.labels ?? {});
    const made = new Gauge({ name: `mendara_${name}`, help, labelNames, registers: [registry] });
    for (const { labels, value } of values) made.set(labels, value);
  };
  const one = (value: number) => [{ labels: {}, value }];
  const byLane = (value: (lane: Measures['queue'][number]) => number) =>
    queue.map((state) => ({ labels: { lane: state.lane }, value: value(state) }));
  gauge(
    'jobs_waiting',
    'Jobs that are due and wait, by lane.',
    byLane(({ waiting }) => waiting),
  );
  gauge(
    'jobs_running',
    'Jobs that are being done, by lane.',
    byLane(({ running }) => running),
  );
  gauge(
    'jobs_dead',
    'Jobs that were given up, by lane.',
    byLane(({ dead }) => dead),
  );
  gauge(
    'jobs_oldest_seconds',
    'How long the oldest due job has waited, by lane.',
    byLane(({ oldestSeconds }) => oldestSeconds),
  );
  const repairs = new Counter({
    name: 'mendara_repairs_total',
    help: 'Repairs that ended, by format and verdict, on all processes of this database.',
    labelNames: ['format', 'verdict'],
    registers: [registry],
  });
  for (const { format, verdict, repairs: ended } of verdicts) repairs.inc({ format, verdict }, ended);
  gauge('mails_queued', 'Mails that wait to be sent.', one(mails.queued));
  gauge('mails_failed', 'Mails that could not be delivered.', one(mails.failed));
  if (disk) {
    gauge('disk_free_bytes', 'Room that is free on the disk of the store.', one(disk.freeBytes));
    gauge('disk_total_bytes', 'Size of the disk of the store.', one(disk.totalBytes));
  }
  if (pool) {
    const values = Object.entries(pool).map(([state, value]) => ({ labels: { state }, value }));
    gauge('database_connections', 'Connections to PostgreSQL by state, and callers that wait for one.', values);
  }
  return registry;
}
