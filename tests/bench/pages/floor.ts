import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const next = resolve('node_modules/next/dist/bin/next');
/** Inside the project, so that the framework is found, and where git and the linter do not look. */
const folder = resolve('.data-test/floor');

const layout = `export const metadata = { title: 'A bare page', description: 'A page of the framework and nothing else.' };
export default function Layout({ children }) {
  return <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>;
}
`;
const page = `import { Toggle } from './toggle';
export default function Page() {
  return <main><h1>A bare page</h1><p>${'It has a heading, a paragraph and a button, and no style of its own. '.repeat(4)}</p><Toggle /></main>;
}
`;
const toggle = `'use client';
import { useState } from 'react';
export function Toggle() {
  const [isOpen, setOpen] = useState(false);
  return <><button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>More</button>{isOpen ? <p>More words.</p> : null}</>;
}
`;

/** Runs the framework's program in the floor's folder. */
const run = (args: string[]) =>
  spawn(process.execPath, [next, ...args], {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

const ended = (child: ChildProcess) => new Promise<number | null>((done) => child.once('exit', done));

/** A bare page of the same framework, built and served by the framework itself: what every figure stands beside. */
export async function startFloor(port: number): Promise<{ url: string; stop: () => Promise<void> }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'app'), { recursive: true });
  const files = {
    'package.json': '{ "name": "floor", "private": true, "type": "module" }\n',
    'next.config.mjs': `export default { poweredByHeader: false, turbopack: { root: ${JSON.stringify(resolve('.'))} } };\n`,
    'app/layout.jsx': layout,
    'app/page.jsx': page,
    'app/toggle.jsx': toggle,
    'app/robots.js': "export default () => ({ rules: { userAgent: '*', allow: '/' } });\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const code = await ended(run(['build']));
  if (code !== 0) throw new Error(`The bare page was not built: ${code}.`);
  const server = run(['start', '--port', String(port)]);
  const over = ended(server);
  const url = `http://localhost:${port}/`;
  for (let tries = 0; tries < 300; tries += 1) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    const stop = async () => {
      server.kill('SIGTERM');
      await over;
    };
    if (isUp) return { url, stop };
    await new Promise((done) => setTimeout(done, 100));
  }
  server.kill('SIGKILL');
  throw new Error('The bare page did not come up.');
}
