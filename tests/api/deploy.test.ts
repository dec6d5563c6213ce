import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseEnv, variables } from '@/lib/server/config/env';
import { apiRoutes } from '@/lib/server/http/api';

const root = 'lib/deploy';
const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');
const readme = fs.readFileSync('lib/server/README.md', 'utf8');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-deploy-'));
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

/** Variables of the server, and those that lib/server/README.md, 1 lists beside them, of the build and the pages. */
const known = new Set([
  ...variables.map(({ name }) => name),
  ...[...readme.matchAll(/^\| `([A-Z_0-9]+)` \|/gm)].map(([, name]) => name ?? ''),
  'NODE_ENV',
]);

const program = (name: string) =>
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file));

/** Lines `NAME=value`, those that are commented out too where asked. */
function envOf(text: string, withComments = false): Record<string, string> {
  const shape = withComments ? /^#?([A-Z_0-9]+)=(.*)$/gm : /^([A-Z_0-9]+)=(.*)$/gm;
  return Object.fromEntries([...text.matchAll(shape)].map(([, name = '', value = '']) => [name, value]));
}

const example = envOf(read('mendara.env'));

describe('mendara.env', () => {
  it('names variables that the code reads, and starts a site for customers once it is filled in', () => {
    for (const name of Object.keys(envOf(read('mendara.env'), true))) expect(known, name).toContain(name);
    const env = parseEnv(example);
    expect(env).toMatchObject({ PAYMENT_PROVIDER: 'stripe', SITE_URL: 'https://www.example.com' });
    expect(parseEnv(envOf(read('mendara.env'), true)).OIDC_ISSUER).toBeDefined();
  });

  it.each(Object.keys(example))('needs %s, or has a reason to set it', (name) => {
    const without = { ...example };
    delete without[name];
    const refuses = (() => {
      try {
        parseEnv(without);
        return false;
      } catch {
        return true;
      }
    })();
    const isOwnChoice =
      /^(TRUST_PROXY|DATABASE_|PAYMENT_WEBHOOK|UPLOAD_SIGNING|MAIL_FROM|CONTACT_TO|INSTALLER|LOG_|METRICS_|SITE_URL)/;
    expect(refuses || isOwnChoice.test(name)).toBe(true);
  });
});

type Service = {
  image?: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  env_file?: string;
  command?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  volumes?: string[];
  secrets?: string[];
  deploy?: { replicas: number };
  depends_on?: unknown;
};
type Compose = {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, unknown>;
};

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
  const { web, worker, database, proxy } = compose.services;

  it('runs web nodes and workers of one image, with variables that the code reads and takes', () => {
    for (const service of [web, worker]) {
      for (const name of Object.keys(service?.environment ?? {})) expect(known, name).toContain(name);
      const env = parseEnv({ ...example, ...service?.environment, DATA_DIR: '/data' });
      expect(env.DATABASE_URL).toContain('@database/');
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        image: 'mendara',
        env_file: 'production.env',
      });
      expect(service?.deploy?.replicas).toBe(2);
      expect(fs.existsSync(path.join(root, service?.build?.context ?? '', service?.build?.dockerfile ?? ''))).toBe(
        true,
      );
    }
    expect(worker?.command).toEqual(['worker']);
    expect(parseEnv({ ...example, ...worker?.environment }).JOBS_IN_PROCESS).toBe(true);
    expect(parseEnv({ ...example, ...web?.environment }).JOBS_IN_PROCESS).toBe(false);
  });

  it('names volumes and secrets that are declared, and files that are there', () => {
    const named = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((line) => line.split(':')[0] ?? ''),
    );
    for (const name of named) {
      if (name.startsWith('.')) expect(fs.existsSync(path.join(root, name)), name).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(name);
    }
    expect(Object.keys(compose.secrets)).toEqual(database?.secrets);
    expect(Object.keys(proxy?.environment ?? {}).every((name) => read('Caddyfile').includes(`{$${name}`))).toBe(true);
  });
});

describe('Containerfile', () => {
  const text = read('Containerfile').replace(/\\\n/g, ' ');
  const lines = text.split('\n').map((line) => line.trim());

  it('ends as an account without power, in folders that the program reads, and says how it is', () => {
    expect(lines).toContain('USER node');
    expect(lines.indexOf('USER node')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('COPY')));
    for (const [, name] of text.matchAll(/^(?:ARG|ENV) +(.+)$/gm)) {
      for (const word of (name ?? '').split(/\s+/))
        expect(known.has(word.split('=')[0] ?? '') || word.startsWith('NEXT_TELEMETRY')).toBe(true);
    }
    expect(text).toMatch(/HEALTHCHECK .*\/api\/v1\/health/);
    expect(Object.keys(apiRoutes)).toContain('/health');
    expect(lines).toContain('ENTRYPOINT ["node", "lib/cli/serve.mjs"]');
  });

  it('takes along files that are there, and all that runs', () => {
    const taken = [...text.matchAll(/^COPY --from=build (.+)$/gm)].flatMap(([, words = '']) =>
      words.split(/\s+/).slice(0, -1),
    );
    const made = ['/app/.next', '/app/node_modules'];
    for (const file of taken.filter((name) => !made.includes(name)))
      expect(fs.existsSync(`.${file.replace('/app', '')}`), file).toBe(true);
    for (const needed of [
      ...made,
      '/app/public',
      '/app/lib/cli',
      '/app/lib/server/db/migrations',
      '/app/next.config.ts',
      '/app/package.json',
    ]) {
      expect(taken).toContain(needed);
    }
  });
});

describe.each([
  ['mendara.service', 'server'],
  ['mendara-worker@.service', 'worker'],
])('%s', (name, program_) => {
  const text = read(name);
  const values = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value ?? '');

  it('starts what is there, with variables that the code reads and takes', () => {
    const [command = ''] = values('ExecStart');
    expect(command).toBe(`/usr/bin/node lib/cli/serve.mjs ${program_}`);
    expect(fs.existsSync('lib/cli/serve.mjs')).toBe(true);
    const own = Object.fromEntries(
      values('Environment')
        .flatMap((line) => line.split(/\s+/))
        .map((pair) => pair.split('=')),
    );
    for (const variable of Object.keys(own)) expect(known, variable).toContain(variable);
    expect(parseEnv({ ...example, ...own }).DATA_DIR).toBe('/var/lib/mendara');
  });

  it('is shut in', () => {
    for (const line of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'PrivateTmp=yes',
      'CapabilityBoundingSet=',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(values('User')).toEqual(['mendara']);
  });

  it.skipIf(!program('systemd-analyze'))('is understood by systemd, and exposed little', () => {
    const file = path.join(scratch, name);
    fs.writeFileSync(file, text);
    const verified = spawnSync(program('systemd-analyze') ?? '', ['verify', file], { encoding: 'utf8' });
    const said = `${verified.stdout}${verified.stderr}`;
    // What is told of a program or a folder that this machine lacks is no fault of the file.
    const faults = said
      .split('\n')
      .filter((line) => line.includes(name) && /Unknown|Failed to parse|Invalid|ignoring/i.test(line));
    expect(faults).toEqual([]);
    const rated = spawnSync(program('systemd-analyze') ?? '', ['security', '--offline=true', file], {
      encoding: 'utf8',
    });
    const level = Number(/exposure level for \S+: ([\d.]+)/.exec(rated.stdout)?.[1] ?? Number.NaN);
    // Of 10, which is no walls at all; a program that makes namespaces for others can't come much lower.
    if (!Number.isNaN(level)) expect(level).toBeLessThan(4);
  });
});

describe('the proxies', () => {
  const [nginx, caddy] = [read('nginx.conf'), read('Caddyfile')];

  it('let the largest upload through as it comes, and name the visitor', () => {
    expect(Number(/client_max_body_size (\d+)m/.exec(nginx)?.[1])).toBeGreaterThan(500);
    expect(Number(/max_size (\d+)MB/.exec(caddy)?.[1])).toBeGreaterThan(500);
    expect(nginx).toContain('proxy_request_buffering off;');
    expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  });

  it('keep measures for the operator, and addresses out of a log', () => {
    for (const text of [nginx, caddy]) expect(text).toContain('/metrics');
    expect(nginx).toContain('access_log off;');
    expect(caddy).not.toMatch(/^\s*log\b/m);
  });

  it.skipIf(!program('nginx'))('nginx understands its file', () => {
    const [key, cert] = ['privkey.pem', 'fullchain.pem'].map((name) => path.join(scratch, name));
    const words = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=x',
      '-keyout',
      key ?? '',
      '-out',
      cert ?? '',
    ];
    expect(spawnSync('openssl', words).status).toBe(0);
    const file = path.join(scratch, 'nginx.conf');
    fs.writeFileSync(
      file,
      nginx.replaceAll('/etc/ssl/mendara', scratch).replace('/run/nginx.pid', path.join(scratch, 'pid')),
    );
    const tested = spawnSync(program('nginx') ?? '', ['-t', '-c', file, '-e', path.join(scratch, 'error')], {
      encoding: 'utf8',
    });
    expect(`${tested.stderr}`).toContain('syntax is ok');
  });

  it.skipIf(!program('caddy'))('Caddy understands its file', () => {
    const tested = spawnSync(program('caddy') ?? '', [
      'validate',
      '--adapter',
      'caddyfile',
      '--config',
      path.join(root, 'Caddyfile'),
    ]);
    expect(tested.status).toBe(0);
  });
});
