import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as route from '@/app/api/v1/[...path]/route';
import type { Envelope } from '@/lib/contract/envelope';
import { parseEnv } from '@/lib/server/config/env';
import { readSecrets } from '@/lib/server/config/secrets';
import { type Context, contextOf, provideContext } from '@/lib/server/context';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import type { Handler } from '@/lib/server/http/route';
import { drainJobs } from '@/lib/server/jobs/drain';
import { handlers } from '@/lib/server/run/handlers';
import { openMigrated } from './template';
import { startWire, type Wire } from './wire';

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

/** How a request comes to the API: by the framework's route, or over a connection to the server in front. */
export type Way = 'route' | 'front';
export const ways = ['route', 'front'] as const;

/** Starts the API; `handle` is the database, in memory unless given. */
export async function startApi(
  variables: Record<string, string> = {},
  handle?: DatabaseHandle,
  way: Way = process.env.MENDARA_API_WAY === 'front' ? 'front' : 'route',
): Promise<TestApi> {
  const wire: Wire | null = way === 'front' ? await startWire() : null;
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
    const request = requestOf(method, address, ask);
    return wire ? wire.send(request) : dispatch(request);
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
      await wire?.stop();
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

/** As Next calls the one route file of the API. */
function dispatch(request: Request): Promise<Response> {
  const handler = (route as Record<string, Handler>)[request.method];
  if (!handler) throw new Error(`The route has no ${request.method}.`);
  return handler(request);
}
