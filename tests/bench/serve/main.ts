import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { orderPayloadAt } from '../../support/order-payload';
import { freePort, startPostgres } from '../../support/postgres';
import { type Site, startSite, stopAllSites, untilUp } from '../../support/process';
import { type Asked, type BareKind, bareKinds, runBare } from './bare';
import { type Call, load, type Rate } from './load';
import { cpuOf, memoryOf } from './memory';
import { startNginx } from './nginx';
import { type Member, type Seeded, seed, withDatabase } from './seed';

/**
 * `npm run bench:serve`: what one process answers a second, beside nginx with one worker and beside the database alone, in one run on the
 * loopback. `-- postgres` runs it on PostgreSQL, `-- 2` sets the seconds of each measurement, `-- mixed 600` loads it with everything for so many seconds.
 */
const PAGE = 'win-data-recovery';
const ROUNDS = 3;
const json = { 'content-type': 'application/json' };

type Side = { pid: number; run: () => Promise<Rate> };
type Row = { name: string; ours: Side; beside?: Side & { name: string } };
/** A rate, with the microseconds of processor that an answer took: that hardly depends on what else the machine does. */
type Measured = Rate & { cpu: number };

async function measured({ pid, run }: Side): Promise<Measured> {
  const before = cpuOf(pid);
  const rate = await run();
  return { ...rate, cpu: (cpuOf(pid) - before) / Math.max(1, rate.answered) };
}

const say = (line: string) => console.error(line);

/** The calls of one visitor after another. */
function calls({ members, password }: Seeded, site: string) {
  let turn = 0;
  const next = (): Member => {
    turn += 1;
    const member = members[turn % members.length];
    if (!member) throw new Error('Nobody was seeded.');
    return member;
  };
  const asMember = (path: string): Call => ({
    path: `/api/v1${path}`,
    vary: () => ({ headers: { authorization: next().token } }),
  });
  const [first] = members;
  const signIn: Call = {
    method: 'POST',
    path: '/api/v1/sso/password',
    headers: json,
    vary: () => ({ body: JSON.stringify({ email: next().email, password, redirectUri: `${site}/account` }) }),
  };
  const order: Call = {
    method: 'POST',
    path: '/api/v1/pay/create',
    headers: json,
    vary: () => ({ headers: { 'idempotency-key': randomUUID() }, body: JSON.stringify(orderPayloadAt(site)) }),
  };
  return {
    page: { path: `/${PAGE}`, headers: { 'accept-encoding': 'gzip' } } satisfies Call,
    products: {
      method: 'POST',
      path: '/api/v1/products/list',
      headers: json,
      body: '{"website":"recovery"}',
    } satisfies Call,
    installers: { path: '/api/v1/recovery/installers' } satisfies Call,
    check: asMember('/sso/check'),
    orders: asMember('/user/orders'),
    owned: asMember('/user/products/list'),
    oneOrder: {
      path: `/api/v1/pay/info/${first?.orderId}`,
      headers: { authorization: first?.token ?? '' },
    } satisfies Call,
    order,
    signIn,
  };
}

/** Starts the process that measures the engine. */
async function startBare(variables: Record<string, string>, member: Member) {
  const child = fork(process.argv[1] ?? '', ['bare', JSON.stringify(variables), JSON.stringify(member)]);
  const answer = <T>() =>
    new Promise<T>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`The engine's process ended (${code}).`));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        resolve(message as T);
      });
    });
  await answer();
  return {
    pid: child.pid ?? 0,
    measure(asked: Asked): Promise<Rate> {
      child.send(asked);
      return answer<Rate>();
    },
    stop: () => child.disconnect(),
  };
}

/** The middle one of rounds, by rate. */
function middle(rates: readonly Measured[]): Measured {
  const sorted = [...rates].sort((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)] ?? { perSecond: 0, p50: 0, p99: 0, answered: 0, failed: 0, cpu: 0 };
}

const inCells = ({ perSecond, p50, p99, cpu }: Measured) =>
  `${Math.round(perSecond)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${Math.round(cpu)}`;

/** Both sides in turn, round after round, after a round that does not count. */
async function measureAll(rows: readonly Row[]): Promise<void> {
  console.log(
    '| what | a second | p50 ms | p99 ms | CPU µs | beside it | a second | p50 ms | p99 ms | CPU µs | ratio | ratio by CPU |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const { name, ours, beside } of rows) {
    const [own, other]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const rate = await measured(ours);
      const besides = beside && (await measured(beside));
      if (round === 0) continue;
      own.push(rate);
      if (besides) other.push(besides);
    }
    const failed = own.reduce((sum, rate) => sum + rate.failed, 0);
    const [a, b] = [middle(own), middle(other)];
    const tail = beside
      ? `${beside.name} | ${inCells(b)} | ${(a.perSecond / b.perSecond).toFixed(2)} | ${(b.cpu / a.cpu).toFixed(2)}`
      : ' | | | | | | ';
    console.log(`| ${name}${failed > 0 ? ` (${failed} failed)` : ''} | ${inCells(a)} | ${tail} |`);
  }
}

type Bench = { site: Site; seeded: Seeded; seconds: number; folder: string; bareVariables: Record<string, string> };

async function bench({ site, seeded, seconds, folder, bareVariables }: Bench): Promise<void> {
  const call = calls(seeded, site.url);
  const [member] = seeded.members;
  if (!member) throw new Error('Nobody was seeded.');
  const gzip = await pageInGzip(`${site.url}/${PAGE}`);
  const nginx = await startNginx(path.join(folder, 'nginx'), await freePort(), PAGE, gzip);
  const bare = await startBare(bareVariables, member);
  const ours = (run: () => Promise<Rate>): Side => ({ pid: site.process.pid ?? 0, run });
  const besideNginx = (each: Call) =>
    nginx ? { beside: { name: 'nginx', pid: nginx.pid, run: () => load(nginx.origin, each, seconds) } } : {};
  const on = (kind: BareKind, each: Call, isPlain = false): Row => ({
    name: kind,
    ours: ours(() => load(site.url, each, seconds)),
    beside: {
      name: isPlain ? 'the engine by its own client' : 'the engine, prepared as here',
      pid: bare.pid,
      run: () => bare.measure({ kind, seconds, isPlain }),
    },
  });
  const alone = (name: string, each: Call): Row => ({ name, ours: ours(() => load(site.url, each, seconds)) });
  const [orders, owned, one, creation] = bareKinds;
  try {
    await measureAll([
      { name: 'a page, gzip', ours: ours(() => load(site.url, call.page, seconds)), ...besideNginx(call.page) },
      alone('list of products', call.products),
      alone('installers', call.installers),
      alone('session check', call.check),
      on(orders, call.orders, true),
      on(orders, call.orders),
      on(owned, call.owned, true),
      on(owned, call.owned),
      on(one, call.oneOrder, true),
      on(one, call.oneOrder),
      on(creation, call.order),
      alone('sign-ins', call.signIn),
      { name: 'session check, under sign-ins', ours: ours(() => underSignIns(site, call.signIn, call.check, seconds)) },
      {
        name: 'orders of a member, under sign-ins',
        ours: ours(() => underSignIns(site, call.signIn, call.orders, seconds)),
      },
      { name: 'session check, under orders', ours: ours(() => underSignIns(site, call.order, call.check, seconds)) },
    ]);
  } finally {
    nginx?.stop();
    bare.stop();
  }
}

/** The rate of `call` while 32 others send `storm` without a pause. */
async function underSignIns(site: Site, storm: Call, call: Call, seconds: number): Promise<Rate> {
  const [, rate] = await Promise.all([load(site.url, storm, seconds + 1), load(site.url, call, seconds)]);
  return rate;
}

async function pageInGzip(url: string): Promise<Buffer> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(Buffer.concat(chunks)));
    }).on('error', reject);
  });
}

/** Everything at once for so many seconds, with what the site holds as it goes on. */
async function mixed(site: Site, seeded: Seeded, seconds: number): Promise<void> {
  const call = calls(seeded, site.url);
  const pid = site.process.pid ?? 0;
  const steps = Math.max(1, Math.ceil(seconds / 60));
  for (let step = 1; step <= steps; step += 1) {
    const part = seconds / steps;
    await Promise.all(
      [call.page, call.products, call.check, call.orders, call.oneOrder, call.order, call.signIn].map((each) =>
        load(site.url, each, part, 4),
      ),
    );
    const { pss, rss } = memoryOf(pid);
    console.log(`after ${Math.round(part * step)} s of everything: ${pss} MB (PSS), ${rss} MB (RSS)`);
  }
}

async function main(): Promise<void> {
  const [, , ...words] = process.argv;
  if (words[0] === 'bare') return runBare(JSON.parse(words[1] ?? '{}'), JSON.parse(words[2] ?? '{}'));
  const onPostgres = words.includes('postgres');
  const [first = 5] = words.map(Number).filter(Number.isFinite);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-serve-'));
  const postgres = onPostgres ? await startPostgres([]) : null;
  if (onPostgres && !postgres) throw new Error('PostgreSQL was not found.');
  const url = await postgres?.newDatabase();
  const dataDir = path.join(folder, 'data');
  const shared: Record<string, string> = url ? { DATABASE_URL: url } : {};
  try {
    const seeded = await withDatabase({ DATA_DIR: dataDir, ...shared }, seed);
    const bareData = path.join(folder, 'bare');
    fs.cpSync(dataDir, bareData, { recursive: true });
    const port = process.env.PORT ? Number(process.env.PORT) : await freePort();
    const distDir = process.env.NEXT_DIST_DIR ?? '.next';
    const site = startSite(port, dataDir, { NEXT_DIST_DIR: distDir, CONNECTIONS_PER_ADDRESS: '512', ...shared });
    await untilUp(site, 600_000);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const [core] = os.cpus();
    console.log(
      `${os.cpus().length} cores (${core?.model.trim() ?? 'unknown'}), Node ${process.version}, load before ${os.loadavg()[0]?.toFixed(2)}, ${onPostgres ? 'PostgreSQL with fsync' : 'embedded database'}, 32 connections\n`,
    );
    const pid = site.process.pid ?? 0;
    const rest = memoryOf(pid);
    console.log(`at rest: ${rest.pss} MB (PSS), ${rest.rss} MB (RSS)\n`);
    if (words.includes('mixed')) await mixed(site, seeded, first);
    else await bench({ site, seeded, seconds: first, folder, bareVariables: { DATA_DIR: bareData, ...shared } });
    const after = memoryOf(pid);
    say('');
    console.log(`\nafter it: ${after.pss} MB (PSS), ${after.rss} MB (RSS)`);
  } finally {
    stopAllSites();
    await postgres?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
