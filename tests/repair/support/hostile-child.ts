import { spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';

/** What a hostile repair is told to go for: files and folders of the machine, places to write to, a port, a process, sizes. */
export type Targets = {
  read: string[];
  list: string[];
  write: string[];
  port: number;
  pid: number;
  output: string;
  fileBytes: number;
  /** How many processes to start at a time; none when the machine would have to bear them. */
  forks: number;
};

/** What came of it: `done`, or the error's code. */
export type Outcome = Record<string, string>;

const attempt = (act: () => unknown): string => {
  try {
    act();
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
};

function connectTo(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket
      .once('connect', () => resolve('done'))
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

/** Starts processes that stay, until one is refused or goes down for want of threads. */
async function fork(count: number): Promise<string> {
  let refused = '';
  for (let index = 0; index < count && !refused; index++) {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    child.once('error', (error: NodeJS.ErrnoException) => {
      refused ||= error.code ?? 'error';
    });
    child.once('exit', (code, signal) => {
      refused ||= `went down with ${signal ?? code}`;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return refused || 'done';
}

const targets = JSON.parse(process.argv[2] ?? '{}') as Targets;
const outcome: Outcome = {};
for (const path of targets.read) outcome[`read ${path}`] = attempt(() => readFileSync(path));
for (const path of targets.list) outcome[`list ${path}`] = attempt(() => readdirSync(path));
for (const path of targets.write) outcome[`write ${path}`] = attempt(() => writeFileSync(path, 'hostile'));
outcome.connect = await connectTo(targets.port);
outcome.signal = attempt(() => process.kill(targets.pid, 0));
outcome.environment = Object.keys(process.env).sort().join(' ');
const big = openSync(`${targets.output}.big`, 'w');
outcome.fill = attempt(() => writeSync(big, Buffer.alloc(4096), 0, 4096, targets.fileBytes));
outcome.output = attempt(() => writeFileSync(targets.output, 'mended'));
outcome.fork = await fork(targets.forks);
process.stdout.write(JSON.stringify(outcome), () => process.exit(0));
