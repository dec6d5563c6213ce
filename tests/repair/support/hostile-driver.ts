import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openSandbox, type SandboxOptions, Workplace } from '@/lib/repair/host/processes/sandbox';
import type { Outcome, Targets } from './hostile-child';

/** What the driver is asked for: the way to shut in, the bundles, and an empty folder of its own. */
export type Ask = Pick<SandboxOptions, 'mode' | 'only' | 'bundles'> & { folder: string };

/** What it found; `refused` when this machine cannot do it. */
export type Answer =
  | { refused: string }
  | {
      isolation: string;
      missing: readonly string[];
      paths: Record<'secrets' | 'other' | 'database' | 'data' | 'input' | 'bundle', string>;
      outcome: Outcome;
      connections: number;
      published: string;
    };

/** Lays out a data folder as the server's, listens, and has a hostile program go for all of it from where a repair would run. */
async function drive({ folder, bundles, ...how }: Ask): Promise<Answer> {
  const data = join(folder, 'data');
  for (const name of ['uploads', 'results', 'database/cluster']) {
    mkdirSync(join(data, name), { recursive: true, mode: 0o700 });
  }
  const paths = {
    secrets: join(data, 'secrets.json'),
    other: join(data, 'uploads', 'other'),
    database: join(data, 'database/cluster/PG_VERSION'),
    input: join(data, 'uploads', 'mine'),
    bundle: join(bundles, 'repair-child.mjs'),
    data,
  };
  const { secrets, other, database, input } = paths;
  for (const path of [secrets, other, database, input]) writeFileSync(path, 'private', { mode: 0o600 });
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const work = join(data, 'work');
  const sandbox = await openSandbox({ ...how, bundles, workFolder: work });
  const place = await Workplace.make(work, sandbox.user);
  const fileBytes = 2 ** 20;
  const { child } = await sandbox.start(
    'repair',
    { input, place },
    (seen) => {
      const targets: Targets = {
        read: [seen.input, secrets, other, database, '/etc/passwd', '/etc/shadow'],
        list: [data, join(data, 'uploads'), '/', '/root', '/home'],
        write: [
          seen.input,
          join(data, 'hostile'),
          '/hostile',
          '/tmp/hostile',
          `${bundles}/hostile`,
          '/usr/lib/hostile',
        ],
        port,
        pid: process.pid,
        output: seen.output,
        fileBytes,
        forks: sandbox.isolation !== 'none' && !sandbox.missing.includes('process limit') ? 150 : 0,
      };
      return [join(bundles, 'hostile.mjs'), JSON.stringify(targets)];
    },
    { limits: { memoryBytes: 2 ** 30, cpuSeconds: 60, fileBytes }, milliseconds: 60_000 },
  );
  let [out, said] = ['', ''];
  child.output?.on('data', (chunk) => {
    out += chunk;
  });
  child.errors?.on('data', (chunk) => {
    said += chunk;
  });
  await child.done;
  if (!out) throw new Error(said);
  server.close();
  const result = join(data, 'results', 'result');
  await place.publish(result);
  await place.remove();
  const { isolation, missing } = sandbox;
  const published = `${readFileSync(result, 'utf8')}, ${readdirSync(work).length} left`;
  return { isolation, missing, paths, outcome: JSON.parse(out), connections, published };
}

const answer = await drive(JSON.parse(process.argv[2] ?? '{}')).catch(
  (error: Error): Answer => ({ refused: error.message }),
);
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
