import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Envelope } from '@/lib/contract/envelope';
import { parseEnv } from '@/lib/server/config/env';
import { readSecrets } from '@/lib/server/config/secrets';
import { type Context, contextOf, provideContext } from '@/lib/server/context';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import type { Handler } from '@/lib/server/http/route';
import { drainJobs } from '@/lib/server/jobs/drain';
import { handlers } from '@/lib/server/run/handlers';
import { openMigrated } from './template';

/** A request in short. `token` is the bearer token, `client` the address the server in front would report. */
export type Ask = {
  body?: unknown;
  rawBody?: BodyInit;
  token?: string | undefined;
  headers?: Record<string, string>;
  client?: string;
  origin?: string;
};

/** What came back. */
export type Answer<T> = { status: number; headers: Headers; envelope: Envelope<T>; obj: T };

/** The API on a database of its own, with a clock that a test moves. */
export type TestApi = {
  ctx: Context;
  dataDir: string;
  /** Moves the clock forward. */
  pass(milliseconds: number): void;
  /** Sends a request and reads the envelope. `obj` of a refusal must not be touched. */
  ask<T>(method: string, path: string, ask?: Ask): Promise<Answer<T>>;
  /** Sends a request. */
  send(method: string, path: string, ask?: Ask): Promise<Response>;
  /** Does all jobs that are due. */
  jobs(lanes?: ('light' | 'repair')[]): Promise<number>;
  close(): Promise<void>;
};

/** Where the tests' server is. */
export const SITE = 'http://localhost:3000';

/** Starts the API; `handle` is the database, in memory unless given. */
export async function startApi(variables: Record<string, string> = {}, handle?: DatabaseHandle): Promise<TestApi> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-test-'));
  // The engine's stand-in leaves marks beside its input, which no repair that is shut in could do.
  const env = parseEnv({ DATA_DIR: dataDir, RATE_LIMITS: 'off', REPAIR_SANDBOX: 'off', ...variables });
  const opened = handle ?? (await openMigrated());
  const secrets = readSecrets(env);
  let offset = 0;
  const ctx: Context = {
    ...(await contextOf(env, opened, secrets)),
    now: () => new Date(Date.now() + offset),
    fetch: (input, init) => dispatch(new Request(input, init)),
  };
  await ctx.objects.open();
  const send = (method: string, address: string, ask: Ask = {}) => {
    // Several of these may live in one test; the one that is asked answers.
    provideContext(ctx);
    return dispatch(requestOf(method, address, ask));
  };
  return {
    ctx,
    dataDir,
    pass(milliseconds) {
      offset += milliseconds;
    },
    send,
    async ask<T>(method: string, address: string, ask: Ask = {}): Promise<Answer<T>> {
      const response = await send(method, address, ask);
      const envelope = (await response.json()) as Envelope<T>;
      return { status: response.status, headers: response.headers, envelope, obj: envelope.obj as T };
    },
    jobs: (lanes) =>
      drainJobs(
        ctx,
        handlers,
        lanes?.flatMap((lane) => (lane === 'repair' ? ['quick', 'repair'] : [lane])),
      ),
    async close() {
      provideContext(undefined);
      await opened.close();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function requestOf(method: string, address: string, ask: Ask): Request {
  const headers = new Headers({
    host: 'localhost:3000',
    'x-client-address': ask.client ?? '203.0.113.7',
    'x-client-is-local': '1',
    ...ask.headers,
  });
  if (ask.token) headers.set('authorization', ask.token);
  if (ask.origin) headers.set('origin', ask.origin);
  const body = ask.rawBody ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    duplex: 'half',
    ...(body === undefined ? {} : { body }),
  };
  return new Request(new URL(`/api/v1${address}`, SITE), init);
}

type RouteFile = { segments: string[]; file: string };
const root = path.resolve('app/api/v1');
const routes: RouteFile[] = fs
  .readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'route.ts')
  .map((file) => ({ segments: path.dirname(file).split(path.sep), file: path.join(root, file) }));

/** Finds the route file as Next does: literal segments first, then one-segment parameters, then the catch-all. */
async function dispatch(request: Request): Promise<Response> {
  const parts = new URL(request.url).pathname.replace(/^\/api\/v1\/?/, '').split('/');
  const matches = routes.flatMap((route) => {
    const params = match(route.segments, parts);
    return params ? [{ route, params }] : [];
  });
  matches.sort((a, b) => weight(a.route) - weight(b.route));
  const [best] = matches;
  if (!best) throw new Error(`No route for ${parts.join('/')}`);
  const module = (await import(/* @vite-ignore */ best.route.file)) as Record<string, Handler>;
  const handler = module[request.method];
  if (!handler) throw new Error(`The route has no ${request.method}.`);
  return handler(request, { params: Promise.resolve(best.params) });
}

function weight(route: RouteFile): number {
  return (
    route.segments.filter((segment) => segment.startsWith('[')).length +
    (route.segments[0]?.startsWith('[...') ? 100 : 0)
  );
}

function match(segments: string[], parts: string[]): Record<string, string> | null {
  if (segments[0]?.startsWith('[...')) return { path: parts.join('/') };
  if (segments.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = decodeURIComponent(parts[index] ?? '');
    if (segment.startsWith('[')) params[segment.slice(1, -1)] = part;
    else if (segment !== part) return null;
  }
  return params;
}
