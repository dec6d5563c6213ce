import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keepPrivate, privacyInWords, writePrivately } from '@/lib/server/base/private-folder';
import { parseEnv, variables } from '@/lib/server/config/env';
import { readSecrets } from '@/lib/server/config/secrets';
import { openEmbedded } from '@/lib/server/db/embedded';
import { lockDirectory } from '@/lib/server/db/lock';
import { addPeriod } from '@/lib/server/sales/period';

const folders: string[] = [];
const folder = () => {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-start-'));
  folders.push(made);
  return made;
};
afterEach(() => {
  for (const made of folders.splice(0)) fs.rmSync(made, { recursive: true, force: true });
});

describe('the environment', () => {
  it('needs nothing', () => {
    const env = parseEnv({});
    expect(env).toMatchObject({
      PORT: 3000,
      SITE_URL: 'http://localhost:3000',
      JOBS_IN_PROCESS: true,
      RATE_LIMITS: true,
    });
    expect(path.isAbsolute(env.DATA_DIR)).toBe(true);
  });

  it('names every wrong variable at once', () => {
    const wrong = () =>
      parseEnv({
        PORT: 'http',
        SITE_URL: 'example.com',
        DATABASE_URL: 'mysql://x',
        TRUST_PROXY: 'maybe',
        REPAIR_SANDBOX: 'never',
      });
    for (const name of ['PORT', 'SITE_URL', 'DATABASE_URL', 'TRUST_PROXY', 'REPAIR_SANDBOX'])
      expect(wrong).toThrow(new RegExp(`${name} must`));
  });

  it('refuses an embedded database without its process', () => {
    expect(() => parseEnv({ JOBS_IN_PROCESS: '0' })).toThrow(/needs DATABASE_URL/);
  });

  it('is told in full by its table', () => {
    const known = Object.keys(
      parseEnv({
        DATABASE_URL: 'postgres://x/y',
        SMTP_URL: 'smtp://x',
        INSTALLER_BASE_URL: 'https://x.example',
        REPAIR_FFMPEG: '/usr/bin/ffmpeg',
        CONNECTIONS_MAX: '500',
        METRICS_TOKEN: 'x'.repeat(16),
        OIDC_ISSUER: 'https://accounts.example.com',
        OIDC_CLIENT_ID: 'mendara',
        OIDC_CLIENT_SECRET: 'secret',
        PAYMENT_PROVIDER: 'stripe',
        STRIPE_SECRET_KEY: 'sk_x',
        STRIPE_PUBLISHABLE_KEY: 'pk_x',
        STRIPE_WEBHOOK_SECRET: 'whsec_x',
        PAYMENT_WEBHOOK_SECRET: 'x'.repeat(16),
        UPLOAD_SIGNING_SECRET: 'x'.repeat(16),
        S3_ENDPOINT: 'https://s3.example',
        S3_PUBLIC_ENDPOINT: 'https://files.example',
        S3_BUCKET: 'files',
        S3_REGION: 'eu-central-1',
        S3_ACCESS_KEY_ID: 'x',
        S3_SECRET_ACCESS_KEY: 'x',
      }),
    );
    expect(variables.map((variable) => variable.name).sort()).toEqual(known.sort());
  });
});

describe('half a configuration', () => {
  it.each([
    [{ PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_x' }, /PAYMENT_PROVIDER=stripe needs STRIPE_PUBLISHABLE_KEY/],
    [{ STRIPE_SECRET_KEY: 'sk_x' }, /STRIPE_SECRET_KEY is set, but payments go to the sandbox/],
    [{ OIDC_ISSUER: 'https://accounts.example.com' }, /OIDC_ISSUER is set: .* needs OIDC_CLIENT_ID too/],
    [{ OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }, /OIDC_CLIENT_ID is set: .* needs OIDC_ISSUER too/],
    [{ OIDC_ISSUER: 'http://accounts.example.com' }, /OIDC_ISSUER must be an https address/],
    [{ JOBS_IN_PROCESS: '0' }, /JOBS_IN_PROCESS=0 needs DATABASE_URL/],
  ])('does not start, and says in a sentence what is missing: %o', (variables, sentence) => {
    expect(() => parseEnv(variables)).toThrow(sentence);
  });
});

describe('a set-up that others reach', () => {
  const mail = { SMTP_URL: 'smtp://mail.example.com' };
  const stripe = {
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  };

  it.each([
    [{ SITE_URL: 'https://www.example.com' }, 'SITE_URL is an https address (https://www.example.com)'],
    [{ SITE_URL: 'https://localhost' }, 'SITE_URL is an https address'],
    [{ SITE_URL: 'http://shop.example.com:8080' }, 'SITE_URL is a public address'],
    [{ HOST: '203.0.113.9' }, 'HOST is a public address (203.0.113.9)'],
    [{ HOST: 'shop.example.com' }, 'HOST is a public address'],
    [{ HOST: '2001:db8::9' }, 'HOST is a public address'],
  ])('does not start with test cards or without mail: %o', (variables, because) => {
    expect(() => parseEnv(variables)).toThrow(`${because}`);
    expect(() => parseEnv(variables)).toThrow(/payments would go to the sandbox: set PAYMENT_PROVIDER=stripe/);
    expect(() => parseEnv(variables)).toThrow(/there is no mail server: set SMTP_URL/);
    expect(() => parseEnv({ ...variables, ...stripe })).toThrow(/there is no mail server/);
    expect(() => parseEnv({ ...variables, ...mail })).toThrow(/payments would go to the sandbox/);
    expect(parseEnv({ ...variables, ...mail, ...stripe }).PAYMENT_PROVIDER).toBe('stripe');
    expect(parseEnv({ ...variables, ALLOW_SANDBOX_PAYMENTS: '1' }).PAYMENT_PROVIDER).toBe('sandbox');
  });

  it.each([
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '::1' },
    { HOST: '127.0.0.1' },
    { HOST: '192.168.1.20' },
    { SITE_URL: 'http://localhost:4000' },
    { SITE_URL: 'http://[::1]:4000' },
    { SITE_URL: 'http://10.0.0.5:3000' },
  ])('%o is nobody’s but ours', (variables) => {
    expect(parseEnv(variables).PAYMENT_PROVIDER).toBe('sandbox');
  });
});

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  const modeOf = (place: string) => fs.statSync(place).mode & 0o777;

  it('is closed to other accounts, with what an older release left open, and says so once', () => {
    const data = path.join(folder(), 'data');
    fs.mkdirSync(path.join(data, 'database', 'cluster'), { recursive: true, mode: 0o755 });
    const open = [path.join(data, 'database', 'cluster', 'base'), path.join(data, 'secrets.json')];
    for (const file of open) fs.writeFileSync(file, 'x', { mode: 0o666 });
    for (const file of open) fs.chmodSync(file, 0o666);
    fs.chmodSync(data, 0o755);
    const elsewhere = path.join(folder(), 'elsewhere');
    fs.writeFileSync(elsewhere, 'x');
    fs.chmodSync(elsewhere, 0o644);
    fs.symlinkSync(elsewhere, path.join(data, 'uploads'));
    const found = keepPrivate(data);
    expect(privacyInWords(data, found)).toBe(
      `5 places under ${data} could be read by other accounts of this machine. They are private now.`,
    );
    expect([data, path.dirname(open[0] ?? ''), ...open].map(modeOf)).toEqual([0o700, 0o700, 0o600, 0o600]);
    expect(modeOf(elsewhere)).toBe(0o644);
    expect(privacyInWords(data, keepPrivate(data))).toBeNull();
  });

  it('must be a folder of its own', () => {
    const shared = folder();
    fs.chmodSync(shared, 0o1777);
    for (const place of [shared, process.cwd(), path.dirname(process.cwd()), '/', '/etc']) {
      const before = modeOf(place);
      expect(() => keepPrivate(place)).toThrow(/DATA_DIR must be a folder of its own/);
      expect(modeOf(place)).toBe(before);
    }
  });

  it('stays closed while the embedded database is made and written', async () => {
    const data = folder();
    const before = process.umask();
    try {
      writePrivately();
      const database = await openEmbedded(path.join(data, 'database'));
      await database.query({ text: 'create table t (a text)' });
      await database.query({ text: 'vacuum analyze' });
      await database.close();
    } finally {
      process.umask(before);
    }
    expect(keepPrivate(data)).toEqual({ mended: 0, stillOpen: [] });
  });
});

describe('secrets', () => {
  it('are made once, for the owner’s eyes', () => {
    const env = parseEnv({ DATA_DIR: folder() });
    const first = readSecrets(env);
    expect(readSecrets(env)).toEqual(first);
    expect(fs.statSync(path.join(env.DATA_DIR, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(readSecrets({ ...env, PAYMENT_WEBHOOK_SECRET: 'given from outside' }).paymentWebhook).toBe(
      'given from outside',
    );
  });
});

describe('the directory’s lock', () => {
  it('names directory and process, and is free after its release', async () => {
    const directory = folder();
    const release = await lockDirectory(directory, 0);
    await expect(lockDirectory(directory, 300)).rejects.toThrow(`pid ${process.pid}`);
    await expect(lockDirectory(directory, 0)).rejects.toThrow(directory);
    release();
    (await lockDirectory(directory, 0))();
  });

  it('is taken over from a process that is gone, or whose number another has now', async () => {
    const directory = folder();
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => child.once('exit', resolve));
    fs.writeFileSync(path.join(directory, 'lock'), JSON.stringify({ pid: child.pid, started: '1' }));
    (await lockDirectory(directory, 0))();
    fs.writeFileSync(path.join(directory, 'lock'), JSON.stringify({ pid: process.ppid, started: '1' }));
    (await lockDirectory(directory, 0))();
  });

  it('waits for an owner that is about to end', async () => {
    const directory = folder();
    const release = await lockDirectory(directory, 0);
    setTimeout(release, 300);
    (await lockDirectory(directory, 3000))();
  });
});

describe('a billing period', () => {
  it.each([
    ['2026-01-31T10:00:00Z', 'month', '2026-02-28T10:00:00.000Z'],
    ['2024-01-31T10:00:00Z', 'month', '2024-02-29T10:00:00.000Z'],
    ['2026-12-15T00:00:00Z', 'month', '2027-01-15T00:00:00.000Z'],
    ['2024-02-29T00:00:00Z', 'year', '2025-02-28T00:00:00.000Z'],
    ['2026-12-28T00:00:00Z', 'week', '2027-01-04T00:00:00.000Z'],
  ] as const)('from %s by a %s ends %s', (from, type, to) => {
    expect(addPeriod(new Date(from), type)?.toISOString()).toBe(to);
  });

  it('has no end for a perpetual licence', () => {
    expect(addPeriod(new Date(), 'perpetual')).toBeNull();
  });
});
