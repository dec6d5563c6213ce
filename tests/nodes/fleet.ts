import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Received, startMailServer } from '../support/mail-server';
import { startProvider, type TestProvider } from '../support/oidc-provider.mjs';
import { ask, freePort, startPostgres, type TestPostgres } from '../support/postgres';
import { startTestStore } from '../support/s3/server';
import { type Balancer, startBalancer } from './balancer';

/** A process of the product. */
export type Member = { name: string; output(): string; kill(): Promise<void>; start(): Promise<void> };

/** Web nodes and workers on real parts. */
export type Fleet = {
  url: string;
  database: string;
  postgres: TestPostgres;
  provider: TestProvider;
  /** Mails that went out, by whom they went to. */
  mails: { to: string; subject: string; text: string }[];
  web: Member[];
  /** Where each web node listens. */
  webPorts: number[];
  workers: Member[];
  stop(): Promise<void>;
};

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** One process, started and ended as often as wanted. `isUp` asks whether it works. */
function member(name: string, program: string, env: Record<string, string>, isUp: (said: string) => Promise<boolean>) {
  let child: ChildProcess | null = null;
  let said = '';
  const made: Member = {
    name,
    output: () => said,
    async start() {
      const from = said.length;
      const args = ['lib/cli/serve.mjs', program];
      const started = spawn(process.execPath, args, {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString();
        });
      }
      for (let tries = 0; tries < 600; tries += 1) {
        if (started.exitCode !== null) throw new Error(`${name} ended: ${said.slice(from)}`);
        if (await isUp(said.slice(from)).catch(() => false)) return;
        await pause(100);
      }
      throw new Error(`${name} did not come up: ${said.slice(from)}`);
    },
    async kill() {
      const running = child;
      child = null;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      await new Promise<void>((resolve) => {
        running.once('exit', () => resolve());
        running.kill('SIGKILL');
      });
    },
  };
  return made;
}

/** Keeps each mail once for each of those it is for. */
const keepIn =
  (mails: Fleet['mails']) =>
  ({ to, source }: Received): void => {
    const subject = /^Subject: (.*)$/m.exec(source)?.[1] ?? '';
    for (const address of to) mails.push({ to: address, subject, text: source });
  };

/** How many of each there are, the settings of PostgreSQL, and whether files lie in an object store or in a folder that all share. */
type Size = { web: number; workers: number; postgres: readonly string[]; store: boolean };

const usual: Size = { web: 2, workers: 2, postgres: ['fsync=off'], store: true };

/** Starts everything; null where PostgreSQL is not installed. `more` are further variables of every process. */
export async function startFleet(more: Record<string, string> = {}, size: Size = usual): Promise<Fleet | null> {
  const postgres = await startPostgres(size.postgres);
  if (!postgres) return null;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-nodes-'));
  const front = await freePort();
  const ports = await Promise.all(Array.from({ length: size.web }, freePort));
  const mails: Fleet['mails'] = [];
  const mailServer = await startMailServer(keepIn(mails));
  const balancer: Balancer = await startBalancer(front, ports);
  const provider = await startProvider(`${balancer.url}/api/v1/sso/provider/callback`);
  const store = size.store ? await startTestStore() : null;
  const database = await postgres.newDatabase();
  const shared = {
    DATABASE_URL: database,
    NEXT_DIST_DIR: process.env.NEXT_DIST_DIR ?? '.next',
    SMTP_URL: mailServer.url,
    PAYMENT_WEBHOOK_SECRET: 'the same on every node, as it has to be',
    UPLOAD_SIGNING_SECRET: 'the same on every node, as it has to be',
    ALLOW_SANDBOX_PAYMENTS: '1',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    UPLOAD_TASKS_PER_CLIENT: '40',
    ...store?.variables,
    ...more,
  };
  // With a store nobody shares a folder; without one all do.
  const dataDir = (name: string) => ({ DATA_DIR: path.join(folder, store ? name : 'files') });
  const web = ports.map((port, index) => {
    const env = {
      ...shared,
      ...dataDir(`web-${index}`),
      PORT: String(port),
      HOST: '127.0.0.1',
      SITE_URL: balancer.url,
      TRUST_PROXY: '127.0.0.1/32',
      JOBS_IN_PROCESS: '0',
    };
    const health = `http://127.0.0.1:${port}/api/v1/health`;
    return member(
      `web node ${index + 1}`,
      'server',
      env,
      async () => (await fetch(health, { signal: AbortSignal.timeout(5000) })).ok,
    );
  });
  // Workers are not told the public address: they find it in the database.
  const workers = Array.from({ length: size.workers }, (_, index) => {
    const isUp = async (said: string) => said.includes(`This worker does jobs for ${balancer.url}`);
    return member(`worker ${index + 1}`, 'worker', { ...shared, ...dataDir(`worker-${index}`) }, isUp);
  });
  const everyone = [...web, ...workers];
  const stop = async () => {
    await Promise.all(everyone.map((one) => one.kill()));
    await Promise.all([balancer.stop(), provider.stop(), mailServer.stop(), store?.close()]);
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    // Both at once, on an empty database: one brings up the tables, the other waits for it.
    await Promise.all(web.map((node) => node.start()));
    await Promise.all(workers.map((worker) => worker.start()));
    return { url: balancer.url, database, postgres, provider, mails, web, webPorts: ports, workers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How many rows there are of what a query names. */
export async function countOf({ database }: Pick<Fleet, 'database'>, from: string): Promise<number> {
  const [row] = await ask<{ n: number }>(database, `select count(*)::int as n from ${from}`);
  return row?.n ?? 0;
}
