import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** An nginx with one worker that serves one page, compressed beforehand. */
export type Nginx = { origin: string; pid: number; stop(): void };

/** Where distributions put it. */
const program = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find((file) => fs.existsSync(file));

/** Starts one in `folder` with the bytes that we send for a page; null where it is not installed. */
export async function startNginx(folder: string, port: number, page: string, gzip: Buffer): Promise<Nginx | null> {
  if (!program) return null;
  const root = path.join(folder, 'root');
  fs.mkdirSync(root, { recursive: true });
  fs.writeFileSync(path.join(root, `${page}.html`), gunzipSync(gzip));
  fs.writeFileSync(path.join(root, `${page}.html.gz`), gzip);
  const configuration = path.join(folder, 'nginx.conf');
  fs.writeFileSync(
    configuration,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 512; }
    http {
      types { text/html html; }
      access_log off; sendfile on; tcp_nopush on; open_file_cache max=100; keepalive_requests 100000000; gzip_static on;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      server { listen 127.0.0.1:${port}; root ${root}; location / { try_files $uri.html =404; } }
    }\n`,
  );
  const child: ChildProcess = spawn(program, ['-c', configuration, '-e', path.join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(`${origin}/${page}`).catch(() => null);
    if (answer?.ok) return { origin, pid: child.pid ?? 0, stop: () => child.kill('SIGTERM') };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`nginx did not start: ${fs.readFileSync(path.join(folder, 'error.log'), 'utf8')}`);
}
