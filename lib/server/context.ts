import 'server-only';
import { type Ids, randomIds } from './base/ids';
import { type Env, environment } from './config/env';
import { readSecrets, type Secrets } from './config/secrets';
import { connect } from './db/connect';
import type { Database } from './db/database';
import type { DatabaseHandle } from './db/handle';
import { openDatabase } from './db/open';
import { objectStore } from './objects/open';
import type { ObjectStore } from './objects/port';

/** What a domain operation works with; passed in, so that a test sets the clock and the network. */
export type Context = {
  env: Env;
  handle: DatabaseHandle;
  db: Database;
  secrets: Secrets;
  /** Uploads, results and installers. */
  objects: ObjectStore;
  now: () => Date;
  ids: Ids;
  /** Carries the sandbox's webhooks and calls to the payment provider. */
  fetch: typeof fetch;
};

let current: Promise<Context> | undefined;
let providedEnv: Env | undefined;

/** The process's context; opens the database at the first call. */
export function context(): Promise<Context> {
  current ??= make().catch((error: unknown) => {
    current = undefined;
    throw error;
  });
  return current;
}

/** Makes `replacement` the context of this bundle; `undefined` forgets it. For tests and for the stop of the server. */
export function provideContext(replacement: Context | undefined): void {
  current = replacement && Promise.resolve(replacement);
  providedEnv = replacement?.env;
}

/** The configuration alone; opens nothing. */
export function currentEnv(): Env {
  return providedEnv ?? environment();
}

async function make(): Promise<Context> {
  const env = environment();
  // Before the database, which takes its time to be made: damaged ones are said at once.
  const secrets = readSecrets(env);
  return contextOf(env, await openDatabase(env), secrets);
}

/** The context of a configuration on an open database, with the machine's own clock and network. */
export async function contextOf(env: Env, handle: DatabaseHandle, secrets: Secrets): Promise<Context> {
  return {
    env,
    handle,
    db: connect(handle),
    secrets,
    objects: await objectStore(env, secrets),
    now: () => new Date(),
    ids: randomIds,
    fetch: globalThis.fetch,
  };
}
